import { badRequest } from '../api/errors.ts';

/** Where a list goes on. */
export interface ContinueToken {
  /** The revision of the first page; -1: that is gone, read on at the newest. */
  readonly revision: number;
  /** The last key of the page before. */
  readonly after: string;
  readonly prefix: string;
  /** How many items there are after it as of that revision, where that is known. */
  readonly remaining: number | undefined;
}

export const encodeContinue = ({ revision, after, prefix, remaining }: ContinueToken): string =>
  Buffer.from(JSON.stringify({ rv: revision, start: after.slice(prefix.length), left: remaining })).toString(
    'base64url',
  );

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** A token is only good for the part of the collection it was given out for. */
export function decodeContinue(token: string, prefix: string): ContinueToken {
  const fields = parse(token);
  const { rv, start, left } = fields;
  if (typeof rv !== 'number' || !Number.isSafeInteger(rv) || rv < -1 || rv === 0 || typeof start !== 'string') {
    throw badRequest('continue key is not valid: it was not given out by this server');
  }
  return { revision: rv, after: `${prefix}${start}`, prefix, remaining: isCount(left) ? left : undefined };
}

function parse(token: string): { rv?: unknown; start?: unknown; left?: unknown } {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
    if (typeof parsed === 'object' && parsed !== null) return parsed;
  } catch {
    // Falls through to the same refusal as any other text that is no token.
  }
  throw badRequest('continue key is not valid: it was not given out by this server');
}
