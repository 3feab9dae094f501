import { ObjectMeta } from '../../../meta/object-meta.ts';
import { bool, bytes, string } from '../../../schema/scalars.ts';
import { f, type Infer, kind, map } from '../../../schema/schema.ts';

export const Secret = kind(
  'core.v1.Secret',
  {
    metadata: f(1, ObjectMeta, 'Standard object metadata: name, namespace, labels, annotations, owners.'),
    immutable: f(
      5,
      bool().optional(),
      'True forbids any further change of data, and cannot be taken back. Unset or false allows changes.',
    ),
    data: f(2, map(bytes()), 'Bytes by key, in base64. Keys consist of letters, digits, dashes, underscores and dots.'),
    stringData: f(
      4,
      map(string()),
      'Texts by key, for convenience: they are stored in data, winning over entries there, and never shown.',
    ),
    type: f(
      3,
      string().default('Opaque'),
      'What the secret is for; some types require certain keys. Opaque (default) may hold anything. Cannot be changed.',
    ),
  },
  {
    description: 'Small confidential data such as passwords, tokens and keys, at most 1 MiB in all.',
    // Texts are another way to write data: nothing but data is ever stored, shown or owned.
    defaults(secret) {
      if (secret.stringData === undefined) return;
      const encoded = Object.entries(secret.stringData).map(([key, text]) => [
        key,
        Buffer.from(text).toString('base64'),
      ]);
      secret.data = { ...secret.data, ...Object.fromEntries(encoded) };
      delete secret.stringData;
    },
  },
);
export type Secret = Infer<typeof Secret>;
