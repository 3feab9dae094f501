import { ObjectMeta } from '../../../meta/object-meta.ts';
import { bool, bytes, string } from '../../../schema/scalars.ts';
import { f, type Infer, kind, map } from '../../../schema/schema.ts';

export const ConfigMap = kind(
  'core.v1.ConfigMap',
  {
    metadata: f(1, ObjectMeta, 'Standard object metadata: name, namespace, labels, annotations, owners.'),
    immutable: f(
      4,
      bool().optional(),
      'True forbids any further change of data and binaryData, and cannot be taken back. Unset or false allows changes.',
    ),
    data: f(
      2,
      map(string()),
      'Texts by key. A key of letters, digits, dashes, underscores and dots becomes a file name when mounted; it must not be in binaryData too.',
    ),
    binaryData: f(3, map(bytes()), 'Bytes by key, in base64. Keys follow the rules of data and must not be there too.'),
  },
  {
    description:
      'Configuration for pods as named texts or binary data, at most 1 MiB in all. Not for confidential data: use a Secret for that.',
  },
);
export type ConfigMap = Infer<typeof ConfigMap>;
