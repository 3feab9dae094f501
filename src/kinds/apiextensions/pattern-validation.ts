import { patternOf } from '../../cel/functions/pattern.ts';
import { Exhausted, Meter } from '../../cel/values/meter.ts';
import { Failure } from '../../cel/values/values.ts';
import type { Steps } from '../../runtime/pacing.ts';
import { isList } from '../../schema/json-object.ts';
import type { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import type { JSONSchemaProps } from './json-schema.ts';

/** What compiling the patterns of one schema may cost. A unit is about a nanosecond. */
const MOST_UNITS = 200_000_000;

/** Patterns that cannot be read, wherever they are in a schema, and those that are too many or too large. */
export function* validatePatterns(schema: JSONSchemaProps, path: Path, problems: Problems): Steps<void> {
  const meter = new Meter(MOST_UNITS);
  try {
    yield* validatePattern(schema, path, problems, meter);
  } catch (error) {
    if (!(error instanceof Exhausted)) throw error;
    problems.forbidden(path, `patterns of a schema must not take more than ${MOST_UNITS} steps to compile`);
  }
}

function* validatePattern(schema: JSONSchemaProps, path: Path, problems: Problems, meter: Meter): Steps<void> {
  const { pattern = '' } = schema;
  const compiled = pattern === '' ? undefined : patternOf(meter, pattern);
  if (compiled instanceof Failure) {
    const why = `must be a valid regular expression, but isn't: ${compiled.message}`;
    problems.invalid(path.child('pattern'), pattern, why);
  }
  yield;
  for (const [part, at] of partsOf(schema, path)) yield* validatePattern(part, at, problems, meter);
}

/** All schemas in a schema, and where they are. */
function* partsOf(schema: JSONSchemaProps, path: Path): Generator<[JSONSchemaProps, Path]> {
  const { properties = {}, additionalProperties: rest, items, not } = schema;
  for (const [name, part] of Object.entries(properties)) yield [part, path.child('properties').key(name)];
  if (typeof rest === 'object') yield [rest, path.child('additionalProperties')];
  if (items && !isList(items)) yield [items, path.child('items')];
  for (const word of ['allOf', 'anyOf', 'oneOf'] as const) {
    for (const [at, part] of (schema[word] ?? []).entries()) yield [part, path.child(word).index(at)];
  }
  if (not) yield [not, path.child('not')];
}
