import {
  asNode,
  type FieldNode,
  flagField,
  isPresent,
  nodeField,
  nodesField,
  pathTo,
  requiredText,
  textField,
  textsField,
} from './config-fields.ts';

/** PEM text from the configuration itself, or the file to read it from. */
export type PemSource = { readonly pem: string } | { readonly file: string };

export interface Cluster {
  readonly server: string;
  readonly certificateAuthority: PemSource | undefined;
  readonly insecureSkipTlsVerify: boolean;
  readonly tlsServerName: string | undefined;
  readonly proxyUrl: string | undefined;
  /** What others than this client keep with a cluster, by name. */
  readonly extensions: ReadonlyMap<string, unknown>;
}

export interface User {
  readonly clientCertificate: PemSource | undefined;
  readonly clientKey: PemSource | undefined;
  readonly token: string | undefined;
  readonly tokenFile: string | undefined;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly impersonate: Impersonation | undefined;
  readonly plugin: PluginSettings | undefined;
}

/** Whom to act as. */
export interface Impersonation {
  readonly user: string;
  readonly uid: string | undefined;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** A program that gives credentials, as `exec` of a user describes it. */
export interface PluginSettings {
  /** A path where it contains a separator; otherwise the name of a program on the PATH. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  /** Group and version of the objects that go in and out. */
  readonly apiVersion: string;
  /** What to tell whoever does not have the program. */
  readonly installHint: string | undefined;
  readonly provideClusterInfo: boolean;
  readonly interactiveMode: InteractiveMode | undefined;
}

const INTERACTIVE_MODES = ['Never', 'IfAvailable', 'Always'] as const;
export type InteractiveMode = (typeof INTERACTIVE_MODES)[number];

export interface Context {
  readonly cluster: string;
  readonly user: string | undefined;
  readonly namespace: string | undefined;
}

export const readCluster = (node: FieldNode): Cluster => ({
  server: requiredText(node, 'server'),
  certificateAuthority: pemField(node, 'certificate-authority'),
  insecureSkipTlsVerify: flagField(node, 'insecure-skip-tls-verify'),
  tlsServerName: textField(node, 'tls-server-name'),
  proxyUrl: textField(node, 'proxy-url'),
  extensions: new Map(
    nodesField(node, 'extensions').map((each) => [requiredText(each, 'name'), each.fields.extension]),
  ),
});

export const readUser = (node: FieldNode): User => ({
  clientCertificate: pemField(node, 'client-certificate'),
  clientKey: pemField(node, 'client-key'),
  token: textField(node, 'token'),
  tokenFile: textField(node, 'tokenFile'),
  username: textField(node, 'username'),
  password: textField(node, 'password'),
  impersonate: readImpersonation(node),
  plugin: readPlugin(node),
});

export const readContext = (node: FieldNode): Context => ({
  cluster: requiredText(node, 'cluster'),
  user: textField(node, 'user'),
  namespace: textField(node, 'namespace'),
});

function readImpersonation(node: FieldNode): Impersonation | undefined {
  const user = textField(node, 'as');
  const uid = textField(node, 'as-uid');
  const groups = textsField(node, 'as-groups');
  const extra = nodeField(node, 'as-user-extra') ?? asNode({}, pathTo(node, 'as-user-extra'));
  const extraNames = Object.keys(extra.fields);
  if (user !== undefined) {
    return { user, uid, groups, extra: Object.fromEntries(extraNames.map((name) => [name, textsField(extra, name)])) };
  }
  if (uid !== undefined || groups.length > 0 || extraNames.length > 0) {
    throw new Error(`${pathTo(node, 'as')}: missing; uid, groups and extra fields are those of a user to act as`);
  }
  return undefined;
}

function readPlugin(node: FieldNode): PluginSettings | undefined {
  if (isPresent(node.fields['auth-provider'])) {
    throw new Error(`${pathTo(node, 'auth-provider')}: not supported; a credential plugin (exec) takes its place`);
  }
  const exec = nodeField(node, 'exec');
  if (exec === undefined) return undefined;
  return {
    command: requiredText(exec, 'command'),
    args: textsField(exec, 'args'),
    env: nodesField(exec, 'env').map((each) => ({
      name: requiredText(each, 'name'),
      value: textField(each, 'value') ?? '',
    })),
    apiVersion: requiredText(exec, 'apiVersion'),
    installHint: textField(exec, 'installHint'),
    provideClusterInfo: flagField(exec, 'provideClusterInfo'),
    interactiveMode: readInteractiveMode(exec),
  };
}

function readInteractiveMode(exec: FieldNode): InteractiveMode | undefined {
  const given = textField(exec, 'interactiveMode');
  const mode = INTERACTIVE_MODES.find((one) => one === given);
  if (given !== undefined && mode === undefined) {
    throw new Error(`${pathTo(exec, 'interactiveMode')}: expected one of ${INTERACTIVE_MODES.join(', ')}`);
  }
  return mode;
}

/** `name` is a file; `name` + `-data` is base64, and wins. */
function pemField(node: FieldNode, name: string): PemSource | undefined {
  const data = textField(node, `${name}-data`);
  if (data !== undefined) return { pem: decodeBase64(data, pathTo(node, `${name}-data`)) };
  const file = textField(node, name);
  return file === undefined ? undefined : { file };
}

function decodeBase64(data: string, path: string): string {
  if (!/^[A-Za-z0-9+/\s]+(?:={1,2}\s*)?$/.test(data)) throw new Error(`${path}: not base64`);
  return Buffer.from(data, 'base64').toString('utf8');
}
