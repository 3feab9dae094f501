import type { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import type { SelectableField } from './custom-resource-definition.ts';
import { readFieldPath } from './field-path.ts';
import type { JSONSchemaProps } from './json-schema.ts';

/** Each is read of every object that is written, and kept with it. */
const MOST_FIELDS = 8;
const TYPES = ['string', 'integer', 'boolean'];

/** Every problem of the fields that objects of a schema are to be selected by. */
export function validateSelectableFields(
  fields: readonly SelectableField[],
  root: JSONSchemaProps,
  path: Path,
  problems: Problems,
): void {
  if (fields.length > MOST_FIELDS) {
    problems.tooMany(path, fields.length, MOST_FIELDS);
    return;
  }
  const known = new Set<string>();
  fields.forEach(({ jsonPath }, index) => {
    const at = path.index(index);
    if (!jsonPath) problems.required(at.child('jsonPath'));
    else if (known.has(jsonPath)) problems.duplicate(at, jsonPath);
    else validatePath(jsonPath, root, at, problems);
    known.add(jsonPath);
  });
}

function validatePath(jsonPath: string, root: JSONSchemaProps, at: Path, problems: Problems): void {
  const read = readFieldPath(jsonPath, root);
  if ('problem' in read) {
    problems.invalid(at.child('jsonPath'), jsonPath, `is an invalid path: ${read.problem}`);
    return;
  }
  // Selectors name fields with dots between them, and nothing else; entries of maps are no fields.
  if (jsonPath.includes('[') || read.segments.some(({ isKey }) => isKey)) {
    problems.invalid(at.child('jsonPath'), jsonPath, 'is an invalid path: can only name fields of objects');
  } else if (read.segments[0]?.name === 'metadata') {
    problems.invalid(at, jsonPath, 'must not point to fields in metadata');
  } else if (!TYPES.includes(read.schema.type ?? '')) {
    const types = 'must point to a field of type string, boolean or integer. ';
    problems.invalid(at, jsonPath, `${types}Enum string fields and strings with formats are allowed.`);
  }
}
