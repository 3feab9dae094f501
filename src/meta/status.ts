import { int32, string } from '../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../schema/schema.ts';
import { ListMeta } from './object-meta.ts';

export const StatusCause = struct(
  'meta.v1.StatusCause',
  {
    reason: f(1, string(), 'What is wrong, in one CamelCase word that programs can read, such as FieldValueInvalid.'),
    message: f(2, string(), 'What is wrong, for people.'),
    field: f(3, string(), 'Path of the field it is about, such as spec.ports[0].name; empty if it is about no field.'),
  },
  { description: 'One of the things that are wrong with a request.' },
);
export type StatusCause = Infer<typeof StatusCause>;

export const StatusDetails = struct(
  'meta.v1.StatusDetails',
  {
    name: f(1, string(), 'Name of the object that the request was for.'),
    group: f(2, string(), 'API group of the object.'),
    kind: f(3, string(), 'Kind of the object, or the name of its resource.'),
    uid: f(6, string(), 'UID of the object, if a single one is meant.'),
    causes: f(
      4,
      list(StatusCause),
      'Each of the things that are wrong, if there is more to say than the message does.',
    ),
    retryAfterSeconds: f(
      5,
      int32(),
      'Seconds to wait before the request is sent again; for some errors the time after which an action must be taken.',
    ),
  },
  { description: 'What a status is about, and details of its reason.' },
);
export type StatusDetails = Infer<typeof StatusDetails>;

export const Status = kind(
  'meta.v1.Status',
  {
    metadata: f(1, ListMeta, 'Empty metadata of a list, present for historical reasons.'),
    status: f(2, string(), 'Success or Failure.'),
    message: f(3, string(), 'What happened, for people.'),
    reason: f(
      4,
      string(),
      'Why the request failed, in one CamelCase word that programs can read, such as NotFound or Conflict.',
    ),
    details: f(5, StatusDetails.optional(), 'What the status is about; the fields used depend on reason.'),
    code: f(6, int32(), 'The HTTP status code.'),
  },
  { description: 'Outcome of a request that returns no object: an error, or the success of a deletion.' },
);
export type Status = Infer<typeof Status>;
