import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import {
  type ClientConfig,
  type Cluster,
  decodeClientConfig,
  type Impersonation,
  type PemSource,
  type User,
} from './config-file.ts';

/** What a client presents about itself. Certificates and keys are PEM. */
export interface Credentials {
  readonly clientCertificate?: string | undefined;
  readonly clientKey?: string | undefined;
  readonly token?: string | undefined;
  /** Where `token` was read from. Such files are replaced in place: who lives long reads them again. */
  readonly tokenFile?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly impersonate?: Impersonation | undefined;
}

/** A server and how to reach it, with every file read. */
export interface Connection extends Credentials {
  readonly server: string;
  /** PEM bundle; without it the system's authorities are trusted. */
  readonly ca?: string | undefined;
  readonly insecureSkipTlsVerify: boolean;
  readonly tlsServerName?: string | undefined;
  readonly proxyUrl?: string | undefined;
  /** Where the context works unless told otherwise. */
  readonly namespace?: string | undefined;
}

/** Reads a client configuration file; see `parseClientConfig`. Errors start with the path. */
export async function loadClientConfig(path: string, context?: string): Promise<Connection> {
  const text = await readText(path, path);
  try {
    return await parseClientConfig(text, dirname(path), context);
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : error}`);
  }
}

/**
 * Resolves the current context, or the named one, of a configuration text. Relative paths in it start from `directory`.
 * Throws one line that says what is missing or wrong, and where.
 */
export async function parseClientConfig(text: string, directory: string, context?: string): Promise<Connection> {
  const config = await decodeClientConfig(text);
  const { cluster, user, namespace } = chosenContext(config, context ?? config.currentContext);
  return {
    ...(await reachCluster(cluster, directory)),
    ...(user === undefined ? {} : await readCredentials(user, directory)),
    namespace,
  };
}

interface ChosenContext {
  readonly cluster: Cluster;
  readonly user: User | undefined;
  readonly namespace: string | undefined;
}

function chosenContext(config: ClientConfig, name: string | undefined): ChosenContext {
  if (name === undefined) throw new Error('current-context: missing');
  const context = entryNamed(config.contexts, 'context', name);
  return {
    cluster: entryNamed(config.clusters, 'cluster', context.cluster),
    user: context.user === undefined ? undefined : entryNamed(config.users, 'user', context.user),
    namespace: context.namespace,
  };
}

function entryNamed<T>(entries: ReadonlyMap<string, T>, what: string, name: string): T {
  const entry = entries.get(name);
  if (entry !== undefined) return entry;
  const known = entries.size === 0 ? 'there are none' : `there are ${[...entries.keys()].join(', ')}`;
  throw new Error(`no ${what} is named "${name}" (${known})`);
}

async function reachCluster(cluster: Cluster, directory: string): Promise<Connection> {
  const { server, insecureSkipTlsVerify, tlsServerName, proxyUrl } = cluster;
  if (!/^https?:\/\//.test(server) || !URL.canParse(server)) {
    throw new Error(`server: "${server}" is not an http or https URL`);
  }
  const ca = await readPem(cluster.certificateAuthority, directory, 'certificate-authority');
  return { server, ca, insecureSkipTlsVerify, tlsServerName, proxyUrl };
}

/** The credentials of one user entry, with files read. For configurations that list users without contexts. */
export async function readCredentials(user: User, directory: string): Promise<Credentials> {
  if (user.plugin !== undefined) throw new Error(`${user.plugin}: credential plugins are not supported`);
  const clientCertificate = await readPem(user.clientCertificate, directory, 'client-certificate');
  const clientKey = await readPem(user.clientKey, directory, 'client-key');
  if ((clientCertificate === undefined) !== (clientKey === undefined)) {
    throw new Error('client-certificate and client-key: one is given without the other');
  }
  return {
    ...(await readToken(user, directory)),
    clientCertificate,
    clientKey,
    username: user.username,
    password: user.password,
    impersonate: user.impersonate,
  };
}

async function readToken(user: User, directory: string): Promise<Pick<Credentials, 'token' | 'tokenFile'>> {
  if (user.token !== undefined || user.tokenFile === undefined) return { token: user.token };
  const tokenFile = resolve(directory, user.tokenFile);
  return { token: (await readText(tokenFile, `tokenFile ${tokenFile}`)).trim(), tokenFile };
}

async function readPem(source: PemSource | undefined, directory: string, field: string): Promise<string | undefined> {
  if (source === undefined) return undefined;
  if ('pem' in source) return source.pem;
  const path = resolve(directory, source.file);
  return await readText(path, `${field} ${path}`);
}

async function readText(path: string, what: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new Error(`${what}: cannot be read (${error instanceof Error && 'code' in error ? error.code : error})`);
  }
}

/** What an administrator needs to reach a server; everything but the names is PEM. */
export interface AdminAccess {
  readonly server: string;
  readonly caPem: string;
  readonly certPem: string;
  readonly keyPem: string;
  readonly clusterName: string;
  readonly userName: string;
}

/**
 * A client configuration file with one context. It holds a private key: write it for the owner's eyes only.
 * Every text is a JSON string, which is YAML too, so nothing needs a YAML library to be quoted.
 */
export function renderAdminConfig({ server, caPem, certPem, keyPem, clusterName, userName }: AdminAccess): string {
  const cluster = JSON.stringify(clusterName);
  const user = JSON.stringify(userName);
  return `apiVersion: v1
kind: Config
clusters:
- name: ${cluster}
  cluster:
    server: ${JSON.stringify(server)}
    certificate-authority-data: ${base64(caPem)}
users:
- name: ${user}
  user:
    client-certificate-data: ${base64(certPem)}
    client-key-data: ${base64(keyPem)}
contexts:
- name: ${cluster}
  context:
    cluster: ${cluster}
    user: ${user}
current-context: ${cluster}
`;
}

/** In quotes: `76e0` would be a number. */
const base64 = (text: string): string => JSON.stringify(Buffer.from(text).toString('base64'));
