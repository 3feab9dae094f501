import { f, type Infer, kind } from '../schema/schema.ts';
import { ObjectMeta } from './object-meta.ts';

export const PartialObjectMetadata = kind(
  'meta.v1.PartialObjectMetadata',
  {
    metadata: f(1, ObjectMeta),
  },
  {
    description: 'Metadata of an object of any kind, without its other fields; for clients that ask for nothing else.',
  },
);
export type PartialObjectMetadata = Infer<typeof PartialObjectMetadata>;
