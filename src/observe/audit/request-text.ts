import type { DocumentType } from '../../request/record.ts';
import { canonicalise } from '../../schema/derive/canonical.ts';
import { applyDefaults } from '../../schema/derive/defaults.ts';
import { TypeMismatch } from '../../schema/derive/reading.ts';
import { withoutManagedFields } from './managed-fields.ts';

/**
 * What a client sent, as JSON on one line: an object as the server understands it, defaults filled in; a change of one as
 * it is. Undefined when the server can make no object of it.
 */
export function requestText(
  document: unknown,
  type: DocumentType | undefined,
  omitManagedFields: boolean,
): string | undefined {
  const read = type ? objectOf(document, type) : document;
  if (read === undefined) return undefined;
  return JSON.stringify(omitManagedFields ? withoutManagedFields(read) : read);
}

function objectOf(document: unknown, { group, version, kind, schema }: DocumentType): unknown {
  if (typeof document !== 'object' || document === null) return undefined;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const own = { kind, apiVersion };
  const claimed = { ...own, ...document };
  if ((claimed.kind && claimed.kind !== kind) || (claimed.apiVersion && claimed.apiVersion !== apiVersion)) {
    return undefined;
  }
  try {
    const { value } = canonicalise(schema, { ...document, ...own });
    applyDefaults(schema, value);
    return value;
  } catch (error) {
    if (error instanceof TypeMismatch) return undefined;
    throw error;
  }
}
