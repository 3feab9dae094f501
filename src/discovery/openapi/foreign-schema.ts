import { isObject, type JsonObject } from '../../schema/json-object.ts';

/**
 * What another server publishes, reduced to what a document can hold: fields that are known, with values of their type.
 * Each function gives undefined for what is nothing of the sort.
 */

type Read = (value: unknown, depth: number) => unknown;

const DEEPEST = 100;

const text: Read = (value) => (typeof value === 'string' ? value : undefined);
const flag: Read = (value) => (typeof value === 'boolean' ? value : undefined);
const number: Read = (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
const whole: Read = (value) => (Number.isSafeInteger(value) ? value : undefined);
const any: Read = (value, depth) => {
  demandShallow(value, depth);
  return value;
};

/** What nests without end cannot be written either. */
function demandShallow(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > DEEPEST) throw new Error(`schemas nest deeper than ${DEEPEST}`);
  for (const member of Object.values(value)) demandShallow(member, depth + 1);
}

const listOf =
  (read: Read): Read =>
  (value, depth) =>
    Array.isArray(value) ? value.map((one) => read(one, depth)).filter((one) => one !== undefined) : undefined;

const mapOf =
  (read: Read): Read =>
  (value, depth) => {
    if (!isObject(value)) return undefined;
    const entries = Object.entries(value).map(([name, one]) => [name, read(one, depth)] as const);
    return Object.fromEntries(entries.filter(([, one]) => one !== undefined));
  };

/** `takesExtensions`: keys that begin with `x-` are kept as they are. */
const objectOf =
  (fields: () => Readonly<Record<string, Read>>, takesExtensions = false): Read =>
  (value, depth) => {
    if (!isObject(value)) return undefined;
    if (depth > DEEPEST) throw new Error(`schemas nest deeper than ${DEEPEST}`);
    const known = fields();
    const kept: JsonObject = {};
    for (const [name, member] of Object.entries(value)) {
      const read = Object.hasOwn(known, name)
        ? known[name]
        : takesExtensions && name.startsWith('x-')
          ? any
          : undefined;
      const result = read?.(member, depth + 1);
      if (result !== undefined) kept[name] = result;
    }
    return kept;
  };

const texts = listOf(text);

const schema: Read = objectOf(() => SCHEMA, true);

/** In the older flavour a type is one word. */
const SCHEMA: Readonly<Record<string, Read>> = {
  ...{ $ref: text, format: text, title: text, description: text, pattern: text, type: text },
  ...{ default: any, enum: listOf(any), required: texts },
  ...{ multipleOf: number, maximum: number, minimum: number, exclusiveMaximum: flag, exclusiveMinimum: flag },
  ...{
    maxLength: whole,
    minLength: whole,
    maxItems: whole,
    minItems: whole,
    maxProperties: whole,
    minProperties: whole,
  },
  ...{
    uniqueItems: flag,
    additionalProperties: schema,
    items: schema,
    allOf: listOf(schema),
    properties: mapOf(schema),
  },
};

const reference = objectOf(() => ({ $ref: text }));
const inBody = objectOf(() => ({ description: text, name: text, in: text, required: flag, schema }));
const inAddress = objectOf(() => ({ description: text, name: text, in: text, required: flag, type: text }));

const parameter: Read = (value, depth) => {
  if (!isObject(value)) return undefined;
  if ('$ref' in value) return reference(value, depth);
  if (value.in === 'body') return inBody(value, depth);
  return value.in === 'query' || value.in === 'path' ? inAddress(value, depth) : undefined;
};

const response = objectOf(() => ({ description: text, schema }));
const operation = objectOf(
  () => ({
    ...{ tags: texts, description: text, operationId: text, produces: texts, consumes: texts, schemes: texts },
    ...{ parameters: listOf(parameter), responses: mapOf(response) },
  }),
  true,
);
const pathItem = objectOf(() => ({
  ...{ get: operation, put: operation, post: operation, delete: operation, options: operation, head: operation },
  ...{ patch: operation, parameters: listOf(parameter) },
}));

const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {});

export const readPathItem = (value: unknown): JsonObject => asObject(pathItem(value, 0));
export const readDefinition = (value: unknown): JsonObject => asObject(schema(value, 0));
export const readParameter = (value: unknown): JsonObject | undefined => {
  const read = parameter(value, 0);
  return isObject(read) ? read : undefined;
};
