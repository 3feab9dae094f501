import { bool, bytes, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, map } from '../../schema/schema.ts';
import { ObjectMeta } from '../meta/object-meta.ts';

export const ConfigMap = kind('core.v1.ConfigMap', {
  metadata: f(1, ObjectMeta),
  immutable: f(4, bool().optional()),
  data: f(2, map(string())),
  binaryData: f(3, map(bytes())),
});
export type ConfigMap = Infer<typeof ConfigMap>;
