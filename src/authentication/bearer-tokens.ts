import { unauthorized } from '../api/errors.ts';
import type { UserInfo } from '../api/user.ts';
import type { HttpRequest } from '../http/message.ts';
import { type Authenticator, bearerToken } from './authenticator.ts';

/** Whose token it is, and for which of the audiences asked about it is good: at least one. */
export interface TokenOwner {
  readonly user: UserInfo;
  readonly audiences: readonly string[];
}

type Answer = TokenOwner | undefined | Promise<TokenOwner | undefined>;

/** One sort of token. */
export interface TokenMethod {
  /** Undefined: a token of another sort, or not valid, or for none of these audiences. Never throws. */
  ownerOf(token: string, audiences: readonly string[]): Answer;
}

/** A sort of token that says nothing of audiences: it is for this server, which answers to `own`. */
export const forServer = (own: readonly string[], find: (token: string) => UserInfo | undefined): TokenMethod => ({
  ownerOf(token, wanted) {
    const audiences = own.filter((audience) => wanted.includes(audience));
    const user = audiences.length === 0 ? undefined : find(token);
    return user && { user, audiences };
  },
});

/** Every sort of token, behind the one header they come in. */
export class BearerTokens implements Authenticator {
  readonly #methods: readonly TokenMethod[];
  readonly #own: readonly string[];

  /** `own`: what this server is called as an audience. */
  constructor(methods: readonly TokenMethod[], own: readonly string[]) {
    this.#methods = methods;
    this.#own = own;
  }

  authenticate(request: HttpRequest): UserInfo | undefined | Promise<UserInfo | undefined> {
    const token = bearerToken(request);
    return token === undefined ? undefined : this.userOf(token);
  }

  /** Whose a token is, for this server; undefined: nobody's. */
  userOf(token: string): UserInfo | undefined | Promise<UserInfo | undefined> {
    const answer = this.#ask(token, this.#own, 0);
    return answer instanceof Promise ? answer.then((owner) => owner?.user) : answer?.user;
  }

  /** Whose a token is, for one of these audiences; for none in particular: for this server. Rejects with 401. */
  async review(token: string, audiences: readonly string[]): Promise<TokenOwner> {
    const owner = await this.#ask(token, audiences.length === 0 ? this.#own : audiences, 0);
    if (!owner) throw unauthorized();
    return owner;
  }

  /** Stays synchronous as long as the methods do. */
  #ask(token: string, audiences: readonly string[], from: number): Answer {
    for (let at = from; at < this.#methods.length; at++) {
      const answer = this.#methods[at]?.ownerOf(token, audiences);
      if (answer instanceof Promise) return answer.then((owner) => owner ?? this.#ask(token, audiences, at + 1));
      if (answer) return answer;
    }
    return undefined;
  }
}
