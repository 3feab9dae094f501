import type { UserInfo } from '../api/user.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { authenticated } from './authenticator.ts';
import type { TokenMethod, TokenOwner } from './bearer-tokens.ts';
import { type Claims, readToken, type UnverifiedToken } from './jwt.ts';
import { ClaimsRefused, isReserved, type UserIn } from './oidc-claims.ts';
import type { OidcProvider } from './oidc-provider.ts';

export interface OidcOptions {
  readonly provider: OidcProvider;
  readonly issuer: string;
  /** Every token must be for one of these. */
  readonly clientIds: readonly string[];
  readonly userIn: UserIn;
  readonly algorithms: readonly string[];
  /** What this server is called as an audience, in reviews of tokens. */
  readonly own: readonly string[];
  readonly runtime: Runtime;
  readonly onError: (error: unknown) => void;
  /** Told why a token that the provider signed is not accepted. */
  readonly onRefused?: (reason: string) => void;
}

/** Clocks of providers and servers differ. */
const CLOCK_SKEW_SECONDS = 300;

/** Id tokens of an OpenID provider. */
export class OidcTokens implements TokenMethod {
  readonly #options: OidcOptions;

  constructor(options: OidcOptions) {
    this.#options = options;
  }

  ownerOf(token: string, wanted: readonly string[]): undefined | Promise<TokenOwner | undefined> {
    const unverified = token.includes('.') ? readToken(token) : undefined;
    return unverified && this.ownerOfRead(unverified, wanted);
  }

  /** The same, of a token that was taken apart already. */
  ownerOfRead(unverified: UnverifiedToken, wanted: readonly string[]): undefined | Promise<TokenOwner | undefined> {
    const { issuer, algorithms, own } = this.#options;
    const audiences = own.filter((audience) => wanted.includes(audience));
    const { claims, algorithm } = unverified;
    if (audiences.length === 0 || claims.iss !== issuer || !algorithms.includes(algorithm)) return undefined;
    return this.#options.provider.hasSigned(unverified).then(
      (signed) => {
        const user = signed && this.#isCurrent(claims) ? this.#userIn(claims) : undefined;
        return user && { user, audiences };
      },
      (error) => {
        this.#options.onError(error);
        return undefined;
      },
    );
  }

  #isCurrent({ aud, exp, nbf = 0, iat = 0 }: Claims): boolean {
    const now = this.#options.runtime.now() / 1000;
    const isForUs = (Array.isArray(aud) ? aud : [aud]).some((one) => this.#options.clientIds.includes(one));
    if (!isForUs) return false;
    if (typeof exp !== 'number' || typeof nbf !== 'number' || typeof iat !== 'number') return false;
    return now < exp && Math.max(nbf, iat) <= now + CLOCK_SKEW_SECONDS;
  }

  #userIn(claims: Claims): UserInfo | undefined {
    const user = this.#namedBy(claims);
    if (!user || isReserved(user.name)) return undefined;
    return authenticated({ ...user, groups: user.groups.filter((group) => !isReserved(group)) });
  }

  #namedBy(claims: Claims): UserInfo | undefined {
    try {
      return this.#options.userIn(claims);
    } catch (error) {
      if (!(error instanceof ClaimsRefused)) throw error;
      this.#options.onRefused?.(error.message);
      return undefined;
    }
  }
}
