import { string, time } from '../../schema/scalars.ts';
import { f, type Infer, struct } from '../../schema/schema.ts';

export const ObjectVersion = struct(
  'explain.v1alpha1.ObjectVersion',
  {
    resourceVersion: f(1, string().required(), 'Resource version of this state of the object.'),
    uid: f(2, string(), 'Unique identifier of the object; another one when it was deleted and made anew.'),
    time: f(3, time(), 'When it was stored.'),
    event: f(
      4,
      string().required(),
      'What happened: Created, Updated or Deleted; Unknown for a state older than what is remembered.',
    ),
    attribution: f(
      5,
      string().required(),
      'Known when this server stored the version and still remembers for whom. Else Unknown: it was stored by another server, before the last start, or too long ago.',
    ),
    user: f(6, string(), 'Name of the user who made it; empty when unknown.'),
    verb: f(
      7,
      string(),
      'What the request did, such as patch; empty when unknown, and for what the server did by itself.',
    ),
    subresource: f(8, string(), 'Subresource through which it was made, such as status.'),
    fieldManager: f(
      9,
      string(),
      'Manager of the fields that were written. Read off the record of owners where the attribution is unknown.',
    ),
    operation: f(10, string(), 'Apply or Update; empty where nothing says it.'),
    auditID: f(11, string(), 'Identifier of the request, the same as in the audit log; empty when unknown.'),
  },
  { description: 'One state of an object, and who made it.' },
);
export type ObjectVersion = Infer<typeof ObjectVersion>;
