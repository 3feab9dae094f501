import { unauthorized } from '../api/errors.ts';
import { ANONYMOUS_USER, AUTHENTICATED_GROUP, UNAUTHENTICATED_GROUP, type UserInfo, userNamed } from '../api/user.ts';
import type { HttpRequest } from '../http/message.ts';

/**
 * One way to tell who sends a request. Undefined: the request shows no credential of this kind, or one that another
 * method may know. Throws 401 for a credential of its own kind that is not valid.
 */
export interface Authenticator {
  authenticate(request: HttpRequest): UserInfo | undefined | Promise<UserInfo | undefined>;
}

const ANONYMOUS = userNamed(ANONYMOUS_USER, [UNAUTHENTICATED_GROUP]);

/** The user with the group that everyone with valid credentials is in. */
export const authenticated = (user: UserInfo): UserInfo =>
  user.groups.includes(AUTHENTICATED_GROUP) ? user : { ...user, groups: [...user.groups, AUTHENTICATED_GROUP] };

/** The text after `Bearer `, if the request carries any. */
export function bearerToken({ headers }: HttpRequest): string | undefined {
  const { authorization } = headers;
  if (typeof authorization !== 'string' || !/^bearer /i.test(authorization)) return undefined;
  return authorization.slice(7).trim() || undefined;
}

/**
 * All methods put together: the first that knows the user decides. Without one, a credential that a method found not
 * valid, or a token that none knows, is refused.
 */
export class AuthenticationChain {
  readonly #methods: readonly Authenticator[];
  readonly #letsIn: (request: HttpRequest) => boolean;

  /** `letsIn`: whether a request without credentials is let in. */
  constructor(methods: readonly Authenticator[], letsIn: (request: HttpRequest) => boolean) {
    this.#methods = methods;
    this.#letsIn = letsIn;
  }

  async authenticate(request: HttpRequest): Promise<UserInfo> {
    let refusal: unknown;
    for (const method of this.#methods) {
      try {
        const found = method.authenticate(request);
        const user = found instanceof Promise ? await found : found;
        if (user) return user;
      } catch (error) {
        refusal ??= error;
      }
    }
    if (refusal) throw refusal;
    if (bearerToken(request) !== undefined || !this.#letsIn(request)) throw unauthorized();
    return ANONYMOUS;
  }
}
