/** Who sends a request, as an authentication method found out or an impersonation header asked for. */
export interface UserInfo {
  readonly name: string;
  /** Tells apart two users that bear the same name at different times; '' when the method knows none. */
  readonly uid: string;
  readonly groups: readonly string[];
  /** What else a method knows. A map, because the keys may come from the client. */
  readonly extra: ReadonlyMap<string, readonly string[]>;
  /** What the record of a request should say about how its user was found out, by key. */
  readonly annotations?: ReadonlyMap<string, string>;
  /** What to tell the user about the credentials that were shown. */
  readonly warnings?: readonly string[];
}

/** The user of a request that shows no credentials. */
export const ANONYMOUS_USER = 'system:anonymous';

/** Members may do everything, whatever the authorization modes say. */
export const MASTERS_GROUP = 'system:masters';
/** Everyone who showed valid credentials. */
export const AUTHENTICATED_GROUP = 'system:authenticated';
export const UNAUTHENTICATED_GROUP = 'system:unauthenticated';
/** Every service account; those of one namespace are also in `system:serviceaccounts:<namespace>`. */
export const SERVICE_ACCOUNTS_GROUP = 'system:serviceaccounts';
export const NODES_GROUP = 'system:nodes';
/** Who may read health and metrics, and nothing else. */
export const MONITORING_GROUP = 'system:monitoring';

/** The user name of a service account. */
export const serviceAccountUser = (namespace: string, name: string): string =>
  `system:serviceaccount:${namespace}:${name}`;

/** The groups that every service account of a namespace is in. */
export const serviceAccountGroups = (namespace: string): readonly string[] => [
  SERVICE_ACCOUNTS_GROUP,
  `${SERVICE_ACCOUNTS_GROUP}:${namespace}`,
];

const SERVICE_ACCOUNT =
  /^system:serviceaccount:([a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?):([a-z0-9](?:[-.a-z0-9]{0,251}[a-z0-9])?)$/;

/** The service account that a user name stands for, if it does: the reverse of `serviceAccountUser`. */
export function parseServiceAccountUser(user: string): { namespace: string; name: string } | undefined {
  const [, namespace, name] = SERVICE_ACCOUNT.exec(user) ?? [];
  return namespace !== undefined && name !== undefined ? { namespace, name } : undefined;
}

const NODE_PREFIX = 'system:node:';

/** The node that a user is: undefined when it is none, '' when it does not say which. Name and group must both say so. */
export function nodeNameOf({ name, groups }: UserInfo): string | undefined {
  return name.startsWith(NODE_PREFIX) && groups.includes(NODES_GROUP) ? name.slice(NODE_PREFIX.length) : undefined;
}

/** As a node is known by its certificate. */
export const nodeUser = (node: string): UserInfo => userNamed(`${NODE_PREFIX}${node}`, [NODES_GROUP]);

const NO_EXTRA: ReadonlyMap<string, readonly string[]> = new Map();

export const userNamed = (name: string, groups: readonly string[], uid = ''): UserInfo => ({
  name,
  uid,
  groups,
  extra: NO_EXTRA,
});

/** The identity under which the server acts on its own objects. */
export const SERVER_USER = userNamed('system:apiserver', [MASTERS_GROUP]);
