import { int64, string, time } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { ObjectMeta } from '../meta/object-meta.ts';

export const ServerStorageVersion = struct('apiserverinternal.v1alpha1.ServerStorageVersion', {
  apiServerID: f(1, string()),
  encodingVersion: f(2, string(), 'The version this server writes.'),
  decodableVersions: f(3, list(string()).set(), 'The versions this server can read.'),
});
export type ServerStorageVersion = Infer<typeof ServerStorageVersion>;

export const StorageVersionCondition = struct('apiserverinternal.v1alpha1.StorageVersionCondition', {
  type: f(1, string().required()),
  status: f(2, string().required()),
  observedGeneration: f(3, int64()),
  lastTransitionTime: f(4, time().required()),
  reason: f(5, string().required()),
  message: f(6, string()),
});
export type StorageVersionCondition = Infer<typeof StorageVersionCondition>;

export const StorageVersionSpec = struct('apiserverinternal.v1alpha1.StorageVersionSpec', {});
export type StorageVersionSpec = Infer<typeof StorageVersionSpec>;

export const StorageVersionStatus = struct('apiserverinternal.v1alpha1.StorageVersionStatus', {
  storageVersions: f(1, list(ServerStorageVersion).mapBy('apiServerID')),
  commonEncodingVersion: f(2, string().optional(), 'The version that all servers write, if they agree.'),
  conditions: f(3, list(StorageVersionCondition).mapBy('type')),
});
export type StorageVersionStatus = Infer<typeof StorageVersionStatus>;

export const StorageVersion = kind(
  'apiserverinternal.v1alpha1.StorageVersion',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, StorageVersionSpec.required()),
    status: f(3, StorageVersionStatus.required()),
  },
  { description: 'In which version each server stores a resource.' },
);
export type StorageVersion = Infer<typeof StorageVersion>;
