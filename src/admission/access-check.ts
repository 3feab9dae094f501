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

/** What someone would do to a path that leads to no resource. */
export interface PathAccess {
  readonly verb: string;
  readonly path: string;
}

/** What the authorization modes say to that. */
export interface AccessDecision {
  readonly allowed: boolean;
  /** For people; '' when there is nothing to say. */
  readonly reason: string;
  /** What kept a mode from deciding; undefined when nothing did. */
  readonly error: string | undefined;
}

/** As `AccessCheck`, with the reasons. Answers at once where the modes do. */
export type DecideAccess = (user: UserInfo, access: Access | PathAccess) => AccessDecision | Promise<AccessDecision>;

/** Whether the authorization modes would let a user do something. */
export type AccessCheck = (user: UserInfo, access: Access) => Promise<boolean>;
