import { dns1123Subdomain } from '../../meta/formats.ts';
import { type Column, type ResourceType, resourceType, statusSubresource } from '../../registry/resource-type.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { ageColumn, nameColumn, text } from '../columns.ts';
import { UNSET } from '../printing.ts';
import { StorageVersion } from './storage-version.ts';
import { validateStorageVersion, validateStorageVersionStatus } from './storage-version-validation.ts';

const columns: readonly Column<StorageVersion>[] = [
  nameColumn,
  text('CommonEncodingVersion', 'The version that all servers write.', commonVersion),
  text('StorageVersions', 'Which server writes which version.', versionsByServer),
  ageColumn,
];

export const apiserverinternalResources = (v: Vocabulary): readonly ResourceType[] => [
  resourceType<StorageVersion>({
    group: v.groups.internalApiserver,
    version: 'v1alpha1',
    kind: 'StorageVersion',
    plural: 'storageversions',
    namespaced: false,
    schema: StorageVersion,
    nameRule: dns1123Subdomain,
    strategy: { unconditionalUpdate: false },
    columns,
    validate: validateStorageVersion,
    rules: { resets: ['status'] },
    subresources: {
      status: statusSubresource({
        resets: ['metadata', 'spec'],
        whole: false,
        validateUpdate: validateStorageVersionStatus,
      }),
    },
  }),
];

function commonVersion({ status }: StorageVersion): string {
  return status.commonEncodingVersion ?? UNSET;
}

function versionsByServer({ status }: StorageVersion): string {
  const servers = status.storageVersions ?? [];
  const texts = servers.map(({ apiServerID = '', encodingVersion = '' }) => `${apiServerID}=${encodingVersion}`);
  return texts.join(',') || UNSET;
}
