import { Condition } from '../../meta/condition.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { describedLike } from '../../schema/described-like.ts';
import { int64, string, time } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';

export const ServerStorageVersion = struct(
  'apiserverinternal.v1alpha1.ServerStorageVersion',
  {
    apiServerID: f(1, string(), 'Identity of the API server.'),
    encodingVersion: f(2, string(), 'Version that the server stores objects in.'),
    decodableVersions: f(3, list(string()).set(), 'Versions that the server can read from storage.'),
  },
  { description: 'Versions that one API server stores and reads a resource in.' },
);
export type ServerStorageVersion = Infer<typeof ServerStorageVersion>;

export const StorageVersionCondition = struct(
  'apiserverinternal.v1alpha1.StorageVersionCondition',
  describedLike(Condition, {
    type: f(
      1,
      string().required(),
      'AllEncodingVersionsEqual: whether all servers store the resource in the same version.',
    ),
    status: f(2, string().required()),
    observedGeneration: f(3, int64()),
    lastTransitionTime: f(4, time().required()),
    reason: f(5, string().required()),
    message: f(6, string()),
  }),
  { description: 'One observed aspect of the state of a StorageVersion.' },
);
export type StorageVersionCondition = Infer<typeof StorageVersionCondition>;

export const StorageVersionSpec = struct(
  'apiserverinternal.v1alpha1.StorageVersionSpec',
  {},
  { description: 'Empty; everything about a StorageVersion is observed.' },
);
export type StorageVersionSpec = Infer<typeof StorageVersionSpec>;

export const StorageVersionStatus = struct(
  'apiserverinternal.v1alpha1.StorageVersionStatus',
  {
    storageVersions: f(1, list(ServerStorageVersion).mapBy('apiServerID'), 'The versions of each API server.'),
    commonEncodingVersion: f(2, string().optional(), 'Version that all servers store in; unset while they differ.'),
    conditions: f(
      3,
      list(StorageVersionCondition).mapBy('type'),
      'Observed aspects of the state, at most one of each type.',
    ),
  },
  { description: 'What the API servers report about a resource.' },
);
export type StorageVersionStatus = Infer<typeof StorageVersionStatus>;

export const StorageVersion = kind(
  'apiserverinternal.v1alpha1.StorageVersion',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, StorageVersionSpec.required()),
    status: f(3, StorageVersionStatus.required()),
  },
  { description: 'In which version each API server stores a resource. Its name is <group>.<resource>.' },
);
export type StorageVersion = Infer<typeof StorageVersion>;
