import { ObjectMeta } from '../../../meta/object-meta.ts';
import { partsInNameOrder } from '../../../schema/name-order.ts';
import { time } from '../../../schema/scalars.ts';
import { f, struct } from '../../../schema/schema.ts';

/** Metadata of custom objects. */
export const CustomMeta: typeof ObjectMeta = partsInNameOrder(ObjectMeta);

/** Metadata of an object that travels inside of another: as little as was sent. */
export const EmbeddedMeta = struct(
  ObjectMeta.shape.name,
  { ...CustomMeta.shape.fields, creationTimestamp: f(8, time().optional()) },
  { description: ObjectMeta.shape.description },
);
