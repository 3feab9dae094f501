import { DEFAULT_FEATURES } from '../src/features/features.ts';
import type { ApiObject, HookContext, ResourceType, WriteRules } from '../src/registry/resource-type.ts';
import { atOnce } from '../src/runtime/pacing.ts';
import { systemRuntime } from '../src/runtime/runtime.ts';
import { canonicalise } from '../src/schema/derive/canonical.ts';
import { runChecks } from '../src/schema/derive/checks.ts';
import { applyDefaults } from '../src/schema/derive/defaults.ts';
import { asValue } from '../src/schema/draft.ts';
import { Problems } from '../src/schema/problems.ts';
import type { Struct } from '../src/schema/schema.ts';
import { vocabularies } from '../src/vocabulary/vocabulary.ts';

/** What a kind is held against besides its metadata. */
type Rules<T extends ApiObject> = Pick<ResourceType<T>, 'validate' | 'validateCreate'>;

export const TEST_CONTEXT: HookContext = {
  runtime: systemRuntime,
  vocabulary: vocabularies.platform,
  features: DEFAULT_FEATURES,
};

/** An object as the registry would hold it: read, with defaults. */
export function readAs<T>(schema: Struct<T>, document: unknown): T {
  const { value } = canonicalise(schema, document);
  applyDefaults(schema, value);
  return asValue(canonicalise(schema, value).value);
}

/** `Required spec.containers`: the reason without what all reasons start with, and the field. Each cause once, sorted. */
export const causes = ({ found }: Problems): string[] =>
  [...new Set(found.map(({ reason, field }) => `${reason.replace('FieldValue', '')} ${field}`))].sort();

/** Causes for which a new object is refused, declared checks included. */
export function problemsOf<T extends ApiObject>(
  schema: Struct<T>,
  rules: Rules<T>,
  document: unknown,
  context: HookContext = TEST_CONTEXT,
): string[] {
  const object = readAs(schema, document);
  const problems = new Problems();
  runChecks(schema, object, problems);
  const steps = rules.validate?.(object, problems, context);
  if (steps) atOnce(steps);
  rules.validateCreate?.(object, problems, context);
  return causes(problems);
}

/** Causes for which a change is refused, apart from those of the new object by itself. */
export function problemsOfChange<T extends ApiObject>(
  schema: Struct<T>,
  validateUpdate: NonNullable<WriteRules<T>['validateUpdate']>,
  before: unknown,
  after: unknown,
  context: HookContext = TEST_CONTEXT,
): string[] {
  const problems = new Problems();
  validateUpdate(readAs(schema, after), readAs(schema, before), problems, context);
  return causes(problems);
}

type Json = { [key: string]: unknown };

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A copy of `base` with the fields of `change` put over it, objects merged, everything else replaced; null removes. */
export function changed(base: unknown, change: unknown): unknown {
  if (!isJson(base) || !isJson(change)) return change;
  const result: Json = { ...base };
  for (const [key, value] of Object.entries(change)) {
    if (value === null) delete result[key];
    else result[key] = changed(base[key], value);
  }
  return result;
}
