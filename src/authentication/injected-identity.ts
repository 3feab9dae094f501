import type { UserInfo } from '../api/user.ts';
import type { HttpRequest } from '../http/message.ts';
import type { Authenticator } from './authenticator.ts';
import { groupsOf } from './impersonation.ts';

/** Someone that an embedding program sends requests as. Nobody is asked whether it may: it runs the server. */
export interface Identity {
  readonly user: string;
  /** Besides those that everyone, or every service account, is in. */
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Throws a TypeError when it names nobody: such a request must not count as one of someone else. */
export function userOf({ user, groups = [], uid = '', extra = {} }: Identity): UserInfo {
  if (typeof user !== 'string' || user === '') throw new TypeError('an identity must have a user');
  if (!isTextList(groups)) throw new TypeError('the groups of an identity must be a list of texts');
  return { name: user, uid, groups: groupsOf({ name: user, groups }), extra: new Map(Object.entries(extra)) };
}

const isTextList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'string' && one !== '');

/** Requests of the program around the server are those of whom it says. */
export const injectedIdentities: Authenticator = { authenticate: ({ identity }: HttpRequest) => identity };
