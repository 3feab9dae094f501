import { rawExtension } from '../../schema/scalars.ts';
import { f, type Infer, kind, list } from '../../schema/schema.ts';
import { ListMeta } from './object-meta.ts';

export const List = kind('meta.v1.List', {
  metadata: f(1, ListMeta),
  items: f(2, list(rawExtension()).required()),
});
export type List = Infer<typeof List>;
