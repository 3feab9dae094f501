import { bool, bytes, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, map } from '../../schema/schema.ts';
import { ObjectMeta } from '../meta/object-meta.ts';

export const Secret = kind(
  'core.v1.Secret',
  {
    metadata: f(1, ObjectMeta),
    immutable: f(5, bool().optional(), 'The data can never change again.'),
    data: f(2, map(bytes()), 'Bytes by name.'),
    stringData: f(4, map(string()), 'Texts that are added to data on write; never shown.'),
    type: f(3, string().default('Opaque'), 'What the data must look like.'),
  },
  {
    description: 'Small confidential data such as passwords, tokens and keys.',
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
