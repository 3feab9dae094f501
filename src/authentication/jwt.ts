import { constants, type KeyObject, sign, verify } from 'node:crypto';
import { promisify } from 'node:util';

/** How a signature is made with one sort of key. */
interface Algorithm {
  readonly keyType: 'rsa' | 'ec';
  readonly digest: string;
  /** The only curve that goes with it. */
  readonly curve?: string;
  readonly padding?: number;
}

const { RSA_PKCS1_PADDING: PKCS1, RSA_PKCS1_PSS_PADDING: PSS, RSA_PSS_SALTLEN_DIGEST: SALT_LENGTH } = constants;

/** Every algorithm that tokens may be signed with. There is none without a key, and none with a shared one. */
const ALGORITHMS = {
  RS256: { keyType: 'rsa', digest: 'sha256', padding: PKCS1 },
  RS384: { keyType: 'rsa', digest: 'sha384', padding: PKCS1 },
  RS512: { keyType: 'rsa', digest: 'sha512', padding: PKCS1 },
  PS256: { keyType: 'rsa', digest: 'sha256', padding: PSS },
  PS384: { keyType: 'rsa', digest: 'sha384', padding: PSS },
  PS512: { keyType: 'rsa', digest: 'sha512', padding: PSS },
  ES256: { keyType: 'ec', digest: 'sha256', curve: 'prime256v1' },
  ES384: { keyType: 'ec', digest: 'sha384', curve: 'secp384r1' },
  ES512: { keyType: 'ec', digest: 'sha512', curve: 'secp521r1' },
} as const satisfies Record<string, Algorithm>;

export type AlgorithmName = keyof typeof ALGORITHMS;

export const ALGORITHM_NAMES: readonly string[] = Object.keys(ALGORITHMS);

export const isAlgorithmName = (name: string): name is AlgorithmName => Object.hasOwn(ALGORITHMS, name);

/** Shorter RSA keys can be broken. */
const SHORTEST_RSA = 2048;

const fits = (key: KeyObject, { keyType, curve }: Algorithm): boolean =>
  key.asymmetricKeyType === keyType &&
  (keyType === 'rsa'
    ? (key.asymmetricKeyDetails?.modulusLength ?? 0) >= SHORTEST_RSA
    : key.asymmetricKeyDetails?.namedCurve === curve);

/** What a key signs with unless told otherwise; undefined for keys that cannot sign tokens. */
export function algorithmOf(key: KeyObject): AlgorithmName | undefined {
  const usual = ['RS256', 'ES256', 'ES384', 'ES512'] as const;
  return usual.find((name) => fits(key, ALGORITHMS[name]));
}

export type Claims = Readonly<Record<string, unknown>>;

/** A token taken apart. Nothing in it is to be believed before `isSigned`. */
export interface UnverifiedToken {
  readonly algorithm: AlgorithmName;
  /** Which key it says it was signed with; '' when it does not. */
  readonly keyId: string;
  readonly claims: Claims;
  /** What was signed. */
  readonly input: string;
  readonly signature: Buffer;
}

/** Takes a token apart (RFC 7519, compact form). Undefined for any other text, and for what asks for more than is done here. */
export function readToken(token: string): UnverifiedToken | undefined {
  const [first = '', second = '', third = '', ...more] = token.split('.', 4);
  if (more.length > 0) return undefined;
  const header = readPart(first);
  const claims = readPart(second);
  const signature = decode(third);
  // `crit` lists what a reader must understand; nothing of the sort is understood here.
  if (!header || !claims || !signature || 'crit' in header) return undefined;
  const { alg, kid = '' } = header;
  if (typeof alg !== 'string' || !isAlgorithmName(alg) || typeof kid !== 'string') return undefined;
  return { algorithm: alg, keyId: kid, claims, input: `${first}.${second}`, signature };
}

/** The bytes of a part. Only the one spelling that encoders produce counts, so that a token has no second form. */
function decode(part: string): Buffer | undefined {
  const bytes = Buffer.from(part, 'base64url');
  return part !== '' && bytes.toString('base64url') === part ? bytes : undefined;
}

function readPart(part: string): Claims | undefined {
  try {
    const value: unknown = JSON.parse(decode(part)?.toString('utf8') ?? '');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** How node:crypto is told: ECDSA signatures in tokens are the two numbers side by side, not DER. */
const signing = (key: KeyObject, { padding }: Algorithm) =>
  padding === undefined
    ? { key, dsaEncoding: 'ieee-p1363' as const }
    : { key, padding, ...(padding === PSS ? { saltLength: SALT_LENGTH } : {}) };

/** Whether this key made the signature, in the way the token says, which must be one that goes with the key. */
export function isSigned({ algorithm, input, signature }: UnverifiedToken, key: KeyObject): boolean {
  const way: Algorithm = ALGORITHMS[algorithm];
  if (!fits(key, way)) return false;
  return verify(way.digest, Buffer.from(input), signing(key, way), signature);
}

const signAsync = promisify(sign);

/** Signs off the main thread: with RSA that takes as long as many requests. */
export async function signToken(
  key: KeyObject,
  algorithm: AlgorithmName,
  keyId: string,
  claims: Claims,
): Promise<string> {
  const way: Algorithm = ALGORITHMS[algorithm];
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const input = `${part({ alg: algorithm, kid: keyId })}.${part(claims)}`;
  const signature = await signAsync(way.digest, Buffer.from(input), signing(key, way));
  return `${input}.${signature.toString('base64url')}`;
}
