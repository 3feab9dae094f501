import type { Printable } from './printable.ts';

/** Without the record of who manages which fields, which few people want to read; of lists, without that of each item. */
export function withoutManagedFields<T extends Printable>(object: T): T {
  const { metadata, items } = object as { metadata?: unknown; items?: unknown };
  return {
    ...object,
    ...(isObject(metadata) && 'managedFields' in metadata ? { metadata: stripped(metadata) } : {}),
    ...(Array.isArray(items) ? { items: (items as readonly Printable[]).map(withoutManagedFields) } : {}),
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const stripped = ({ managedFields: _, ...rest }: Record<string, unknown>): Record<string, unknown> => rest;
