import { oneOf } from '../../meta/field-rules.ts';
import type { JSONSchemaProps } from './json-schema.ts';
import type { SchemaPlace } from './schema-place.ts';

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

const UNSUPPORTED = ['id', '$ref', 'additionalItems', 'patternProperties', 'definitions', 'dependencies'] as const;

/** Whether a schema has words that it must not have: what shape it gives values cannot be told then. */
export const isUnsupported = (schema: JSONSchemaProps): boolean =>
  UNSUPPORTED.some((word) => schema[word] !== undefined);

/** What makes values too costly to check, or their shape too hard to tell. */
export function refuseUnsupported(schema: JSONSchemaProps, { path, problems }: SchemaPlace): void {
  for (const field of UNSUPPORTED) {
    if (schema[field] !== undefined) problems.forbidden(path.child(field), `${field} is not supported`);
  }
  if (schema.uniqueItems) {
    const why = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    problems.forbidden(path.child('uniqueItems'), why);
  }
  if (schema.additionalProperties !== undefined && schema.properties) {
    const why = 'additionalProperties and properties are mutual exclusive';
    problems.forbidden(path.child('additionalProperties'), why);
  }
  if (Array.isArray(schema.items)) {
    problems.forbidden(path.child('items'), 'items must be a schema object and not an array');
  }
  if (schema.type === 'null') {
    problems.forbidden(path.child('type'), 'type cannot be set to null, use nullable as an alternative');
  } else if (schema.type) oneOf(problems, path, 'type', schema.type, TYPES);
}
