import type { Send } from './plane-client.ts';

/** Has the texts of an answer's warnings told: what the plane thinks of a request that it granted all the same. */
export const withWarnings =
  (onWarning: (text: string) => void, send: Send): Send =>
  async (request) => {
    const answer = await send(request);
    for (const text of warningsIn(answer.headers?.warning)) onWarning(text);
    return answer;
  };

/** One value of the header: `299 - "text"`, with a backslash before quotes and backslashes, and perhaps a date. */
const WARNING = /299 [^\s"]+ "((?:[^"\\]|\\.)*)"(?: "[^"]*")?/g;

/** The texts in Warning headers, of which several may have been joined by commas. */
export function warningsIn(header: string | readonly string[] | undefined): readonly string[] {
  const joined = typeof header === 'string' ? header : (header ?? []).join(', ');
  return [...joined.matchAll(WARNING)].map(([, quoted = '']) => quoted.replace(/\\(.)/g, '$1'));
}
