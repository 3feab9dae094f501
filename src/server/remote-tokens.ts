import { readFile } from 'node:fs/promises';
import type { TokenMethod } from '../authentication/bearer-tokens.ts';
import type { CredentialMeter } from '../authentication/credential-meter.ts';
import { isAlgorithmName } from '../authentication/jwt.ts';
import { userByClaims } from '../authentication/oidc-claims.ts';
import { OidcProvider } from '../authentication/oidc-provider.ts';
import { OidcTokens } from '../authentication/oidc-tokens.ts';
import { TokenWebhook } from '../authentication/token-webhook.ts';
import type { Logger } from '../observe/logging/logger.ts';
import { Outbound } from '../outbound/outbound.ts';
import { ReviewService } from '../outbound/review-service.ts';
import { readCertificates } from '../pki/keys.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Settings } from '../settings/settings.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { frontReviews } from './front.ts';

interface RemoteParts {
  readonly settings: Settings;
  readonly runtime: Runtime;
  readonly vocabulary: Vocabulary;
  readonly logger: Logger;
  readonly meter: CredentialMeter;
}

/** Sorts of tokens that only someone else can tell about. */
export interface RemoteTokens {
  readonly methods: readonly TokenMethod[];
  close(): void;
}

/** How long it is taken to be so what the server in front says of a token. */
const FRONT_TOKENS_MS = 10_000;

interface Closable {
  close(): void;
}

/** `own`: what this server is called as an audience. Rejects with what to tell the operator. */
export async function remoteTokens(parts: RemoteParts, own: readonly string[]): Promise<RemoteTokens> {
  const opened: Closable[] = [];
  const methods = [
    ...(await oidcFor(parts, own, opened)),
    ...(await webhookFor(parts, own, opened)),
    ...(await frontFor(parts, own, opened)),
  ];
  return {
    methods,
    close() {
      for (const one of opened) one.close();
    },
  };
}

async function oidcFor({ settings, runtime, logger }: RemoteParts, own: readonly string[], opened: Closable[]) {
  const { oidcIssuerUrl: issuer, oidcClientId: clientId, oidcUsernameClaim: usernameClaim } = settings;
  if (issuer === undefined && clientId === undefined) return [];
  if (issuer === undefined || clientId === undefined) {
    throw new Error('--oidc-issuer-url and --oidc-client-id must be given together');
  }
  demandIssuer(issuer);
  const outbound = new Outbound(await trustOf(settings.oidcCaFile), runtime);
  opened.push(outbound);
  return [
    new OidcTokens({
      provider: new OidcProvider({ issuer, outbound, runtime }),
      issuer,
      clientIds: [clientId],
      userIn: userByClaims({
        usernameClaim,
        usernamePrefix: usernamePrefix(settings.oidcUsernamePrefix, usernameClaim, issuer),
        groupsClaim: settings.oidcGroupsClaim,
        groupsPrefix: settings.oidcGroupsPrefix ?? '',
        requiredClaims: requiredClaims(settings.oidcRequiredClaim),
      }),
      algorithms: signingAlgorithms(settings.oidcSigningAlgs),
      own,
      runtime,
      onError: (error) => logger.warn({ err: error, issuer }, 'the keys of the OpenID provider cannot be had'),
    }),
  ];
}

function demandIssuer(issuer: string): void {
  const { protocol, search, hash, username } = URL.canParse(issuer) ? new URL(issuer) : new URL('none:');
  if (protocol !== 'https:' || search !== '' || hash !== '' || username !== '') {
    throw new Error(`--oidc-issuer-url must be an https URL without query and fragment, not "${issuer}"`);
  }
}

async function trustOf(file: string | undefined): Promise<{ ca?: string }> {
  if (file === undefined) return {};
  const ca = await readFile(file, 'utf8').catch(() => {
    throw new Error(`--oidc-ca-file: cannot read ${file}`);
  });
  readCertificates(ca, file);
  return { ca };
}

/** Names of a provider must not be mistaken for those of another method. */
function usernamePrefix(given: string | undefined, claim: string, issuer: string): string {
  if (given === '-') return '';
  return given ?? (claim === 'email' ? '' : `${issuer}#`);
}

function requiredClaims(given: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    given.map((text) => {
      const at = text.indexOf('=');
      if (at < 1) throw new Error(`--oidc-required-claim must be CLAIM=VALUE, not "${text}"`);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

function signingAlgorithms(given: readonly string[]): readonly string[] {
  const unknown = given.find((name) => !isAlgorithmName(name));
  if (unknown !== undefined || given.length === 0) {
    throw new Error(`--oidc-signing-algs: tokens cannot be signed with "${unknown ?? ''}"`);
  }
  return given;
}

async function webhookFor(parts: RemoteParts, own: readonly string[], opened: Closable[]): Promise<TokenWebhook[]> {
  const { settings, runtime, vocabulary, logger } = parts;
  const { authenticationTokenWebhookConfigFile: file, authenticationTokenWebhookVersion: version } = settings;
  if (file === undefined) return [];
  const service = await ReviewService.fromFile('the token webhook', file, runtime);
  opened.push(service);
  return [
    new TokenWebhook({
      service,
      apiVersion: `${vocabulary.groups.authentication}/${version}`,
      cacheTtlMs: settings.authenticationTokenWebhookCacheTtl,
      own,
      runtime,
      meter: parts.meter,
      onError: (error) => logger.warn({ err: error }, 'the token webhook could not be asked'),
    }),
  ];
}

/** Whose tokens are is asked of the server in front, by what it is called itself as an audience. */
async function frontFor(parts: RemoteParts, own: readonly string[], opened: Closable[]): Promise<TokenWebhook[]> {
  const { settings, runtime, vocabulary, logger } = parts;
  const { authenticationKubeconfig: file } = settings;
  if (file === undefined) return [];
  const group = vocabulary.groups.authentication;
  const service = await frontReviews('the server in front', file, { group, plural: 'tokenreviews' }, runtime);
  opened.push(service);
  return [
    new TokenWebhook({
      service,
      apiVersion: `${group}/v1`,
      cacheTtlMs: FRONT_TOKENS_MS,
      own,
      namesAudiences: false,
      runtime,
      meter: parts.meter,
      onError: (error) => logger.warn({ err: error }, 'the server in front could not be asked about a token'),
    }),
  ];
}
