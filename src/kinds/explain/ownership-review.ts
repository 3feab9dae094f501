import { ObjectMeta } from '../../meta/object-meta.ts';
import { bool, int64, json, string, time } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { ExplainedObject } from './explained-object.ts';
import { ObjectVersion } from './object-version.ts';

export const FieldOwner = struct(
  'explain.v1alpha1.FieldOwner',
  {
    manager: f(1, string().required(), 'Name of the manager.'),
    operation: f(2, string(), 'Apply or Update.'),
    subresource: f(3, string(), 'Subresource through which it writes, such as status.'),
    apiVersion: f(4, string(), 'Version of the kind in which it writes.'),
    time: f(5, time().optional(), 'When it last changed any field of the object.'),
  },
  { description: 'Who is recorded as the owner of a field.' },
);
export type FieldOwner = Infer<typeof FieldOwner>;

export const FieldStory = struct(
  'explain.v1alpha1.FieldStory',
  {
    path: f(1, string().required(), 'Path of the field, such as .spec.containers[name="web"].image.'),
    value: f(4, json().optional(), 'Value now; missing for an element of a list, whose fields follow.'),
    owners: f(2, list(FieldOwner), 'Who owns it; nobody owns what the server sets.'),
    setBy: f(3, ObjectVersion.optional(), 'The version that gave it this value; missing when that is not remembered.'),
    previous: f(5, json().optional(), 'Value before that; missing when there was none.'),
  },
  { description: 'A field, and where its value comes from.' },
);
export type FieldStory = Infer<typeof FieldStory>;

export const OwnershipReviewSpec = struct(
  'explain.v1alpha1.OwnershipReviewSpec',
  {
    object: f(1, ExplainedObject.required(), 'Which object is asked about.'),
    fieldPrefix: f(2, string(), 'Only fields whose path begins so, such as .spec.'),
  },
  { description: 'Whose fields to tell about.' },
);
export type OwnershipReviewSpec = Infer<typeof OwnershipReviewSpec>;

export const OwnershipReviewStatus = struct(
  'explain.v1alpha1.OwnershipReviewStatus',
  {
    resourceVersion: f(1, string().required(), 'Resource version of the object that is told about.'),
    fields: f(2, list(FieldStory), 'Fields in the order of the object.'),
    remainingFields: f(3, int64(), 'How many more fields there are than could be told.'),
    versionsRead: f(4, int64().required(), 'How many older versions were looked at.'),
    complete: f(5, bool().required(), 'Whether all versions that are remembered were looked at, as far as needed.'),
  },
  { description: 'Who owns the fields of an object, and who set them.' },
);
export type OwnershipReviewStatus = Infer<typeof OwnershipReviewStatus>;

export const OwnershipReview = kind(
  'explain.v1alpha1.OwnershipReview',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, OwnershipReviewSpec.required()),
    status: f(3, OwnershipReviewStatus),
  },
  { description: 'Asks who owns each field of an object, and who gave it its value; nothing is stored.' },
);
export type OwnershipReview = Infer<typeof OwnershipReview>;
