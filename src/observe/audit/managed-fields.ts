import { isObject } from '../../schema/json-object.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** A document without the owners of fields: an object, each item of a list, each object that a table shows. */
export function withoutManagedFields(document: unknown): unknown {
  if (!isObject(document)) return document;
  const { metadata, items, rows } = document;
  return {
    ...document,
    ...(isObject(metadata) ? { metadata: withoutOwners(metadata) } : {}),
    ...(Array.isArray(items) ? { items: items.map(withoutManagedFields) } : {}),
    ...(Array.isArray(rows) ? { rows: rows.map(rowWithoutOwners) } : {}),
  };
}

function withoutOwners({ managedFields: _, ...metadata }: JsonObject): JsonObject {
  return metadata;
}

const rowWithoutOwners = (row: unknown): unknown =>
  isObject(row) && 'object' in row ? { ...row, object: withoutManagedFields(row.object) } : row;
