import { bool, fieldsV1, int64, string, time } from '../../schema/scalars.ts';
import { f, type Infer, list, map, struct } from '../../schema/schema.ts';

export const OwnerReference = struct(
  'meta.v1.OwnerReference',
  {
    apiVersion: f(5, string().required()),
    kind: f(1, string().required()),
    name: f(3, string().required()),
    uid: f(4, string().required()),
    controller: f(6, bool().optional()),
    blockOwnerDeletion: f(7, bool().optional()),
  },
  {
    topology: { mapType: 'atomic' },
    description: 'An object in the same namespace, or without one, that owns this one.',
  },
);
export type OwnerReference = Infer<typeof OwnerReference>;

export const ManagedFieldsEntry = struct(
  'meta.v1.ManagedFieldsEntry',
  {
    manager: f(1, string()),
    operation: f(2, string()),
    apiVersion: f(3, string()),
    time: f(4, time().optional()),
    fieldsType: f(6, string()),
    fieldsV1: f(7, fieldsV1().optional()),
    subresource: f(8, string()),
  },
  { description: 'Which fields one writer owns, and since when.' },
);
export type ManagedFieldsEntry = Infer<typeof ManagedFieldsEntry>;

export const ObjectMeta = struct(
  'meta.v1.ObjectMeta',
  {
    name: f(1, string(), 'Unique among objects of the kind, within the namespace if there is one.'),
    generateName: f(2, string(), 'Prefix for a name that the server makes up when none is given.'),
    namespace: f(3, string(), 'The space in which the name is unique; empty for cluster-wide kinds.'),
    selfLink: f(4, string(), 'No longer filled in.'),
    uid: f(5, string(), 'Unique in time and space; set by the server.'),
    resourceVersion: f(6, string(), 'Opaque version of the stored object; compare for equality only.'),
    generation: f(7, int64(), 'Counts changes of the desired state.'),
    creationTimestamp: f(8, time(), 'When the object was created; set by the server.'),
    deletionTimestamp: f(9, time().optional(), 'When the object is to be gone; set by the server on delete.'),
    deletionGracePeriodSeconds: f(10, int64().optional(), 'How long the object may take to go.'),
    labels: f(11, map(string()), 'Identifying pairs that selectors can match.'),
    annotations: f(12, map(string()), 'Free pairs for tools; not selectable.'),
    ownerReferences: f(13, list(OwnerReference).mergeBy('uid'), 'Objects whose deletion removes this one.'),
    finalizers: f(14, list(string()).mergeBy(), 'What must be removed from this list before the object goes.'),
    managedFields: f(17, list(ManagedFieldsEntry), 'Who owns which field.'),
  },
  { description: 'What every stored object carries beside its own fields.' },
);
export type ObjectMeta = Infer<typeof ObjectMeta>;

export const ListMeta = struct(
  'meta.v1.ListMeta',
  {
    selfLink: f(1, string()),
    resourceVersion: f(2, string(), 'The version at which the list was read.'),
    continue: f(3, string(), 'Hand this back to read on; empty when the list is complete.'),
    remainingItemCount: f(4, int64().optional(), 'How many items follow, where that is known.'),
  },
  { description: 'What every list carries beside its items.' },
);
export type ListMeta = Infer<typeof ListMeta>;
