import { createHash, hash, timingSafeEqual } from 'node:crypto';
import { serviceAccountGroups, serviceAccountUser, type UserInfo } from '../api/user.ts';
import { BoundedCache, textBytes, valueBytes } from '../bounds/bounded-cache.ts';
import type { Secret } from '../kinds/core/config/secret.ts';
import type { ServiceAccount } from '../kinds/core/config/service-account.ts';
import type { Resource } from '../registry/catalogue.ts';
import type { ObjectReader } from '../registry/objects.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { authenticated } from './authenticator.ts';
import type { TokenMethod, TokenOwner } from './bearer-tokens.ts';
import type { CredentialMeter } from './credential-meter.ts';
import { type Claims, isSigned, readToken } from './jwt.ts';
import {
  type BoundClaims,
  type Named,
  readBoundClaims,
  readSecretClaims,
  type SecretClaims,
} from './service-account-claims.ts';
import type { TokenKey } from './token-keys.ts';

export interface ServiceAccountTokenOptions {
  /** Public keys, any of which may have signed. */
  readonly keys: readonly TokenKey[];
  readonly issuers: readonly string[];
  /** What this server is called as an audience: that of tokens which name none. */
  readonly audiences: readonly string[];
  /** False: tokens kept in secrets are good even when the secret or the account is gone. */
  readonly lookup: boolean;
  readonly objects: ObjectReader;
  readonly meter?: CredentialMeter | undefined;
  readonly runtime: Runtime;
  readonly vocabulary: Vocabulary;
}

const ACCOUNTS = { group: '', plural: 'serviceaccounts' };
const PODS = { group: '', plural: 'pods' };
const SECRETS = { group: '', plural: 'secrets' };

/** Servers that share an authority have clocks of their own. */
const CLOCK_SKEW_SECONDS = 60;
/** How long containers may outlive the time at which their pod should have been gone. */
const LATE_POD_MS = 60_000;
/** For how long a signature that nobody shows need not be verified again. */
const KEEP_IDLE_MS = 300_000;

/** A token with a good signature; what it says still has to hold when it is used. */
interface Verified {
  readonly user: UserInfo;
  /** Kept in a secret, rather than running out by itself. */
  readonly isKept: boolean;
  /** The same with something to tell about this use of the token; undefined where there is nothing. */
  readonly noted?: () => UserInfo | undefined;
  readonly audiences: readonly string[];
  readonly holds: (token: string) => boolean;
}

const UNASKED_TOKEN =
  'Use tokens from the TokenRequest API or manually created secret-based tokens instead of auto-generated secret-based tokens.';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Signed tokens of service accounts. A signature is verified once; whether the token has run out, and whether the
 * account and what else it is bound to are still there, is looked at with every use.
 */
export class ServiceAccountTokens implements TokenMethod {
  readonly #options: ServiceAccountTokenOptions;
  /** Tokens whose signature is known to be good, by their digest. */
  readonly #verified = new BoundedCache<string, Verified>({
    name: 'service-account-tokens',
    capacity: 8 << 20,
    keepIdleMs: KEEP_IDLE_MS,
    // What it says is in the user, and once more in what the check holds.
    sizeOf: (key, { user, audiences }) => textBytes(key) + 2 * valueBytes(user) + valueBytes(audiences),
  });

  constructor(options: ServiceAccountTokenOptions) {
    this.#options = options;
  }

  ownerOf(token: string, wanted: readonly string[]): TokenOwner | undefined {
    const verified = this.#verify(token);
    if (!verified) return undefined;
    const audiences = verified.audiences.filter((audience) => wanted.includes(audience));
    if (audiences.length === 0) return undefined;
    if (!verified.holds(token)) return undefined;
    const noted = verified.noted?.();
    this.#options.meter?.accountTokenUsed(verified.isKept ? 'legacy' : noted ? 'stale' : 'valid');
    return { user: noted ?? verified.user, audiences };
  }

  #verify(token: string): Verified | undefined {
    // Most tokens of other sorts have no dots.
    if (!token.includes('.')) return undefined;
    const { meter, runtime } = this.#options;
    const began = runtime.monotonic();
    const key = hash('sha256', token, 'base64');
    const known = this.#verified.get(key);
    if (known) {
      meter?.tokenKnown(began);
      return known;
    }
    const verified = this.#read(token);
    meter?.tokenVerified(began, verified !== undefined);
    if (verified) this.#verified.set(key, verified);
    return verified;
  }

  #read(token: string): Verified | undefined {
    const { keys, issuers, vocabulary } = this.#options;
    const unverified = readToken(token);
    if (!unverified) return undefined;
    const { claims, keyId } = unverified;
    const isLegacy = claims.iss === vocabulary.tokenIssuers.legacy;
    if (!isLegacy && !issuers.some((issuer) => issuer === claims.iss)) return undefined;
    // Other signers name their keys in other ways.
    const named = keys.filter(({ id }) => id === keyId);
    if (!(named.length > 0 ? named : keys).some(({ key }) => isSigned(unverified, key))) return undefined;
    const audiences = this.#audiencesIn(claims);
    if (!audiences) return undefined;
    if (isLegacy) {
      const kept = readSecretClaims(claims, vocabulary);
      return kept && this.#keptToken(kept, audiences);
    }
    const bound = readBoundClaims(claims, vocabulary);
    if (!bound) return undefined;
    const user = this.#userOf(bound, bound.pod);
    const noted = (): UserInfo | undefined => this.#staleUser(bound, user);
    return { user, isKept: false, noted, audiences, holds: () => this.#isBound(bound) };
  }

  #keptToken(kept: SecretClaims, audiences: readonly string[]): Verified {
    const user = this.#keptUser(kept);
    const unasked = { ...user, warnings: [UNASKED_TOKEN] };
    const noted = (): UserInfo | undefined => (this.#isUnasked(kept) ? unasked : undefined);
    return { user, isKept: true, noted, audiences, holds: (text) => this.#isKept(kept, text) };
  }

  /** Whoever should have read a newer token by now is found in the audit log. */
  #staleUser({ warnAfter }: BoundClaims, user: UserInfo): UserInfo | undefined {
    if (warnAfter === undefined) return undefined;
    const late = Math.floor(this.#options.runtime.now() / 1000) - warnAfter;
    if (late <= 0) return undefined;
    const { staleToken } = this.#options.vocabulary.auditAnnotations;
    const note = `subject: ${user.name}, seconds after warning threshold: ${late}`;
    return { ...user, annotations: new Map([[staleToken, note]]) };
  }

  /** Accounts list the secrets that were once made for each of them; those that someone made by hand they do not. */
  #isUnasked({ namespace, secretName, serviceAccount }: SecretClaims): boolean {
    const { lookup, objects } = this.#options;
    const account = lookup && objects.get<ServiceAccount>(ACCOUNTS, namespace, serviceAccount.name);
    return account ? (account.secrets?.some(({ name }) => name === secretName) ?? false) : false;
  }

  /** Undefined when the claim is neither a text nor a list of them. */
  #audiencesIn({ aud = [] }: Claims): readonly string[] | undefined {
    const named: unknown[] = Array.isArray(aud) ? aud : [aud];
    const texts = named.filter((one) => typeof one === 'string');
    if (texts.length < named.length) return undefined;
    return texts.length === 0 ? this.#options.audiences : texts;
  }

  #isBound({ namespace, serviceAccount, pod, secret, expires, notBefore }: BoundClaims): boolean {
    const now = this.#options.runtime.now() / 1000;
    if (!(now < expires && notBefore <= now + CLOCK_SKEW_SECONDS)) return false;
    return (
      this.#isThere(ACCOUNTS, namespace, serviceAccount) &&
      (!pod || this.#isThere(PODS, namespace, pod, LATE_POD_MS)) &&
      (!secret || this.#isThere(SECRETS, namespace, secret))
    );
  }

  /** An object that is to be gone counts until that time, and as much longer. */
  #isThere(resource: Resource, namespace: string, { name, uid }: Named, lateMs = 0): boolean {
    const { objects, runtime } = this.#options;
    const found = objects.get(resource, namespace, name)?.metadata;
    if (found === undefined || (found.uid ?? '') !== uid) return false;
    return !found.deletionTimestamp || runtime.now() < Date.parse(found.deletionTimestamp) + lateMs;
  }

  /** The secret must hold this very token: another one in its place revokes it. */
  #isKept({ namespace, secretName, serviceAccount }: SecretClaims, token: string): boolean {
    const { lookup, objects, vocabulary } = this.#options;
    if (!lookup) return true;
    const secret = objects.get<Secret>(SECRETS, namespace, secretName);
    if (!secret || secret.metadata.deletionTimestamp || secret.type !== vocabulary.secretTypes.serviceAccountToken) {
      return false;
    }
    const kept = Buffer.from(secret.data?.token ?? '', 'base64').toString();
    return timingSafeEqual(digest(kept), digest(token)) && this.#isThere(ACCOUNTS, namespace, serviceAccount);
  }

  /** Such tokens never run out by themselves: who still uses one should be known. */
  #keptUser(claims: SecretClaims): UserInfo {
    const user = this.#userOf(claims);
    return { ...user, annotations: new Map([[this.#options.vocabulary.auditAnnotations.legacyToken, user.name]]) };
  }

  #userOf({ namespace, serviceAccount }: BoundClaims | SecretClaims, pod?: Named): UserInfo {
    const { userExtraKeys } = this.#options.vocabulary;
    return authenticated({
      name: serviceAccountUser(namespace, serviceAccount.name),
      uid: serviceAccount.uid,
      groups: serviceAccountGroups(namespace),
      extra: new Map(
        pod
          ? [
              [userExtraKeys.podName, [pod.name]],
              [userExtraKeys.podUid, [pod.uid]],
            ]
          : [],
      ),
    });
  }
}
