import type { AnyObject } from '../../../client/plane-client.ts';
import { isObject } from '../../../schema/json-object.ts';
import { goText } from '../print/go-text.ts';
import { writeIdentity } from './metadata.ts';
import type { Sheet } from './sheet.ts';
import { describer } from './subject.ts';
import { sortedEntries } from './texts.ts';

/** Told at the top, or of no use to people. */
const SKIPPED: ReadonlySet<string> = new Set(
  ['managedFields', 'name', 'namespace', 'labels', 'annotations'].map((field) => `.metadata.${field}`),
);

/** Any object, field by field. */
export const anyObject = describer<AnyObject>((sheet, { object, vocabulary }) => {
  writeIdentity(sheet, object.metadata, vocabulary);
  writeFields(sheet, object as unknown as Readonly<Record<string, unknown>>, 0, '');
});

function writeFields(sheet: Sheet, fields: Readonly<Record<string, unknown>>, level: number, path: string): void {
  for (const [name, value] of sortedEntries(fields)) {
    const at = `${path}.${name}`;
    if (SKIPPED.has(at)) continue;
    if (isObject(value)) {
      sheet.line(level, `${labelOf(name)}:`);
      writeFields(sheet, value as Readonly<Record<string, unknown>>, level + 1, at);
    } else if (Array.isArray(value)) {
      sheet.line(level, `${labelOf(name)}:`);
      for (const item of value) {
        if (isObject(item)) writeFields(sheet, item as Readonly<Record<string, unknown>>, level + 1, at);
        else sheet.line(level + 1, goText(item));
      }
    } else sheet.field(labelOf(name), goText(value), level);
  }
}

const ACRONYMS: ReadonlySet<string> = new Set(['API', 'URL', 'UID', 'OSB', 'GUID']);

/** `apiVersion` is `API Version`; names with anything but letters and dashes stay as they are. */
export function labelOf(field: string): string {
  if (!/^[\p{L}-]*$/u.test(field)) return field;
  return wordsIn(field)
    .map((word) => (ACRONYMS.has(word.toUpperCase()) ? word.toUpperCase() : capitalized(word)))
    .join(' ');
}

const capitalized = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

/** The words of a name in camel case: the last of several capital letters belongs to what follows. */
const wordsIn = (field: string): string[] =>
  field
    .replaceAll(/\p{Lu}\p{Ll}|[^\p{Lu}\p{Ll}]+/gu, ' $&')
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/([^\p{Lu}\p{Ll} ])(\p{Lu}|\p{Ll})/gu, '$1 $2')
    .split(' ')
    .filter((word) => word !== '');
