import { isObject } from './json-object.ts';

/**
 * The text of a JSON value with the keys of every object sorted, and with escapes in place of what a page could take for
 * markup: what encoders of the original write. The value must not nest too deeply.
 */
export const sortedJson = (value: unknown): string => sorted(value).replaceAll(MARKUP, escaped);

const MARKUP = /[<>&\u2028\u2029]/g;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  const entries = Object.keys(value).sort();
  return `{${entries.map((key) => `${JSON.stringify(key)}:${sorted(value[key])}`).join(',')}}`;
}
