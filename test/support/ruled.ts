import { rulesOf } from '../../src/extension/rules/rules.ts';
import type { JSONSchemaProps } from '../../src/kinds/apiextensions/json-schema.ts';
import type { ApiObject } from '../../src/registry/resource-type.ts';
import { Problems } from '../../src/schema/problems.ts';
import { vocabularies } from '../../src/vocabulary/vocabulary.ts';

/** Schemas with rules, and what is told of objects that are held against them. */

const vocabulary = vocabularies.platform;

export const ruled = (schema: object, ...rules: readonly (string | object)[]): object => ({
  ...schema,
  'x-platform-validations': rules.map((rule) => (typeof rule === 'string' ? { rule } : rule)),
});
export const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });
export const INTEGER = { type: 'integer' };
export const STRING = { type: 'string' };
export const keyed = (items: object, ...keys: readonly string[]): object => ({
  type: 'array',
  items,
  'x-platform-list-type': 'map',
  'x-platform-list-map-keys': keys,
});

/** A whole object with this spec; undefined stays so. */
export const objectWith = (spec: unknown): ApiObject | undefined =>
  spec === undefined
    ? undefined
    : ({ apiVersion: 'zoo.example/v1', kind: 'Lion', metadata: { name: 'leo' }, spec } as unknown as ApiObject);

/** `field: message` of each problem of an object whose spec has the schema. */
export function problemsOf(
  spec: object,
  value: unknown,
  old?: unknown,
  earlier: (problems: Problems) => void = () => {},
): string[] {
  const problems = new Problems();
  earlier(problems);
  const rules = rulesOf(object({ spec }) as JSONSchemaProps, { vocabulary });
  const whole = objectWith(value);
  if (whole) rules?.check(whole, objectWith(old), problems);
  return problems.found.map(({ field, message }) => `${field}: ${message}`);
}

export const failed = (field: string, type: string, message: string): string =>
  `${field}: Invalid value: "${type}": ${message}`;
