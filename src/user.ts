/** Who makes a request. Values are opaque to everything but authentication and authorization. */
export interface UserInfo {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** Holders may do everything; no authorizer is asked. */
export const MASTERS = 'system:masters';

/** The identity under which the server acts on its own objects. */
export const SERVER_USER: UserInfo = { name: 'system:apiserver', uid: '', groups: [MASTERS], extra: {} };
