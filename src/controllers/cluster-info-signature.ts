import { createHmac } from 'node:crypto';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

/** A token that may sign. */
export interface SigningToken {
  readonly id: string;
  readonly secret: string;
}

const ALGORITHM = 'HS256';

const encoded = (content: string): string => Buffer.from(content).toString('base64url');

/**
 * The one place where the vocabularies differ in more than names. The specification signs with the full token, and the
 * neutral vocabulary follows it. Whoever speaks the original names verifies with the secret part alone, as every machine
 * that joins an original cluster does.
 */
const keyOf = ({ id, secret }: SigningToken, { name }: Vocabulary): string =>
  name === 'platform' ? `${id}.${secret}` : secret;

/** A signature that whoever knows the token can verify, without what it signs (JWS, compact, detached). */
export function detachedSignature(content: string, token: SigningToken, vocabulary: Vocabulary): string {
  const header = encoded(JSON.stringify({ alg: ALGORITHM, kid: token.id }));
  const signature = createHmac('sha256', keyOf(token, vocabulary))
    .update(`${header}.${encoded(content)}`)
    .digest('base64url');
  return `${header}..${signature}`;
}

const DETACHED = /^([\w-]{1,1024})\.\.[\w-]{43}$/;

/** Whether a text has the form of a signature by the token of this id, whatever it signs and with whichever key. */
export function isSignatureBy(text: string | undefined, id: string): boolean {
  const header = text === undefined ? undefined : DETACHED.exec(text)?.[1];
  if (header === undefined) return false;
  try {
    const { alg, kid }: { alg?: unknown; kid?: unknown } = JSON.parse(Buffer.from(header, 'base64url').toString());
    return alg === ALGORITHM && kid === id;
  } catch {
    return false;
  }
}
