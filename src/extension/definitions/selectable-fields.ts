import type { SelectableField as Declared } from '../../kinds/apiextensions/custom-resource-definition.ts';
import type { ApiObject, SelectableField } from '../../registry/resource-type.ts';
import { namesIn, valueAt } from './value-at.ts';

/** By what field selectors call them: their path without the dot before it. Undefined when there are none. */
export function customFields(
  declared: readonly Declared[] = [],
): Readonly<Record<string, SelectableField<ApiObject>>> | undefined {
  if (declared.length === 0) return undefined;
  const fields = declared.map(({ jsonPath }) => [jsonPath.slice(1), readerOf(jsonPath)] as const);
  return Object.fromEntries(fields);
}

function readerOf(path: string): SelectableField<ApiObject> {
  const names = namesIn(path);
  return (object) => textOf(valueAt(object, names));
}

/** Objects may have been stored when the schema had another type there. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
