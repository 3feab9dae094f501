import { rawExtension, string } from '../schema/scalars.ts';
import { f, type Infer, struct } from '../schema/schema.ts';

export const WatchEvent = struct(
  'meta.v1.WatchEvent',
  {
    type: f(1, string().required(), 'ADDED, MODIFIED, DELETED, BOOKMARK or ERROR.'),
    object: f(
      2,
      rawExtension().required(),
      'The object after the change, or its last state when DELETED; only a resource version for BOOKMARK, a Status for ERROR.',
    ),
  },
  { description: 'One change in a stream of changes.' },
);
export type WatchEvent = Infer<typeof WatchEvent>;
