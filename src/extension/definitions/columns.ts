import type { CustomResourceColumnDefinition } from '../../kinds/apiextensions/custom-resource-definition.ts';
import { nameColumn } from '../../kinds/columns.ts';
import { age } from '../../kinds/printing.ts';
import type { ApiObject, Column } from '../../registry/resource-type.ts';
import { isObject } from '../../schema/json-object.ts';
import { sortedJson } from '../../schema/sorted-json.ts';
import { canonicalTime } from '../../schema/time.ts';
import { type JsonPath, jsonPath } from './json-path.ts';
import { JsonPathError } from './json-path-syntax.ts';

const AGE: CustomResourceColumnDefinition = {
  name: 'Age',
  type: 'date',
  description: 'Time since the object was created.',
  jsonPath: '.metadata.creationTimestamp',
};

/** The columns of a custom kind: the name, then what the definition lists, or the age when it lists nothing. */
export function customColumns(definitions: readonly CustomResourceColumnDefinition[] = []): Column<ApiObject>[] {
  return [nameColumn, ...(definitions.length === 0 ? [AGE] : definitions).map(columnOf)];
}

function columnOf(definition: CustomResourceColumnDefinition): Column<ApiObject> {
  const { name, format = '', priority = 0, description = '' } = definition;
  const type = typeOf(definition.type);
  const find = finderOf(definition.jsonPath);
  return {
    name,
    type,
    format,
    priority,
    description:
      description === ''
        ? `Custom resource definition column (in JSONPath format): ${definition.jsonPath}`
        : description,
    cell: (object, now) => CELLS[type](find.first(object), now),
  };
}

type CellType = Column<ApiObject>['type'];

const TYPES: readonly CellType[] = ['string', 'integer', 'number', 'boolean', 'date'];

const typeOf = (text: string): CellType => TYPES.find((type) => type === text) ?? 'string';

/** Definitions may have been stored when fewer paths were refused: a column without a path is empty. */
function finderOf(text: string): JsonPath {
  try {
    return jsonPath(text);
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
    return { first: () => undefined };
  }
}

/** What a cell of each type shows of a value; null where it is of another type. */
const CELLS: Readonly<Record<CellType, (value: unknown, now: number) => unknown>> = {
  string: textCell,
  integer: (value) => (typeof value === 'number' ? Math.trunc(value) : null),
  number: (value) => (typeof value === 'number' ? value : null),
  boolean: (value) => (typeof value === 'boolean' ? value : null),
  date: dateCell,
};

function textCell(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value;
  return isObject(value) || Array.isArray(value) ? sortedJson(value) : String(value);
}

function dateCell(value: unknown, now: number): unknown {
  if (typeof value !== 'string') return null;
  const time = canonicalTime(value);
  return time === undefined || time === '' ? '<invalid>' : age(time, now);
}
