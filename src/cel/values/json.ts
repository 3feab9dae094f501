import { Double } from './numbers.ts';
import { Duration, durationText, Timestamp, timestampText } from './time.ts';
import { Failure, isPlainObject } from './values.ts';

/** So deep can a value be nested that becomes part of a document. */
const DEEPEST = 100;

/** The value as a document has it, or a Failure for one that no document can have. */
export function toJson(value: unknown, depth = 0): unknown {
  if (depth > DEEPEST) return new Failure(`a value is nested more than ${DEEPEST} deep`);
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number')
    return value;
  if (value instanceof Double) return value.value;
  if (value instanceof Timestamp) return timestampText(value);
  if (value instanceof Duration) return durationText(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return listOf(value, depth);
  if (value instanceof Map) return objectOf([...value.values()], depth);
  if (isPlainObject(value)) return objectOf(Object.entries(value), depth);
  return new Failure('a value cannot be part of a document');
}

function listOf(items: readonly unknown[], depth: number): unknown {
  const made: unknown[] = [];
  for (const item of items) {
    const json = toJson(item, depth + 1);
    if (json instanceof Failure) return json;
    made.push(json);
  }
  return made;
}

function objectOf(entries: readonly (readonly [unknown, unknown])[], depth: number): unknown {
  const made: [string, unknown][] = [];
  for (const [key, value] of entries) {
    if (typeof key !== 'string') return new Failure('keys of a document must be texts');
    const json = toJson(value, depth + 1);
    if (json instanceof Failure) return json;
    made.push([key, json]);
  }
  return Object.fromEntries(made);
}
