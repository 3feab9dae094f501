import type { KeyOrder } from './printable.ts';

const INDENT = '    ';
/** Escaped besides what JSON itself asks for: the text may stand in a page or in a script. */
const ALSO_ESCAPED = /[<>&\u2028\u2029]/g;

/** JSON in four columns a level, as tools of this kind lay it out. */
export const jsonText = (value: unknown, keys: KeyOrder = 'sorted'): string => laidOut(value, keys, '\n');

function laidOut(value: unknown, keys: KeyOrder, newline: string): string {
  if (typeof value !== 'object' || value === null) return scalarText(value);
  const deeper = `${newline}${INDENT}`;
  if (Array.isArray(value)) {
    const items = value.map((item) => `${deeper}${laidOut(item, keys, deeper)}`);
    return items.length === 0 ? '[]' : `[${items.join(',')}${newline}]`;
  }
  const fields = entriesOf(value, keys).map(
    ([key, one]) => `${deeper}${scalarText(key)}: ${laidOut(one, keys, deeper)}`,
  );
  return fields.length === 0 ? '{}' : `{${fields.join(',')}${newline}}`;
}

/** JSON in one line. */
export function compactJsonText(value: unknown, keys: KeyOrder = 'sorted'): string {
  if (typeof value !== 'object' || value === null) return scalarText(value);
  if (Array.isArray(value)) return `[${value.map((item) => compactJsonText(item, keys)).join(',')}]`;
  return `{${entriesOf(value, keys)
    .map(([key, one]) => `${scalarText(key)}:${compactJsonText(one, keys)}`)
    .join(',')}}`;
}

function entriesOf(value: object, keys: KeyOrder): [string, unknown][] {
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return keys === 'given' ? entries : entries.sort(([a], [b]) => compareCodePoints(a, b));
}

/** As bytes of UTF-8 compare. Code units come in another order from the surrogates on. */
export function compareCodePoints(a: string, b: string): number {
  if (/[\ud800-\uffff]/.test(a + b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

const scalarText = (value: unknown): string =>
  (JSON.stringify(value) ?? 'null').replaceAll(
    ALSO_ESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
