import { serviceAccountUser } from '../api/user.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { Claims } from './jwt.ts';

/** Something that is there once under its name. */
export interface Named {
  readonly name: string;
  readonly uid: string;
}

interface AccountClaims {
  readonly namespace: string;
  readonly serviceAccount: Named;
}

/** What a token from a token request says: good for a while, and while everything it names is there. */
export interface BoundClaims extends AccountClaims {
  readonly pod: Named | undefined;
  readonly secret: Named | undefined;
  /** Seconds since the epoch. */
  readonly expires: number;
  readonly notBefore: number;
  /** From when on its use is noted, where that is before it expires. */
  readonly warnAfter: number | undefined;
}

/** What a token kept in a secret says: good while the secret holds it. */
export interface SecretClaims extends AccountClaims {
  readonly secretName: string;
}

export interface BoundTokenSpec extends AccountClaims {
  readonly boundTo?: Named & { readonly kind: 'Pod' | 'Secret' };
  readonly audiences: readonly string[];
  readonly issuer: string;
  /** Seconds since the epoch. */
  readonly issued: number;
  readonly expires: number;
  /** Counted from `issued`: used after that, the token is out of date. */
  readonly warnAfterSeconds?: number;
}

const plain = ({ name, uid }: Named): Named => ({ name, uid });

export function boundClaims(spec: BoundTokenSpec, { tokenClaims }: Vocabulary): Claims {
  const { namespace, serviceAccount, boundTo, audiences, issuer, issued, expires, warnAfterSeconds } = spec;
  return {
    aud: audiences,
    exp: expires,
    iat: issued,
    iss: issuer,
    [tokenClaims.bound]: {
      namespace,
      ...(boundTo ? { [boundTo.kind.toLowerCase()]: plain(boundTo) } : {}),
      serviceaccount: plain(serviceAccount),
      ...(warnAfterSeconds === undefined ? {} : { warnafter: issued + warnAfterSeconds }),
    },
    nbf: issued,
    sub: serviceAccountUser(namespace, serviceAccount.name),
  };
}

export function secretClaims({ namespace, serviceAccount, secretName }: SecretClaims, vocabulary: Vocabulary): Claims {
  const { tokenClaims, tokenIssuers } = vocabulary;
  return {
    iss: tokenIssuers.legacy,
    [tokenClaims.legacyNamespace]: namespace,
    [tokenClaims.legacySecretName]: secretName,
    [tokenClaims.legacyServiceAccountName]: serviceAccount.name,
    [tokenClaims.legacyServiceAccountUid]: serviceAccount.uid,
    sub: serviceAccountUser(namespace, serviceAccount.name),
  };
}

/** Undefined when something is missing or of another type, or when the subject is not the account. */
export function readBoundClaims(claims: Claims, { tokenClaims }: Vocabulary): BoundClaims | undefined {
  const own = objectIn(claims[tokenClaims.bound]);
  const serviceAccount = namedIn(own?.serviceaccount);
  const namespace = own?.namespace;
  const { exp, nbf = 0, iat = 0, sub } = claims;
  if (!own || !serviceAccount || typeof namespace !== 'string' || namespace === '') return undefined;
  if (typeof exp !== 'number' || typeof nbf !== 'number' || typeof iat !== 'number') return undefined;
  if (sub !== serviceAccountUser(namespace, serviceAccount.name)) return undefined;
  const pod = namedIn(own.pod);
  const secret = namedIn(own.secret);
  // A binding that cannot be read is still a binding.
  if ((own.pod && !pod) || (own.secret && !secret)) return undefined;
  const warnAfter = typeof own.warnafter === 'number' ? own.warnafter : undefined;
  return { namespace, serviceAccount, pod, secret, expires: exp, notBefore: Math.max(nbf, iat), warnAfter };
}

/** As `readBoundClaims`, for tokens kept in secrets. */
export function readSecretClaims(claims: Claims, { tokenClaims }: Vocabulary): SecretClaims | undefined {
  const namespace = claims[tokenClaims.legacyNamespace];
  const secretName = claims[tokenClaims.legacySecretName];
  const serviceAccount = namedIn({
    name: claims[tokenClaims.legacyServiceAccountName],
    uid: claims[tokenClaims.legacyServiceAccountUid],
  });
  if (typeof namespace !== 'string' || typeof secretName !== 'string' || !serviceAccount) return undefined;
  if (namespace === '' || secretName === '') return undefined;
  if (claims.sub !== serviceAccountUser(namespace, serviceAccount.name)) return undefined;
  return { namespace, secretName, serviceAccount };
}

const objectIn = (value: unknown): Claims | undefined =>
  typeof value === 'object' && value !== null ? { ...value } : undefined;

function namedIn(value: unknown): Named | undefined {
  const { name, uid } = objectIn(value) ?? {};
  if (typeof name !== 'string' || typeof uid !== 'string' || name === '' || uid === '') return undefined;
  return { name, uid };
}
