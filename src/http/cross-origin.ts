import { RE2JS } from 're2js';
import type { Handle } from './handler.ts';
import { headerValue } from './headers.ts';
import type { Reply } from './message.ts';

const METHODS = 'POST, GET, OPTIONS, PUT, DELETE, PATCH';
const HEADERS =
  'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since';

/** Browsers send no longer origins. */
const LONGEST_ORIGIN = 512;

/**
 * Lets pages of some origins use what is handled, as browsers ask for it: `patterns` are regular expressions that match an
 * origin in whole or in part. Throws an Error of one line when one is none.
 */
export function allowOrigins(patterns: readonly string[], handle: Handle): Handle {
  const welcomes = originsMatching(patterns);
  return async (request) => {
    const origin = headerValue(request, 'origin');
    if (origin === undefined || !welcomes(origin)) return handle(request);
    const headers = [
      ...['Access-Control-Allow-Origin', origin],
      ...['Access-Control-Allow-Methods', METHODS],
      ...['Access-Control-Allow-Headers', HEADERS],
      ...['Access-Control-Expose-Headers', 'Date'],
      ...['Access-Control-Allow-Credentials', 'true'],
      ...['Vary', 'Origin'],
    ];
    if (request.method === 'OPTIONS') return { status: 204, headers, body: [] };
    return withHeaders(await handle(request), headers);
  };
}

/** Whether an origin matches one of the patterns. Throws as `allowOrigins` does. */
export function originsMatching(patterns: readonly string[]): (origin: string) => boolean {
  const expressions = patterns.map(compiled);
  return (origin) => origin.length <= LONGEST_ORIGIN && expressions.some((one) => one.matcher(origin).find());
}

/** The same answer, with more headers. */
export const withHeaders = (reply: Reply, headers: readonly string[]): Reply => ({
  ...reply,
  headers: [...reply.headers, ...headers],
});

function compiled(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch {
    throw new Error(`--cors-allowed-origins: "${pattern}" is not a regular expression`);
  }
}
