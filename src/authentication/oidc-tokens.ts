import { type UserInfo, userNamed } from '../api/user.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { authenticated } from './authenticator.ts';
import type { TokenMethod, TokenOwner } from './bearer-tokens.ts';
import { type Claims, readToken } from './jwt.ts';
import type { OidcProvider } from './oidc-provider.ts';

export interface OidcOptions {
  readonly provider: OidcProvider;
  readonly issuer: string;
  /** Whom every token must be for. */
  readonly clientId: string;
  readonly usernameClaim: string;
  /** '' for none. */
  readonly usernamePrefix: string;
  readonly groupsClaim: string | undefined;
  readonly groupsPrefix: string;
  readonly requiredClaims: ReadonlyMap<string, string>;
  readonly algorithms: readonly string[];
  /** What this server is called as an audience, in reviews of tokens. */
  readonly own: readonly string[];
  readonly runtime: Runtime;
  readonly onError: (error: unknown) => void;
}

/** Clocks of providers and servers differ. */
const CLOCK_SKEW_SECONDS = 300;

/** Names that only the server itself gives out. */
const isReserved = (name: string): boolean => name.startsWith('system:');

/** Id tokens of an OpenID provider. */
export class OidcTokens implements TokenMethod {
  readonly #options: OidcOptions;

  constructor(options: OidcOptions) {
    this.#options = options;
  }

  ownerOf(token: string, wanted: readonly string[]): undefined | Promise<TokenOwner | undefined> {
    const { issuer, algorithms, own } = this.#options;
    const audiences = own.filter((audience) => wanted.includes(audience));
    const unverified = audiences.length > 0 && token.includes('.') ? readToken(token) : undefined;
    if (unverified?.claims.iss !== issuer || !algorithms.includes(unverified.algorithm)) return undefined;
    const { claims } = unverified;
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
    if (!(Array.isArray(aud) ? aud : [aud]).includes(this.#options.clientId)) return false;
    if (typeof exp !== 'number' || typeof nbf !== 'number' || typeof iat !== 'number') return false;
    return now < exp && Math.max(nbf, iat) <= now + CLOCK_SKEW_SECONDS;
  }

  #userIn(claims: Claims): UserInfo | undefined {
    const { usernameClaim, usernamePrefix, requiredClaims } = this.#options;
    for (const [claim, value] of requiredClaims) if (claims[claim] !== value) return undefined;
    const username = claims[usernameClaim];
    if (typeof username !== 'string' || username === '') return undefined;
    // An address that anyone can type in names nobody.
    if (usernameClaim === 'email' && claims.email_verified !== undefined && claims.email_verified !== true)
      return undefined;
    const name = usernamePrefix + username;
    const groups = this.#groupsIn(claims);
    return isReserved(name) || !groups ? undefined : authenticated(userNamed(name, groups));
  }

  /** Undefined when the claim is neither a text nor a list of them. */
  #groupsIn(claims: Claims): string[] | undefined {
    const { groupsClaim, groupsPrefix } = this.#options;
    const value = groupsClaim === undefined ? undefined : claims[groupsClaim];
    if (value === undefined || value === null) return [];
    const listed: unknown[] = Array.isArray(value) ? value : [value];
    const names = listed.filter((one) => typeof one === 'string');
    if (names.length < listed.length) return undefined;
    return names.map((one) => groupsPrefix + one).filter((group) => !isReserved(group));
  }
}
