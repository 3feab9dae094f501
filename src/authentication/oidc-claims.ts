import { type UserInfo, userNamed } from '../api/user.ts';
import type { Claims } from './jwt.ts';

/** Finds the user that a token stands for, by what it claims. Undefined, or throws `ClaimsRefused`: it stands for nobody here. */
export type UserIn = (claims: Claims) => UserInfo | undefined;

/** Why a token that is good as such names nobody. */
export class ClaimsRefused extends Error {
  override readonly name = 'ClaimsRefused';
}

/** How flags say which claims name a user. */
export interface ClaimOptions {
  readonly usernameClaim: string;
  /** '' for none. */
  readonly usernamePrefix: string;
  readonly groupsClaim: string | undefined;
  readonly groupsPrefix: string;
  readonly requiredClaims: ReadonlyMap<string, string>;
}

/** Names that only the server itself gives out. */
export const isReserved = (name: string): boolean => name.startsWith('system:');

/** An address that anyone can type in names nobody. */
export const isUnverified = (claim: string, { email_verified: isVerified }: Claims): boolean =>
  claim === 'email' && isVerified !== undefined && isVerified !== true;

export function userByClaims(options: ClaimOptions): UserIn {
  const { usernameClaim, usernamePrefix, groupsClaim, groupsPrefix, requiredClaims } = options;
  return (claims) => {
    for (const [claim, value] of requiredClaims) if (claims[claim] !== value) return undefined;
    const username = claims[usernameClaim];
    if (typeof username !== 'string' || username === '' || isUnverified(usernameClaim, claims)) return undefined;
    const groups = groupsClaim === undefined ? [] : namesIn(claims[groupsClaim]);
    return (
      groups &&
      userNamed(
        usernamePrefix + username,
        groups.map((group) => groupsPrefix + group),
      )
    );
  };
}

/** The texts that a claim holds, one or several; none where it is absent. Undefined when it is neither. */
export function namesIn(value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return [];
  const listed: unknown[] = Array.isArray(value) ? value : [value];
  const names = listed.filter((one) => typeof one === 'string');
  return names.length < listed.length ? undefined : names;
}
