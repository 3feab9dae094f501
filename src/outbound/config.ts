import { readFile } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import {
  type Cluster,
  type Impersonation,
  type PemSource,
  type PluginSettings,
  readCluster,
  readContext,
  readUser,
  type User,
} from './config-entries.ts';
import { type ClientConfig, type ConfigEntry, decodeClientConfig, type EntryList } from './config-file.ts';

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
  /** Gives the token or the certificate, or both; its command is a name or an absolute path. */
  readonly plugin?: PluginSettings | undefined;
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
  /** What others than this client keep with the cluster, by name. */
  readonly extensions?: ReadonlyMap<string, unknown> | undefined;
  /** How long a request may take where nothing else says so. */
  readonly requestTimeoutMs?: number | undefined;
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
 * Throws one line that says what is missing or wrong, and where. Credential plugins are refused: a server runs no
 * programs.
 */
export async function parseClientConfig(text: string, directory: string, context?: string): Promise<Connection> {
  const config = await decodeClientConfig(text, directory);
  const connection = await resolveConnection(chooseEntries(config, context ?? config.currentContext));
  refusePlugin(connection);
  return connection;
}

/** What a context consists of. */
export interface ChosenEntries {
  readonly cluster: ConfigEntry;
  readonly user: ConfigEntry | undefined;
  readonly namespace: string | undefined;
}

function chooseEntries(config: ClientConfig, name: string | undefined): ChosenEntries {
  if (name === undefined) throw new Error('current-context: missing');
  const { cluster, user, namespace } = readContext(entryNamed(config, 'contexts', name));
  return {
    cluster: entryNamed(config, 'clusters', cluster),
    user: user === undefined ? undefined : entryNamed(config, 'users', user),
    namespace,
  };
}

const SINGULAR: Readonly<Record<EntryList, string>> = { clusters: 'cluster', users: 'user', contexts: 'context' };

/** Throws a line with the names that there are. */
export function entryNamed(config: ClientConfig, list: EntryList, name: string): ConfigEntry {
  const entries = config[list];
  const entry = entries.get(name);
  if (entry !== undefined) return entry;
  const known = entries.size === 0 ? 'there are none' : `there are ${[...entries.keys()].join(', ')}`;
  throw new Error(`${SINGULAR[list]} "${name}" does not exist (${known})`);
}

/** Reads the files that the entries of a context point to. */
export async function resolveConnection({ cluster, user, namespace }: ChosenEntries): Promise<Connection> {
  return {
    ...(await reachCluster(readCluster(cluster), cluster.directory)),
    ...(user === undefined ? {} : await readCredentials(user)),
    namespace,
  };
}

async function reachCluster(cluster: Cluster, directory: string): Promise<Connection> {
  const { server, insecureSkipTlsVerify, tlsServerName, proxyUrl, extensions } = cluster;
  if (!/^https?:\/\//.test(server) || !URL.canParse(server)) {
    throw new Error(`server: "${server}" is not an http or https URL`);
  }
  const ca = await readPem(cluster.certificateAuthority, directory, 'certificate-authority');
  const others = extensions.size === 0 ? undefined : extensions;
  return { server, ca, insecureSkipTlsVerify, tlsServerName, proxyUrl, extensions: others };
}

/** The credentials of one user entry, with files read. For configurations that list users without contexts. */
export async function readCredentials(entry: ConfigEntry): Promise<Credentials> {
  const { directory } = entry;
  const user = readUser(entry);
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
    plugin: user.plugin && { ...user.plugin, command: locateCommand(user.plugin.command, directory) },
  };
}

/** For processes that run no programs of others. */
export function refusePlugin({ plugin }: Credentials): void {
  if (plugin !== undefined) throw new Error('exec: credential plugins are not supported');
}

/** A bare name is looked for on the PATH; a path is relative to the file that it stands in. */
const locateCommand = (command: string, directory: string): string =>
  command.includes(sep) || command.includes('/') ? resolve(directory, command) : command;

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
