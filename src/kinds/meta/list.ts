import { rawExtension } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, type Struct, type StructShape, type TypeMeta } from '../../schema/schema.ts';
import { ListMeta } from './object-meta.ts';

export const List = kind('meta.v1.List', {
  metadata: f(1, ListMeta),
  items: f(2, list(rawExtension()).required()),
});
export type List = Infer<typeof List>;

/** The list of a kind. */
export interface ListOf<T> extends TypeMeta {
  metadata: ListMeta;
  items: T[] | null;
}

const lists = new WeakMap<StructShape, Struct<ListOf<unknown>>>();

/** Lists of all kinds look alike, so none is declared: metadata, and the items. The same one each time. */
export function listOf<T>(item: Struct<T>): Struct<ListOf<T>>;
export function listOf(item: Struct<unknown>): Struct<ListOf<unknown>> {
  const known = lists.get(item.shape);
  if (known) return known;
  const made = kind(`${item.shape.name}List`, { metadata: f(1, ListMeta), items: f(2, list(item).required()) });
  lists.set(item.shape, made);
  return made;
}
