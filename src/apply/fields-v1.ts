import { setOwn } from '../schema/derive/canonical.ts';
import { type FieldSet, FieldSetBuilder } from './field-set.ts';

/** The recorded form of a set: nested objects, `.` for a place that is in the set itself and has others below it. */
export type FieldsV1 = { [element: string]: unknown };

/** A recorded set that cannot be read. */
export class MalformedFields extends Error {
  override readonly name = 'MalformedFields';
}

const ORDER = ['f:', 'k:', 'v:', 'i:'];
const SELF = '.';

/** Fields before keyed elements before values before positions, each by their text. */
function compareElements(a: string, b: string): number {
  const kinds = ORDER.indexOf(a.slice(0, 2)) - ORDER.indexOf(b.slice(0, 2));
  return kinds !== 0 ? kinds : a < b ? -1 : 1;
}

export function encodeFields(set: FieldSet): FieldsV1 {
  const result: FieldsV1 = {};
  const elements = [...new Set([...set.members, ...set.children.keys()])].sort(compareElements);
  for (const element of elements) {
    const below = set.children.get(element);
    const inside = below ? encodeFields(below) : {};
    setOwn(result, element, below && set.members.has(element) ? { [SELF]: {}, ...inside } : inside);
  }
  return result;
}

export function decodeFields(fields: FieldsV1): FieldSet {
  const builder = new FieldSetBuilder();
  readInto(builder, fields);
  return builder.build();
}

const isObject = (value: unknown): value is FieldsV1 =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readInto(builder: FieldSetBuilder, fields: FieldsV1): void {
  for (const [element, inside] of Object.entries(fields)) {
    if (element === SELF) continue;
    if (!ORDER.includes(element.slice(0, 2)))
      throw new MalformedFields(`unknown path element ${JSON.stringify(element)}`);
    if (!isObject(inside)) throw new MalformedFields(`${JSON.stringify(element)} must hold an object`);
    const names = Object.keys(inside);
    if (names.length === 0 || Object.hasOwn(inside, SELF)) builder.add(element);
    if (names.length > 0) readInto(builder.below(element), inside);
  }
}
