import type { StructShape } from '../schema/node.ts';
import { rawExtension } from '../schema/scalars.ts';
import { f, type Infer, kind, list, type Struct, type TypeMeta } from '../schema/schema.ts';
import { ListMeta } from './object-meta.ts';

export const List = kind(
  'meta.v1.List',
  {
    metadata: f(1, ListMeta),
    items: f(2, list(rawExtension()).required(), 'The objects; each has its own kind and apiVersion.'),
  },
  { description: 'Objects of any kinds, one after another.' },
);
export type List = Infer<typeof List>;

/** The list of a kind. */
export interface ListOf<T> extends TypeMeta {
  readonly metadata: ListMeta;
  readonly items: readonly T[] | null;
}

const lists = new WeakMap<StructShape, Struct<ListOf<unknown>>>();

/** Lists of all kinds look alike, so none is declared: metadata, and the items. The same one each time. */
export function listOf<T>(item: Struct<T>): Struct<ListOf<T>>;
export function listOf(item: Struct<unknown>): Struct<ListOf<unknown>> {
  const known = lists.get(item.shape);
  if (known) return known;
  const { name } = item.shape;
  const itemKind = name.slice(name.lastIndexOf('.') + 1);
  const made = kind(
    `${name}List`,
    {
      metadata: f(1, ListMeta),
      items: f(2, list(item).required(), `The objects of kind ${itemKind}; empty when there are none.`),
    },
    { description: `List of ${itemKind} objects, as of one resource version.` },
  );
  lists.set(item.shape, made);
  return made;
}
