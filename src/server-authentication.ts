import { AuthenticatingProxy } from './authentication/authenticating-proxy.ts';
import { AuthenticationChain, type Authenticator } from './authentication/authenticator.ts';
import { ClientCertificates } from './authentication/client-certificate.ts';
import { PeerCertificates } from './authentication/peer-certificates.ts';
import { TokenFile } from './authentication/token-file.ts';
import { ClientAuthorities } from './pki/client-authorities.ts';
import type { Runtime } from './runtime.ts';
import type { Credentials } from './server-credentials.ts';
import type { Settings } from './settings.ts';

/** The methods that the settings ask for, in order. Throws what to tell the operator when they do not fit together. */
export function authenticationFor(settings: Settings, credentials: Credentials, runtime: Runtime): AuthenticationChain {
  const { tokens, clientCas } = credentials;
  const methods: Authenticator[] = [
    ...proxyFor(settings, credentials, runtime),
    new ClientCertificates(new PeerCertificates(new ClientAuthorities(...clientCas), runtime)),
    ...(tokens ? [new TokenFile(tokens.text, tokens.file)] : []),
  ];
  return new AuthenticationChain(methods, settings.anonymousAuth);
}

function proxyFor(settings: Settings, { proxyCas }: Credentials, runtime: Runtime): AuthenticatingProxy[] {
  const options = {
    allowedNames: settings.requestheaderAllowedNames,
    usernameHeaders: settings.requestheaderUsernameHeaders,
    groupHeaders: settings.requestheaderGroupHeaders,
    extraPrefixes: settings.requestheaderExtraHeadersPrefix,
  };
  if (proxyCas.length === 0) {
    if (Object.values(options).every(({ length }) => length === 0)) return [];
    throw new Error('authenticating proxies need --requestheader-client-ca-file: without it, anyone could be one');
  }
  if (options.usernameHeaders.length === 0) {
    throw new Error(
      '--requestheader-client-ca-file needs --requestheader-username-headers to say where users are named',
    );
  }
  const certificates = new PeerCertificates(new ClientAuthorities(...proxyCas), runtime);
  return [new AuthenticatingProxy({ certificates, ...options })];
}
