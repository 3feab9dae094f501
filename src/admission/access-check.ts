import type { UserInfo } from '../api/user.ts';

/** What someone would do to a resource. */
export interface Access {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  /** '' or absent: cluster-wide. */
  readonly namespace?: string;
  /** '' or absent: no object in particular. */
  readonly name?: string;
}

/** Whether the authorization modes would let a user do something. */
export type AccessCheck = (user: UserInfo, access: Access) => Promise<boolean>;
