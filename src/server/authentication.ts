import { type KeyObject, X509Certificate } from 'node:crypto';
import { type UserInfo, userNamed } from '../api/user.ts';
import { AuthenticatingProxy } from '../authentication/authenticating-proxy.ts';
import { AuthenticationChain, authenticated } from '../authentication/authenticator.ts';
import { BearerTokens, forServer, type TokenMethod } from '../authentication/bearer-tokens.ts';
import { bootstrapTokens } from '../authentication/bootstrap-tokens.ts';
import { ClientCertificates } from '../authentication/client-certificate.ts';
import type { CredentialMeter } from '../authentication/credential-meter.ts';
import { injectedIdentities } from '../authentication/injected-identity.ts';
import { algorithmOf } from '../authentication/jwt.ts';
import { OneTimeLogins } from '../authentication/one-time-logins.ts';
import { PeerCertificates, subjectOf } from '../authentication/peer-certificates.ts';
import { ProcessToken } from '../authentication/process-token.ts';
import { ServiceAccountSigner } from '../authentication/service-account-signer.ts';
import { ServiceAccountTokens } from '../authentication/service-account-tokens.ts';
import { TokenFile } from '../authentication/token-file.ts';
import { distinctKeys, publicHalf, type TokenKey, tokenKey } from '../authentication/token-keys.ts';
import { WebSocketTokens } from '../authentication/websocket-tokens.ts';
import type { AuthenticationInfo } from '../controllers/authentication-info.ts';
import type { HttpRequest } from '../http/message.ts';
import type { Logger } from '../observe/logging/logger.ts';
import type { Recorder } from '../observe/metrics/recorder.ts';
import { ClientAuthorities, type PemBundle } from '../pki/client-authorities.ts';
import { readPrivateKey, readPublicKeys } from '../pki/keys.ts';
import type { ObjectReader } from '../registry/objects.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Settings } from '../settings/settings.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { AuthenticationFile } from './authentication-file.ts';
import type { Credentials } from './credentials.ts';
import type { RemoteTokens } from './remote-tokens.ts';

export interface AuthenticationParts {
  readonly settings: Settings;
  readonly credentials: Credentials;
  readonly runtime: Runtime;
  readonly vocabulary: Vocabulary;
  readonly logger: Logger;
  readonly meter: CredentialMeter;
  readonly recorder: Recorder;
  /** Whether everyone who has a name may do everything now. */
  allowsEverything(): boolean;
}

/** Everything that finds out who is asking, and what gives out tokens. */
export interface Authentication {
  readonly chain: AuthenticationChain;
  /** Whose certificate is in the admin configuration. */
  readonly admin: UserInfo;
  /** A bearer token of the same user, good for as long as this process runs. */
  readonly adminToken: string;
  /** Log the administrator in on the console. */
  readonly logins: OneTimeLogins;
  readonly tokens: BearerTokens;
  readonly signer: ServiceAccountSigner;
  /** Who signs service account tokens, and the public keys to verify them by. */
  readonly issuer: string;
  readonly keys: readonly TokenKey[];
  /** Other authorities count from now on. Throws, and changes nothing, when they cannot be used. */
  trust(credentials: Pick<Credentials, 'clientCas' | 'proxyCas'>): void;
}

/** Authentication whose settings are checked and whose files are read. */
export interface PlannedAuthentication {
  /** `objects`: what tokens stand for. */
  over(objects: ObjectReader): Authentication;
  /** Lets go of connections to others. */
  close(): void;
}

/** The methods that the settings ask for, in order. Rejects with what to tell the operator when they do not fit together. */
export async function planAuthentication(parts: AuthenticationParts): Promise<PlannedAuthentication> {
  const { settings, credentials, runtime, vocabulary } = parts;
  const accounts = accountTokens(settings, credentials, vocabulary);
  const { audiences, issuers, signingKey, keys } = accounts;
  const [issuer = ''] = issuers;
  const fixed = fixedTokens(parts, audiences);
  const users = new PeerCertificates(new ClientAuthorities(...credentials.clientCas), runtime);
  const { requestheaderUidHeaders: uidHeaders } = settings;
  const proxies = proxyCertificates(settings, credentials, runtime);
  const proxy = proxies
    ? [new AuthenticatingProxy({ certificates: proxies, uidHeaders, ...proxyHeaders(settings) })]
    : [];
  const admin = adminOf(credentials);
  const adminToken = new ProcessToken(runtime, admin);
  const logins = new OneTimeLogins(runtime, admin);
  const own = forServer(audiences, (token) => adminToken.find(token) ?? logins.find(token));
  const welcomes = await welcomedOrigins(settings);
  const signer = new ServiceAccountSigner({ key: signingKey, issuer, audiences, runtime, vocabulary });
  const file = await configurationFileFor(parts, audiences, issuers);
  const remote = await remoteTokensFor(parts, audiences);
  const letsIn = anonymousAccess(parts, file);
  return {
    over(objects) {
      const stored = storedTokens(parts, accounts, objects);
      const methods = [own, ...fixed, ...stored, ...(file ? [file.tokens] : []), ...remote.methods];
      const tokens = new BearerTokens(methods, audiences);
      const sockets = new WebSocketTokens(vocabulary.websocketProtocols.bearerTokenPrefix, tokens);
      const chain = [
        injectedIdentities,
        ...proxy,
        new ClientCertificates(users, parts.meter, welcomes),
        tokens,
        sockets,
      ];
      return {
        chain: new AuthenticationChain(chain, letsIn),
        admin,
        adminToken: adminToken.text,
        logins,
        tokens,
        signer,
        issuer,
        keys,
        trust({ clientCas, proxyCas }) {
          const [forUsers, forProxies] = [new ClientAuthorities(...clientCas), new ClientAuthorities(...proxyCas)];
          users.trust(forUsers);
          proxies?.trust(forProxies);
        },
      };
    },
    close() {
      file?.close();
      remote.close();
    },
  };
}

/** Whose pages may use certificates of browsers besides our own. */
async function welcomedOrigins({ corsAllowedOrigins: patterns }: Settings): Promise<(origin: string) => boolean> {
  if (patterns.length === 0) return () => false;
  // Loaded when asked for: regular expressions in linear time take a library.
  const { originsMatching } = await import('../http/cross-origin.ts');
  return originsMatching(patterns);
}

function adminOf({ admin }: Credentials): UserInfo {
  const { commonName, organizations } = subjectOf(new X509Certificate(admin.certificate));
  return authenticated(userNamed(commonName, organizations));
}

/** Loaded when asked for: few servers have such a file. */
async function configurationFileFor(
  parts: AuthenticationParts,
  own: readonly string[],
  ownIssuers: readonly string[],
): Promise<AuthenticationFile | undefined> {
  const { authenticationConfig: file } = parts.settings;
  if (file === undefined) return undefined;
  const { authenticationFromFile } = await import('./authentication-file.ts');
  return authenticationFromFile({ ...parts, file, own, ownIssuers });
}

/**
 * Which requests are let in without credentials. Where everything is allowed, nobody may come without a name: anyone could
 * do anything.
 */
function anonymousAccess(
  { settings, allowsEverything }: AuthenticationParts,
  file: AuthenticationFile | undefined,
): (request: HttpRequest) => boolean {
  return ({ target }) => {
    if (allowsEverything()) return false;
    const configured = file?.anonymous();
    if (!configured) return settings.anonymousAuth;
    const { enabled, paths } = configured;
    return enabled && (paths.length === 0 || paths.includes(pathOf(target)));
  };
}

const pathOf = (target: string): string => target.split('?', 1)[0] ?? '';

/** Tokens of the file that the settings name. */
function fixedTokens({ credentials: { tokens }, runtime }: AuthenticationParts, audiences: readonly string[]) {
  if (!tokens) return [];
  const file = new TokenFile(tokens.text, tokens.file, runtime);
  return [forServer(audiences, (token) => file.find(token))];
}

/** Tokens that are good for as long as an object is stored. */
function storedTokens(
  { settings, runtime, vocabulary, meter }: AuthenticationParts,
  { audiences, issuers, keys }: AccountTokens,
  objects: ObjectReader,
): TokenMethod[] {
  const joining = settings.enableBootstrapTokenAuth ? bootstrapTokens({ objects, runtime, vocabulary }) : undefined;
  const lookup = settings.serviceAccountLookup;
  return [
    new ServiceAccountTokens({ keys, issuers, audiences, lookup, objects, meter, runtime, vocabulary }),
    ...(joining ? [forServer(audiences, joining)] : []),
  ];
}

/** Loaded when asked for: few servers have any. */
async function remoteTokensFor(parts: AuthenticationParts, own: readonly string[]): Promise<RemoteTokens> {
  const { oidcIssuerUrl, oidcClientId, authenticationTokenWebhookConfigFile, authenticationKubeconfig } =
    parts.settings;
  if (
    (oidcIssuerUrl ?? oidcClientId ?? authenticationTokenWebhookConfigFile ?? authenticationKubeconfig) === undefined
  ) {
    return { methods: [], close() {} };
  }
  const { remoteTokens } = await import('./remote-tokens.ts');
  return remoteTokens(parts, own);
}

/** What service account tokens are made and verified with. */
interface AccountTokens {
  /** The first signs, all are accepted. */
  readonly issuers: readonly string[];
  readonly audiences: readonly string[];
  readonly signingKey: TokenKey;
  readonly keys: readonly TokenKey[];
}

function accountTokens(settings: Settings, credentials: Credentials, { hostNames }: Vocabulary): AccountTokens {
  const { serviceAccountIssuer: given, apiAudiences } = settings;
  // What looks like a URL must be one: others will want to follow it.
  const wrong = given.find((issuer) => issuer.includes(':') && !URL.canParse(issuer));
  if (wrong !== undefined) throw new Error(`--service-account-issuer must be a URL or a plain name, not "${wrong}"`);
  const issuers = given.length > 0 ? given : [hostNames.serviceUrl];
  const { pem, source } = credentials.tokenSigningKey;
  const signingKey = tokenKey(readPrivateKey(pem, source), source);
  // The key of the serving certificate, which stands in for files that are not given, may be one that signs no tokens.
  const isFit = (key: KeyObject): boolean =>
    settings.serviceAccountKeyFile.length > 0 || algorithmOf(key) !== undefined;
  const others = credentials.tokenKeys.flatMap((file) =>
    readPublicKeys(file.pem, file.source)
      .filter(isFit)
      .map((key) => tokenKey(key, file.source)),
  );
  return {
    issuers,
    audiences: apiAudiences.length > 0 ? apiAudiences : issuers,
    signingKey,
    keys: distinctKeys([publicHalf(signingKey), ...others]),
  };
}

/** What others are told of it. */
export function authenticationInfoOf(settings: Settings, { clientCas, proxyCas }: Credentials): AuthenticationInfo {
  const pemOf = (bundles: readonly PemBundle[]): string => bundles.map(({ pem }) => pem).join('\n');
  const { extraPrefixes: extraHeadersPrefix, ...headers } = proxyHeaders(settings);
  const proxies = proxyCas.length > 0 ? { clientCa: pemOf(proxyCas), ...headers, extraHeadersPrefix } : undefined;
  return { clientCa: pemOf(clientCas), proxies };
}

const proxyHeaders = (settings: Settings) => ({
  allowedNames: settings.requestheaderAllowedNames,
  usernameHeaders: settings.requestheaderUsernameHeaders,
  groupHeaders: settings.requestheaderGroupHeaders,
  extraPrefixes: settings.requestheaderExtraHeadersPrefix,
});

/** Undefined: there are no authenticating proxies. Throws where anyone, or nobody, could be one. */
function proxyCertificates(
  settings: Settings,
  { proxyCas }: Credentials,
  runtime: Runtime,
): PeerCertificates | undefined {
  const headers = proxyHeaders(settings);
  if (proxyCas.length === 0) {
    if (Object.values(headers).every(({ length }) => length === 0)) return undefined;
    throw new Error('authenticating proxies need --requestheader-client-ca-file: without it, anyone could be one');
  }
  if (headers.usernameHeaders.length === 0) {
    throw new Error(
      '--requestheader-client-ca-file needs --requestheader-username-headers to say where users are named',
    );
  }
  return new PeerCertificates(new ClientAuthorities(...proxyCas), runtime);
}
