import { bool, double, int64, json, string } from '../../schema/scalars.ts';
import {
  type Fields,
  f,
  type Infer,
  list,
  map,
  type Struct,
  type StructValue,
  struct,
  union,
} from '../../schema/schema.ts';
import type { Vocabulary } from '../../vocabulary.ts';
import { perVocabulary } from './per-vocabulary.ts';

export const ExternalDocumentation = struct('apiextensions.v1.ExternalDocumentation', {
  description: f(1, string()),
  url: f(2, string()),
});
export type ExternalDocumentation = Infer<typeof ExternalDocumentation>;

export const ValidationRule = struct('apiextensions.v1.ValidationRule', {
  rule: f(1, string().required()),
  message: f(2, string()),
});
export type ValidationRule = Infer<typeof ValidationRule>;

const constraints = {
  id: f(1, string()),
  $schema: f(2, string()),
  $ref: f(3, string().optional()),
  description: f(4, string()),
  type: f(5, string()),
  format: f(6, string()),
  title: f(7, string()),
  default: f(8, json().optional()),
  maximum: f(9, double().optional()),
  exclusiveMaximum: f(10, bool()),
  minimum: f(11, double().optional()),
  exclusiveMinimum: f(12, bool()),
  maxLength: f(13, int64().optional()),
  minLength: f(14, int64().optional()),
  pattern: f(15, string()),
  maxItems: f(16, int64().optional()),
  minItems: f(17, int64().optional()),
  uniqueItems: f(18, bool()),
  multipleOf: f(19, double().optional()),
  enum: f(20, list(json())),
  maxProperties: f(21, int64().optional()),
  minProperties: f(22, int64().optional()),
  required: f(23, list(string())),
};

const annotations = {
  externalDocs: f(35, ExternalDocumentation.optional()),
  example: f(36, json().optional()),
  nullable: f(37, bool()),
};

/** What a schema says beyond the standard. */
const extensions = {
  preserveUnknownFields: f(38, bool().optional()),
  embeddedResource: f(39, bool()),
  intOrString: f(40, bool()),
  listMapKeys: f(41, list(string())),
  listType: f(42, string().optional()),
  mapType: f(43, string().optional()),
  validations: f(44, list(ValidationRule).mapBy('rule').mergeBy('rule')),
};
export type SchemaExtensions = StructValue<typeof extensions>;

/** Adds the extensions, under the names they have in a vocabulary. */
function withExtensions<F extends Fields>(fields: F, vocabulary: Vocabulary): F {
  const names: Readonly<Record<string, string>> = vocabulary.openapiExtensions;
  const spelled = Object.entries(extensions).map(([key, field]) => [names[key], field] as const);
  return { ...fields, ...Object.fromEntries(spelled) };
}

/**
 * The schema of a custom kind. Its extensions are not among these properties, because their names depend on the
 * vocabulary: `schemaExtensions` reads them.
 */
export interface JSONSchemaProps extends StructValue<typeof constraints>, StructValue<typeof annotations> {
  items?: JSONSchemaProps | JSONSchemaProps[];
  allOf?: JSONSchemaProps[];
  oneOf?: JSONSchemaProps[];
  anyOf?: JSONSchemaProps[];
  not?: JSONSchemaProps;
  properties?: { [name: string]: JSONSchemaProps };
  additionalProperties?: JSONSchemaProps | boolean;
  patternProperties?: { [pattern: string]: JSONSchemaProps };
  dependencies?: { [name: string]: JSONSchemaProps | string[] };
  additionalItems?: JSONSchemaProps | boolean;
  definitions?: { [name: string]: JSONSchemaProps };
}

/** Reads the extensions of a schema that was written in this vocabulary. */
export function schemaExtensions(schema: JSONSchemaProps, vocabulary: Vocabulary): SchemaExtensions {
  const names: Readonly<Record<string, string>> = vocabulary.openapiExtensions;
  const written: Readonly<Record<string, unknown>> = { ...schema };
  const read = Object.keys(extensions).map((key) => [key, written[names[key] ?? '']] as const);
  return Object.fromEntries(read.filter(([, value]) => value !== undefined));
}

/** The declaration of schemas of custom kinds. */
export const jsonSchemaProps = perVocabulary((vocabulary): Struct<JSONSchemaProps> => {
  const Self = (): Struct<JSONSchemaProps> => Props;
  const optionalSelf = () => Props.optional().always();
  const OrArray = union<JSONSchemaProps | JSONSchemaProps[]>('apiextensions.v1.JSONSchemaPropsOrArray', {
    schema: { takes: 'object', number: 1, node: optionalSelf },
    jSONSchemas: { takes: 'array', number: 2, node: () => list(Self).always() },
  });
  const OrBool = union<JSONSchemaProps | boolean>('apiextensions.v1.JSONSchemaPropsOrBool', {
    allows: { takes: 'boolean', number: 1, node: () => bool().always() },
    schema: { takes: 'object', number: 2, node: optionalSelf, implies: { allows: true } },
  });
  const OrStringArray = union<JSONSchemaProps | string[]>('apiextensions.v1.JSONSchemaPropsOrStringArray', {
    schema: { takes: 'object', number: 1, node: optionalSelf },
    property: { takes: 'array', number: 2, node: () => list(string()).always() },
  });
  const fields = () => ({
    ...constraints,
    items: f(24, OrArray.optional()),
    allOf: f(25, list(Self)),
    oneOf: f(26, list(Self)),
    anyOf: f(27, list(Self)),
    not: f(28, Props.optional()),
    properties: f(29, map(Self)),
    additionalProperties: f(30, OrBool.optional()),
    patternProperties: f(31, map(Self)),
    dependencies: f(32, map(OrStringArray)),
    additionalItems: f(33, OrBool.optional()),
    definitions: f(34, map(Self)),
    ...annotations,
  });
  const Props: Struct<JSONSchemaProps> = struct('apiextensions.v1.JSONSchemaProps', () =>
    withExtensions(fields(), vocabulary),
  );
  return Props;
});
