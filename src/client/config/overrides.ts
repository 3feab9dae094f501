import { resolve } from 'node:path';
import type { ConfigEntry } from '../../outbound/config-file.ts';

/** What a command line says instead of the configuration. */
export interface ConfigOverrides {
  readonly context?: string | undefined;
  readonly cluster?: string | undefined;
  readonly user?: string | undefined;
  readonly namespace?: string | undefined;
  readonly server?: string | undefined;
  readonly certificateAuthority?: string | undefined;
  readonly insecureSkipTlsVerify?: boolean | undefined;
  readonly tlsServerName?: string | undefined;
  readonly proxyUrl?: string | undefined;
  readonly token?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly clientCertificate?: string | undefined;
  readonly clientKey?: string | undefined;
  readonly as?: string | undefined;
  readonly asUid?: string | undefined;
  readonly asGroups?: readonly string[] | undefined;
  /** How long a request may take. */
  readonly requestTimeoutMs?: number | undefined;
}

/** Takes fields out and puts others in; what is undefined stays as it is. */
function changed(
  entry: ConfigEntry,
  without: readonly string[],
  given: Readonly<Record<string, unknown>>,
): ConfigEntry {
  const fields = Object.fromEntries(Object.entries(entry.fields).filter(([name]) => !without.includes(name)));
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...entry, fields: { ...fields, ...Object.fromEntries(set) } };
}

/** Paths on a command line start from the working directory, not from that of a file. */
export function withPaths(overrides: ConfigOverrides, directory: string): ConfigOverrides {
  const { certificateAuthority, clientCertificate, clientKey } = overrides;
  const path = (file: string | undefined) => (file === undefined ? undefined : resolve(directory, file));
  return {
    ...overrides,
    certificateAuthority: path(certificateAuthority),
    clientCertificate: path(clientCertificate),
    clientKey: path(clientKey),
  };
}

/**
 * A server that is named has its own name, not that of the one it stands in for. Whom to trust is one decision: an
 * authority that is named ends an exception for all of them, and an exception does away with authorities.
 */
export function overrideCluster(entry: ConfigEntry, overrides: ConfigOverrides): ConfigEntry {
  const { server, certificateAuthority, insecureSkipTlsVerify, tlsServerName, proxyUrl } = overrides;
  const isTrustGiven = insecureSkipTlsVerify === true || certificateAuthority !== undefined;
  const without = [
    ...(server === undefined ? [] : ['tls-server-name']),
    ...(isTrustGiven ? ['certificate-authority', 'certificate-authority-data', 'insecure-skip-tls-verify'] : []),
  ];
  return changed(entry, without, {
    server,
    'certificate-authority': certificateAuthority,
    'insecure-skip-tls-verify': insecureSkipTlsVerify,
    'tls-server-name': tlsServerName,
    'proxy-url': proxyUrl,
  });
}

const TOKENS = ['token', 'tokenFile'];
const PASSWORDS = ['username', 'password'];

/** Credentials that are given take the place of those that answer the same question, and no plugin is asked for them. */
export function overrideUser(entry: ConfigEntry, overrides: ConfigOverrides): ConfigEntry {
  const { token, username, password, clientCertificate, clientKey, as, asUid, asGroups } = overrides;
  const isTokenGiven = token !== undefined;
  const isPasswordGiven = username !== undefined || password !== undefined;
  const without = [
    ...(isTokenGiven ? [...TOKENS, ...PASSWORDS] : []),
    ...(isPasswordGiven ? TOKENS : []),
    ...(clientCertificate === undefined ? [] : ['client-certificate-data']),
    ...(clientKey === undefined ? [] : ['client-key-data']),
    ...(isTokenGiven || isPasswordGiven || clientCertificate !== undefined ? ['exec', 'auth-provider'] : []),
  ];
  return changed(entry, without, {
    token,
    username,
    password,
    'client-certificate': clientCertificate,
    'client-key': clientKey,
    as,
    'as-uid': asUid,
    'as-groups': asGroups === undefined || asGroups.length === 0 ? undefined : asGroups,
  });
}
