import { parseServiceAccountUser, type UserInfo } from '../api/user.ts';
import type { PolicyRule } from '../kinds/rbac/policy-rule.ts';

/** Who is let in by a grant. */
export interface GrantHolder {
  readonly kind: 'User' | 'Group' | 'ServiceAccount' | 'Everyone';
  /** '' of everyone. */
  readonly name: string;
  /** Of a service account; '' of the others. */
  readonly namespace: string;
}

/** A stored object by which something is granted. '' is the namespace of those that have none. */
export interface GrantingObject {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** One way in which somebody is allowed something. */
export interface Grant {
  readonly holder: GrantHolder;
  /** Absent where no binding is needed. */
  readonly binding?: GrantingObject;
  readonly role?: GrantingObject;
  /** Those that allow what is wanted, each by itself. */
  readonly rules: readonly PolicyRule[];
  /** What must be so besides; '' for nothing. */
  readonly condition: string;
}

/** Grants, one after the other; undefined where there is none at this step. */
export type GrantSteps = Generator<Grant | undefined, void, undefined>;

export const EVERYONE: GrantHolder = Object.freeze({ kind: 'Everyone', name: '', namespace: '' });

export const groupHolder = (name: string): GrantHolder => ({ kind: 'Group', name, namespace: '' });

/** A service account is one whichever way it is named. */
export function userHolder(name: string): GrantHolder {
  const account = parseServiceAccountUser(name);
  return account ? { kind: 'ServiceAccount', ...account } : { kind: 'User', name, namespace: '' };
}

/** A grant to whoever is in a group, or to everyone, without further conditions. */
export const plainGrant = (holder: GrantHolder): Grant => ({ holder, rules: [], condition: '' });

/** Nobody. */
export function* noGrants(): GrantSteps {}

/** The one grant, for those who are in the group. */
export function* grantToGroup(group: string, user: UserInfo | undefined): GrantSteps {
  if (!user || user.groups.includes(group)) yield plainGrant(groupHolder(group));
}
