import { bool, bytes, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, map } from '../../schema/schema.ts';
import { ObjectMeta } from '../meta/object-meta.ts';

export const Secret = kind('core.v1.Secret', {
  metadata: f(1, ObjectMeta),
  immutable: f(5, bool().optional()),
  data: f(2, map(bytes())),
  stringData: f(4, map(string())),
  type: f(3, string().default('Opaque')),
});
export type Secret = Infer<typeof Secret>;
