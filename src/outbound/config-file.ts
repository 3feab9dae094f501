/** PEM text from the configuration itself, or the file to read it from. */
export type PemSource = { readonly pem: string } | { readonly file: string };

export interface Cluster {
  readonly server: string;
  readonly certificateAuthority: PemSource | undefined;
  readonly insecureSkipTlsVerify: boolean;
  readonly tlsServerName: string | undefined;
  readonly proxyUrl: string | undefined;
}

export interface User {
  readonly clientCertificate: PemSource | undefined;
  readonly clientKey: PemSource | undefined;
  readonly token: string | undefined;
  readonly tokenFile: string | undefined;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly impersonate: Impersonation | undefined;
  /** The field that asks for a credential program, which this client does not run. */
  readonly plugin: 'exec' | 'auth-provider' | undefined;
}

/** Whom to act as. */
export interface Impersonation {
  readonly user: string;
  readonly uid: string | undefined;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

export interface Context {
  readonly cluster: string;
  readonly user: string | undefined;
  readonly namespace: string | undefined;
}

/** A client configuration file, decoded; nothing it points to is read yet. Of entries with one name the first counts. */
export interface ClientConfig {
  readonly clusters: ReadonlyMap<string, Cluster>;
  readonly users: ReadonlyMap<string, User>;
  readonly contexts: ReadonlyMap<string, Context>;
  readonly currentContext: string | undefined;
}

/** A mapping of the file and where it stands, for messages. */
interface Node {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly path: string;
}

/** Decodes YAML or JSON text. Unknown fields are passed over; one of the wrong type throws a line with its path. */
export async function decodeClientConfig(text: string): Promise<ClientConfig> {
  const root = asNode(await parseText(text), '');
  expectWord(root, 'apiVersion', 'v1');
  expectWord(root, 'kind', 'Config');
  return {
    clusters: namedEntries(root, 'clusters', 'cluster', readCluster),
    users: namedEntries(root, 'users', 'user', readUser),
    contexts: namedEntries(root, 'contexts', 'context', readContext),
    currentContext: textField(root, 'current-context'),
  };
}

async function parseText(text: string): Promise<unknown> {
  if (text.trimStart().startsWith('{')) {
    try {
      return JSON.parse(text);
    } catch {
      // YAML may start with a brace too.
    }
  }
  const { parse, YAMLParseError } = await import('yaml');
  try {
    return parse(text);
  } catch (error) {
    // The parser's own message quotes the text, which holds secrets.
    const line = error instanceof YAMLParseError ? error.linePos?.[0].line : undefined;
    throw new Error(`neither YAML nor JSON${line === undefined ? '' : `: line ${line} cannot be parsed`}`);
  }
}

const readCluster = (node: Node): Cluster => ({
  server: requiredText(node, 'server'),
  certificateAuthority: pemField(node, 'certificate-authority'),
  insecureSkipTlsVerify: flagField(node, 'insecure-skip-tls-verify'),
  tlsServerName: textField(node, 'tls-server-name'),
  proxyUrl: textField(node, 'proxy-url'),
});

const readUser = (node: Node): User => ({
  clientCertificate: pemField(node, 'client-certificate'),
  clientKey: pemField(node, 'client-key'),
  token: textField(node, 'token'),
  tokenFile: textField(node, 'tokenFile'),
  username: textField(node, 'username'),
  password: textField(node, 'password'),
  impersonate: readImpersonation(node),
  plugin: (['exec', 'auth-provider'] as const).find((name) => isPresent(node.fields[name])),
});

const readContext = (node: Node): Context => ({
  cluster: requiredText(node, 'cluster'),
  user: textField(node, 'user'),
  namespace: textField(node, 'namespace'),
});

function readImpersonation(node: Node): Impersonation | undefined {
  const user = textField(node, 'as');
  if (user === undefined) return undefined;
  const extra = asNode(node.fields['as-user-extra'] ?? {}, pathTo(node, 'as-user-extra'));
  return {
    user,
    uid: textField(node, 'as-uid'),
    groups: textsField(node, 'as-groups'),
    extra: Object.fromEntries(Object.keys(extra.fields).map((key) => [key, textsField(extra, key)])),
  };
}

/** Lists such as `clusters`: each item has a name and, under `field`, what it names. */
function namedEntries<T>(root: Node, list: string, field: string, read: (node: Node) => T): Map<string, T> {
  const entries = new Map<string, T>();
  for (const [index, item] of listField(root, list).entries()) {
    const entry = asNode(item, `${list}[${index}]`);
    const name = requiredText(entry, 'name');
    const value = read(asNode(entry.fields[field] ?? {}, pathTo(entry, field)));
    if (!entries.has(name)) entries.set(name, value);
  }
  return entries;
}

/** `name` is a file; `name` + `-data` is base64, and wins. */
function pemField(node: Node, name: string): PemSource | undefined {
  const data = textField(node, `${name}-data`);
  if (data !== undefined) return { pem: decodeBase64(data, pathTo(node, `${name}-data`)) };
  const file = textField(node, name);
  return file === undefined ? undefined : { file };
}

function decodeBase64(data: string, path: string): string {
  if (!/^[A-Za-z0-9+/\s]+(?:={1,2}\s*)?$/.test(data)) throw new Error(`${path}: not base64`);
  return Buffer.from(data, 'base64').toString('utf8');
}

const isPresent = (value: unknown): boolean => value !== undefined && value !== null;

const pathTo = (node: Node, name: string): string => (node.path === '' ? name : `${node.path}.${name}`);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function asNode(value: unknown, path: string): Node {
  if (!isRecord(value)) throw new Error(`${path || 'client configuration'}: expected a mapping`);
  return { fields: value, path };
}

/** An empty text counts as none, as configuration tools write it for fields that were cleared. */
function textField(node: Node, name: string): string | undefined {
  const value = node.fields[name];
  if (!isPresent(value) || value === '') return undefined;
  if (typeof value !== 'string') throw new Error(`${pathTo(node, name)}: expected a string`);
  return value;
}

function requiredText(node: Node, name: string): string {
  const value = textField(node, name);
  if (value === undefined) throw new Error(`${pathTo(node, name)}: missing`);
  return value;
}

function flagField(node: Node, name: string): boolean {
  const value = node.fields[name] ?? false;
  if (typeof value !== 'boolean') throw new Error(`${pathTo(node, name)}: expected true or false`);
  return value;
}

function listField(node: Node, name: string): readonly unknown[] {
  const value = node.fields[name] ?? [];
  if (!Array.isArray(value)) throw new Error(`${pathTo(node, name)}: expected a list`);
  return value;
}

function textsField(node: Node, name: string): readonly string[] {
  return listField(node, name).map((item) => {
    if (typeof item !== 'string') throw new Error(`${pathTo(node, name)}: expected a list of strings`);
    return item;
  });
}

function expectWord(node: Node, name: string, word: string): void {
  const value = textField(node, name);
  if (value !== undefined && value !== word) throw new Error(`${name}: expected ${word}, found ${value}`);
}
