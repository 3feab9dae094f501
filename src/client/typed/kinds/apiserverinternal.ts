import type { StorageVersion as DeclaredStorageVersion } from '../../../kinds/apiserverinternal/storage-version.ts';
import { vocabularies } from '../../../vocabulary/vocabulary.ts';
import { inGroup, type ObjectKind } from '../object-kind.ts';

const { groups } = vocabularies.platform;
const apiserverinternal = inGroup(groups.internalApiserver, 'v1alpha1');

export type StorageVersion = DeclaredStorageVersion;
export const StorageVersion: ObjectKind<StorageVersion, false> = apiserverinternal.clusterWide(
  'StorageVersion',
  'storageversions',
);
