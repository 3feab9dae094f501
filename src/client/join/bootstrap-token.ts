import { createHmac, timingSafeEqual } from 'node:crypto';
import { isObject } from '../../schema/json-object.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';

/** What a machine joins with: the id may be known, the secret may not. */
export interface BootstrapToken {
  readonly id: string;
  readonly secret: string;
}

/** Throws a line that does not repeat the token. */
export function readBootstrapToken(text: string): BootstrapToken {
  const [, id, secret] = /^([a-z0-9]{6})\.([a-z0-9]{16})$/.exec(text) ?? [];
  if (id === undefined || secret === undefined) {
    throw new Error('the token is not of the form "abcdef.0123456789abcdef"');
  }
  return { id, secret };
}

export const tokenText = ({ id, secret }: BootstrapToken): string => `${id}.${secret}`;

const SIGNATURE = /^([\w-]{1,1024})\.\.([\w-]{43})$/;

/** Whether a text was signed by whoever knows the token (JWS, compact, detached). */
export function isSignedWith(
  token: BootstrapToken,
  content: string,
  signature: string | undefined,
  { name }: Vocabulary,
): boolean {
  const [, header = '', given = ''] = SIGNATURE.exec(signature ?? '') ?? [];
  if (!isHeaderOf(header, token.id)) return false;
  // The specification signs with the full token; planes of the original names sign with the secret alone.
  const key = name === 'platform' ? tokenText(token) : token.secret;
  const signed = `${header}.${Buffer.from(content).toString('base64url')}`;
  const expected = createHmac('sha256', key).update(signed).digest();
  const actual = Buffer.from(given, 'base64url');
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

/** No other algorithm is accepted, whatever the header asks for. */
function isHeaderOf(header: string, id: string): boolean {
  try {
    const fields: unknown = JSON.parse(Buffer.from(header, 'base64url').toString());
    return isObject(fields) && fields.alg === 'HS256' && fields.kid === id;
  } catch {
    return false;
  }
}
