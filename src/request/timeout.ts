import { badRequest } from '../api/errors.ts';
import type { Query } from './request-info.ts';

const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['μs', 1e-3],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

/** What clients write durations in is bounded, so that reading one is. */
const LONGEST_TEXT = 64;

/** How long the client wants to wait, in milliseconds; undefined when it does not say. Throws 400 for what is no duration. */
export function readTimeout(query: Query): number | undefined {
  const text = query.get('timeout');
  return text === null || text === '' ? undefined : readDuration(text);
}

/** A duration as Go writes them, `1h15m30.5s`, with a sign if need be. */
function readDuration(text: string): number {
  const unsigned = text.replace(/^[-+]/, '');
  if (unsigned === '0') return 0;
  if (unsigned === '' || text.length > LONGEST_TEXT) throw invalidTimeout('invalid duration', text);
  let total = 0;
  const part = /(\d*(?:\.\d*)?)([^\d.]*)/y;
  while (part.lastIndex < unsigned.length) {
    const [whole = '', amount = '', unit = ''] = part.exec(unsigned) ?? [];
    if (whole === '' || !/\d/.test(amount)) throw invalidTimeout('invalid duration', text);
    if (unit === '') throw invalidTimeout('missing unit in duration', text);
    const milliseconds = UNIT_MS.get(unit);
    if (milliseconds === undefined) throw invalidTimeout(`unknown unit ${JSON.stringify(unit)} in duration`, text);
    total += Number(amount) * milliseconds;
  }
  return text.startsWith('-') ? -total : total;
}

const invalidTimeout = (what: string, text: string) =>
  badRequest(`invalid timeout specified in the request URL - time: ${what} ${JSON.stringify(text)}`);
