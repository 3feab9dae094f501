import { bool, bytes, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, map } from '../../schema/schema.ts';
import { ObjectMeta } from '../meta/object-meta.ts';

export const ConfigMap = kind(
  'core.v1.ConfigMap',
  {
    metadata: f(1, ObjectMeta),
    immutable: f(4, bool().optional(), 'The data can never change again.'),
    data: f(2, map(string()), 'Texts by name.'),
    binaryData: f(3, map(bytes()), 'Bytes by name.'),
  },
  { description: 'Configuration that is no secret, as named texts or binary data.' },
);
export type ConfigMap = Infer<typeof ConfigMap>;
