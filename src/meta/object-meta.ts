import { bool, fieldsV1, int64, string, time } from '../schema/scalars.ts';
import { f, type Infer, list, map, struct } from '../schema/schema.ts';

/** An object that another one goes with. */
export const OwnerReference = struct(
  'meta.v1.OwnerReference',
  {
    apiVersion: f(5, string().required(), 'Group and version of the owner.'),
    kind: f(1, string().required(), 'Kind of the owner.'),
    name: f(3, string().required(), 'Name of the owner.'),
    uid: f(4, string().required(), 'UID of the owner; another object of the same name does not count.'),
    controller: f(
      6,
      bool().optional(),
      'Whether the owner is the controller that manages this object; at most one owner may be.',
    ),
    blockOwnerDeletion: f(
      7,
      bool().optional(),
      'Whether the owner stays until this object is gone when it is deleted in the foreground.',
    ),
  },
  {
    topology: { mapType: 'atomic' },
    description:
      'Object that owns this one: in the same namespace, or cluster-wide. When all owners are gone, this object is deleted.',
  },
);
export type OwnerReference = Infer<typeof OwnerReference>;

export const ManagedFieldsEntry = struct(
  'meta.v1.ManagedFieldsEntry',
  {
    manager: f(1, string(), 'Name of the manager, from the fieldManager parameter or the user agent of the request.'),
    operation: f(
      2,
      string(),
      'How the fields came to the manager: Apply for server-side apply, Update for all other writes.',
    ),
    apiVersion: f(3, string(), 'Version that the field paths are written in.'),
    time: f(4, time().optional(), 'When the manager last added, changed or gave up a field.'),
    fieldsType: f(6, string(), 'Format of the field paths; always FieldsV1.'),
    fieldsV1: f(7, fieldsV1().optional(), 'The fields that belong to the manager.'),
    subresource: f(8, string(), 'Subresource that was written through, such as status; empty for the object itself.'),
  },
  { description: 'The fields that one manager has set by one operation, version and subresource.' },
);
export type ManagedFieldsEntry = Infer<typeof ManagedFieldsEntry>;

/** What every object says of itself. */
export const ObjectMeta = struct(
  'meta.v1.ObjectMeta',
  {
    name: f(
      1,
      string(),
      'Name of the object, unique among objects of its kind and namespace. Required unless generateName is set; cannot be changed.',
    ),
    generateName: f(
      2,
      string(),
      'Prefix for a name that the server completes with random characters; used only when name is unset.',
    ),
    namespace: f(3, string(), 'Namespace that the object lives in; empty for cluster-wide kinds. Cannot be changed.'),
    selfLink: f(4, string(), 'No longer set by the server; kept for older clients.'),
    uid: f(
      5,
      string(),
      'Identifier of this object alone, set by the server: an object created later under the same name has another one.',
    ),
    resourceVersion: f(
      6,
      string(),
      'Version of the stored object. Send it with an update to be refused when someone else wrote in between; compare for equality only.',
    ),
    generation: f(7, int64(), 'Number that the server raises whenever the desired state changes.'),
    creationTimestamp: f(8, time(), 'When the object was created; set by the server.'),
    deletionTimestamp: f(
      9,
      time().optional(),
      'When the object will be gone, set by the server on deletion; the object stays until then and until finalizers is empty.',
    ),
    deletionGracePeriodSeconds: f(
      10,
      int64().optional(),
      'Seconds that the object has for an orderly end, set together with deletionTimestamp; can only be shortened.',
    ),
    labels: f(11, map(string()), 'Keys and values that identify and group objects; selectors match them.'),
    annotations: f(12, map(string()), 'Keys and values for tools and people; selectors do not see them.'),
    ownerReferences: f(
      13,
      list(OwnerReference).mergeBy('uid'),
      'Objects that this one belongs to; it is deleted when all of them are gone.',
    ),
    finalizers: f(
      14,
      list(string()).mergeBy(),
      'Names of tasks to be done before the object goes; whoever is responsible removes its entry. Nothing is added once deletion has begun.',
    ),
    managedFields: f(
      17,
      list(ManagedFieldsEntry),
      'Which manager has set which fields; the server keeps it for server-side apply.',
    ),
  },
  { description: 'Metadata that every stored object has: names, labels, ownership and what the server records.' },
);
export type ObjectMeta = Infer<typeof ObjectMeta>;

/** What every list says of itself. */
export const ListMeta = struct(
  'meta.v1.ListMeta',
  {
    selfLink: f(1, string(), 'No longer set by the server; kept for older clients.'),
    resourceVersion: f(2, string(), 'Resource version at which the list was read; a watch can start from here.'),
    continue: f(
      3,
      string(),
      'Send this with the same query to get the next part; empty when the list is complete. It expires after some minutes.',
    ),
    remainingItemCount: f(
      4,
      int64().optional(),
      'About how many objects follow after this part; unset when unknown, as it is with selectors.',
    ),
  },
  { description: 'Metadata of a list: its resource version and how to read on.' },
);
export type ListMeta = Infer<typeof ListMeta>;
