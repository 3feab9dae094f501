import { objectName } from '../resources/served-resources.ts';
import type { Printable } from './printable.ts';

/** `pod/web` or `deployment.apps/web` and the end of the line; of lists, a line for each item. */
export function nameText(object: Printable): string {
  const { items, metadata = {} } = object as { items?: readonly Printable[]; metadata?: { readonly name?: string } };
  if (items !== undefined && object.kind.endsWith('List')) return items.map(nameText).join('');
  const slash = object.apiVersion.indexOf('/');
  const group = slash < 0 ? '' : object.apiVersion.slice(0, slash);
  return `${objectName({ kind: object.kind, group }, metadata.name ?? '')}\n`;
}
