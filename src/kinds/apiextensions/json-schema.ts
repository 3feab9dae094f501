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
  type Values,
} from '../../schema/schema.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { perVocabulary } from './per-vocabulary.ts';

export const ExternalDocumentation = struct(
  'apiextensions.v1.ExternalDocumentation',
  {
    description: f(1, string(), 'What is found there.'),
    url: f(2, string(), 'Where it is found.'),
  },
  { description: 'Further documentation elsewhere.' },
);
export type ExternalDocumentation = Infer<typeof ExternalDocumentation>;

export const ValidationRule = struct(
  'apiextensions.v1.ValidationRule',
  {
    rule: f(
      1,
      string().required(),
      'CEL expression that must be true; self is the value, oldSelf the one before an update. Rules with oldSelf run on updates only.',
    ),
    message: f(2, string(), 'What the error says when the rule is violated. Unset: the rule itself.'),
    messageExpression: f(
      3,
      string().unpublished(),
      'CEL expression of type string that gives the message; where it gives none, message counts.',
    ),
    reason: f(
      4,
      string().optional().unpublished(),
      'Reason of the error: FieldValueInvalid (the default), FieldValueForbidden, FieldValueRequired or FieldValueDuplicate.',
    ),
    fieldPath: f(
      5,
      string().unpublished(),
      "Path of the field that the error names, below the value, such as .spec.size or .labels['a.b'].",
    ),
    optionalOldSelf: f(
      6,
      bool().optional().unpublished(),
      'True also runs a rule with oldSelf where there is no old value: oldSelf is an optional value then.',
    ),
  },
  { description: 'An expression that values must satisfy.' },
);
export type ValidationRule = Infer<typeof ValidationRule>;

const constraints = {
  id: f(1, string(), 'Identifier of the schema; without effect.'),
  $schema: f(2, string(), 'Dialect of the schema; without effect.'),
  $ref: f(3, string().optional(), 'Reference to another schema; not allowed in definitions of custom kinds.'),
  description: f(4, string(), 'What the value is for; shown by explain.'),
  type: f(
    5,
    string(),
    'Type of the value: object, array, string, integer, number or boolean. Required unless another word allows more than one type.',
  ),
  format: f(
    6,
    string(),
    'Further restriction of strings and numbers, such as date-time, byte or int32; unknown formats are ignored.',
  ),
  title: f(7, string(), 'Short name of the value, for people.'),
  default: f(8, json().optional(), 'Value that is filled in where none is given; must satisfy the schema.'),
  maximum: f(9, double().optional(), 'Largest number that is allowed.'),
  exclusiveMaximum: f(10, bool(), 'Whether maximum itself is excluded.'),
  minimum: f(11, double().optional(), 'Smallest number that is allowed.'),
  exclusiveMinimum: f(12, bool(), 'Whether minimum itself is excluded.'),
  maxLength: f(13, int64().optional(), 'Most characters of a string.'),
  minLength: f(14, int64().optional(), 'Fewest characters of a string.'),
  pattern: f(15, string(), 'Regular expression that a string must match somewhere; anchor it to match the whole.'),
  maxItems: f(16, int64().optional(), 'Most elements of an array.'),
  minItems: f(17, int64().optional(), 'Fewest elements of an array.'),
  uniqueItems: f(
    18,
    bool(),
    'Whether elements of an array must differ; true is not allowed in definitions of custom kinds: use the list type set.',
  ),
  multipleOf: f(19, double().optional(), 'Number that values must be a multiple of.'),
  enum: f(20, list(json()), 'The only values that are allowed.'),
  maxProperties: f(21, int64().optional(), 'Most properties of an object.'),
  minProperties: f(22, int64().optional(), 'Fewest properties of an object.'),
  required: f(23, list(string()), 'Names of properties that an object must have.'),
};

const annotations = {
  externalDocs: f(35, ExternalDocumentation.optional(), 'Further documentation elsewhere.'),
  example: f(36, json().optional(), 'An example of the value, for people.'),
  nullable: f(37, bool(), 'Whether null is allowed. Where it is not, a null is replaced by the default, or removed.'),
};

/** What a schema says beyond the standard. */
const extensions = {
  preserveUnknownFields: f(
    38,
    bool().optional(),
    'True keeps fields of the object that the schema does not name; otherwise they are removed.',
  ),
  embeddedResource: f(
    39,
    bool(),
    'True for an object that has apiVersion, kind and metadata of its own, which are checked too.',
  ),
  intOrString: f(40, bool(), 'True for a value that may be an integer or a string; type must then be unset.'),
  listMapKeys: f(
    41,
    list(string()),
    'With list type map: the properties that tell elements apart; they must be required or have a default.',
  ),
  listType: f(
    42,
    string().optional(),
    'How writers share an array: atomic has one owner, set merges scalars by value, map merges objects by their keys. Default atomic.',
  ),
  mapType: f(
    43,
    string().optional(),
    'How writers share an object: granular (the default) has an owner for each field, atomic one for the whole.',
  ),
  validations: f(
    44,
    list(ValidationRule).mapBy('rule').mergeBy('rule'),
    'CEL expressions that the value must satisfy.',
  ),
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
  readonly items?: JSONSchemaProps | readonly JSONSchemaProps[];
  readonly allOf?: readonly JSONSchemaProps[];
  readonly oneOf?: readonly JSONSchemaProps[];
  readonly anyOf?: readonly JSONSchemaProps[];
  readonly not?: JSONSchemaProps;
  readonly properties?: Values<JSONSchemaProps>;
  readonly additionalProperties?: JSONSchemaProps | boolean;
  readonly patternProperties?: Values<JSONSchemaProps>;
  readonly dependencies?: Values<JSONSchemaProps | readonly string[]>;
  readonly additionalItems?: JSONSchemaProps | boolean;
  readonly definitions?: Values<JSONSchemaProps>;
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
  const OrArray = union<JSONSchemaProps | readonly JSONSchemaProps[]>('apiextensions.v1.JSONSchemaPropsOrArray', {
    schema: { takes: 'object', number: 1, node: optionalSelf },
    jSONSchemas: { takes: 'array', number: 2, node: () => list(Self).always() },
  });
  const OrBool = union<JSONSchemaProps | boolean>('apiextensions.v1.JSONSchemaPropsOrBool', {
    allows: { takes: 'boolean', number: 1, node: () => bool().always() },
    schema: { takes: 'object', number: 2, node: optionalSelf, implies: { allows: true } },
  });
  const OrStringArray = union<JSONSchemaProps | readonly string[]>('apiextensions.v1.JSONSchemaPropsOrStringArray', {
    schema: { takes: 'object', number: 1, node: optionalSelf },
    property: { takes: 'array', number: 2, node: () => list(string()).always() },
  });
  const fields = () => ({
    ...constraints,
    items: f(
      24,
      OrArray.optional(),
      'Schema of the elements of an array; an array of schemas is not allowed in definitions of custom kinds.',
    ),
    allOf: f(25, list(Self), 'Schemas that must all be satisfied.'),
    oneOf: f(26, list(Self), 'Schemas of which exactly one must be satisfied.'),
    anyOf: f(27, list(Self), 'Schemas of which at least one must be satisfied.'),
    not: f(28, Props.optional(), 'Schema that must not be satisfied.'),
    properties: f(29, map(Self), 'Schemas of the properties of an object, by name.'),
    additionalProperties: f(
      30,
      OrBool.optional(),
      'Schema of properties that are not named, or true to allow any; makes the object a map. Excludes properties.',
    ),
    patternProperties: f(
      31,
      map(Self),
      'Schemas of properties whose names match a pattern; not allowed in definitions of custom kinds.',
    ),
    dependencies: f(
      32,
      map(OrStringArray),
      'What must hold when a property is present; not allowed in definitions of custom kinds.',
    ),
    additionalItems: f(
      33,
      OrBool.optional(),
      'Schema of array elements beyond those in items; not allowed in definitions of custom kinds.',
    ),
    definitions: f(34, map(Self), 'Schemas to refer to by name; not allowed in definitions of custom kinds.'),
    ...annotations,
  });
  const Props: Struct<JSONSchemaProps> = struct(
    'apiextensions.v1.JSONSchemaProps',
    () => withExtensions(fields(), vocabulary),
    { description: 'Schema of a value, in the dialect of OpenAPI v3 with extensions of the platform.' },
  );
  return Props;
});
