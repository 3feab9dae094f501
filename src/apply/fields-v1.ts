import { Later } from '../runtime/later.ts';
import { atOnce, type Steps } from '../runtime/pacing.ts';
import { isObject } from '../schema/json-object.ts';
import { type FieldSet, FieldSetBuilder } from './field-set.ts';

/** The recorded form of a set: nested objects, `.` for a place that is in the set itself and has others below it. */
export type FieldsV1 = { [element: string]: unknown };

/** A recorded set that cannot be read. */
export class MalformedFields extends Error {
  override readonly name = 'MalformedFields';
}

const ORDER = ['f:', 'k:', 'v:', 'i:'];
/** Stands for the place itself beside what is below it. */
export const SELF = '.';
/** A place with nothing recorded below it. */
export const NO_FIELDS: FieldsV1 = Object.freeze({});

/** Fields before keyed elements before values before positions, each by their text. */
export function compareElements(a: string, b: string): number {
  const kinds = ORDER.indexOf(a.slice(0, 2)) - ORDER.indexOf(b.slice(0, 2));
  return kinds !== 0 ? kinds : a < b ? -1 : 1;
}

export const encodeFields = (set: FieldSet): FieldsV1 => atOnce(encodeFieldsInSteps(set));

/** As `encodeFields`, for sets of any size. */
export function* encodeFieldsInSteps(set: FieldSet): Steps<FieldsV1> {
  const [result, later]: [FieldsV1, Later] = [{}, new Later()];
  encodeInto(result, set, later);
  yield* later.all();
  return result;
}

function encodeInto(result: FieldsV1, set: FieldSet, later: Later): void {
  const elements = inOrder(set.members, set.children);
  if (!later.fits(elements.length)) later.leave(encodeManyInto(result, set, elements, later));
  else for (const element of elements) encodeElement(result, set, element, later);
}

function* encodeManyInto(result: FieldsV1, set: FieldSet, elements: readonly string[], later: Later): Steps<void> {
  for (const element of elements) {
    if (later.isRestDue()) yield;
    encodeElement(result, set, element, later);
  }
}

function encodeElement(result: FieldsV1, { members, children }: FieldSet, element: string, later: Later): void {
  const below = children.get(element);
  const inside: FieldsV1 = !below ? NO_FIELDS : members.has(element) ? { [SELF]: NO_FIELDS } : {};
  result[element] = inside;
  if (below) encodeInto(inside, below, later);
}

/** Most sets have elements of one kind, whose texts alone tell the order. */
function inOrder(members: FieldSet['members'], children: FieldSet['children']): string[] {
  const elements = [...members];
  for (const element of children.keys()) if (!members.has(element)) elements.push(element);
  const kind = elements[0]?.charCodeAt(0);
  return elements.every((element) => element.charCodeAt(0) === kind) ? elements.sort() : elements.sort(compareElements);
}

/** Throws MalformedFields. */
export const decodeFields = (fields: FieldsV1): FieldSet => atOnce(decodeFieldsInSteps(fields));

/** As `decodeFields`, for records of any size. */
export function* decodeFieldsInSteps(fields: FieldsV1): Steps<FieldSet> {
  const builder = new FieldSetBuilder();
  const later = new Later();
  readInto(builder, fields, Object.keys(fields), later);
  yield* later.all();
  return builder.build();
}

function readInto(builder: FieldSetBuilder, fields: FieldsV1, elements: readonly string[], later: Later): void {
  if (!later.fits(elements.length)) later.leave(readManyInto(builder, fields, elements, later));
  else for (const element of elements) readElement(builder, element, fields[element], later);
}

function* readManyInto(
  builder: FieldSetBuilder,
  fields: FieldsV1,
  elements: readonly string[],
  later: Later,
): Steps<void> {
  for (const element of elements) {
    if (later.isRestDue()) yield;
    readElement(builder, element, fields[element], later);
  }
}

function readElement(builder: FieldSetBuilder, element: string, inside: unknown, later: Later): void {
  if (element === SELF) return;
  checkElement(element);
  if (!isObject(inside)) throw new MalformedFields(`${JSON.stringify(element)} must hold an object`);
  const elements = Object.keys(inside);
  if (elements.length === 0 || Object.hasOwn(inside, SELF)) builder.add(element);
  if (elements.length > 0) readInto(builder.below(element), inside, elements, later);
}

/** Whether nothing at all is recorded, not even the place itself. */
export const isBare = (fields: FieldsV1): boolean => {
  for (const _ in fields) return false;
  return true;
};

/** Elements other than fields are told by JSON, which is read back when they are shown to people. */
function checkElement(element: string): void {
  const kind = element.slice(0, 2);
  if (kind === 'f:') return;
  if (!ORDER.includes(kind)) throw new MalformedFields(`unknown path element ${JSON.stringify(element)}`);
  const value = parsed(element);
  if (kind === 'k:' && !isObject(value)) throw new MalformedFields(`${JSON.stringify(element)} must name keys`);
  if (kind === 'i:' && !Number.isInteger(value)) throw new MalformedFields(`${JSON.stringify(element)} is no position`);
}

function parsed(element: string): unknown {
  try {
    return JSON.parse(element.slice(2));
  } catch {
    throw new MalformedFields(`${JSON.stringify(element)} is not followed by JSON`);
  }
}

/**
 * Whether a recorded set has a place of another set, without reading all of it. A place with nothing below it in the
 * other set is met by what is recorded below it too: it may have been recorded when it still had something inside.
 */
export function meets(fields: FieldsV1, set: FieldSet): boolean {
  for (const element of set.members) {
    const inside = ownObject(fields, element);
    if (inside && (!set.children.has(element) || Object.hasOwn(inside, SELF) || isBare(inside))) return true;
  }
  for (const [element, below] of set.children) {
    const inside = ownObject(fields, element);
    if (inside && meets(inside, below)) return true;
  }
  return false;
}

/** Whether every place of a recorded set is in another set, without reading it; false when it cannot be read. */
export function isWithin(fields: FieldsV1, set: FieldSet): boolean {
  for (const element in fields) {
    if (element === SELF) continue;
    const inside = fields[element];
    if (!isObject(inside)) return false;
    const bare = isBare(inside);
    if ((bare || Object.hasOwn(inside, SELF)) && !set.members.has(element)) return false;
    if (!bare && !isWithin(inside, set.below(element))) return false;
  }
  return true;
}

/** Whether a recorded set is this one, without reading it; false when it cannot be read. */
export function isSame(fields: FieldsV1, set: FieldSet): boolean {
  let [members, children] = [0, 0];
  for (const element in fields) {
    if (element === SELF) continue;
    const inside = fields[element];
    if (!isObject(inside)) return false;
    const bare = isBare(inside);
    if (bare || Object.hasOwn(inside, SELF)) {
      if (!set.members.has(element)) return false;
      members++;
    }
    if (bare) continue;
    const below = set.below(element);
    if (!isSame(inside, below)) return false;
    if (!below.isEmpty) children++;
  }
  return members === set.members.size && children === set.children.size;
}

function ownObject(fields: FieldsV1, element: string): FieldsV1 | undefined {
  const inside = Object.hasOwn(fields, element) ? fields[element] : undefined;
  return isObject(inside) ? inside : undefined;
}
