import { f, type Infer, kind } from '../../schema/schema.ts';
import { ObjectMeta } from './object-meta.ts';

export const PartialObjectMetadata = kind(
  'meta.v1.PartialObjectMetadata',
  {
    metadata: f(1, ObjectMeta),
  },
  { description: 'The metadata of any object, without the rest of it.' },
);
export type PartialObjectMetadata = Infer<typeof PartialObjectMetadata>;
