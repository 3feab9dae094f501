import { ObjectMeta } from '../../meta/object-meta.ts';
import { time } from '../../schema/scalars.ts';
import { f, struct } from '../../schema/schema.ts';

/** Metadata of an object that travels inside of another: as little as was sent. */
export const EmbeddedMeta = struct(
  ObjectMeta.shape.name,
  { ...ObjectMeta.shape.fields, creationTimestamp: f(8, time().optional()) },
  { description: ObjectMeta.shape.description },
);
