import { describe, expect, it } from 'vitest';
import { Problems } from '../../schema/problems.ts';
import type { ServerStorageVersion, StorageVersion } from './storage-version.ts';
import { validateStorageVersion, validateStorageVersionStatus } from './storage-version-validation.ts';

const storageVersion = (name: string, status: StorageVersion['status'] = {}): StorageVersion => ({
  kind: 'StorageVersion',
  apiVersion: 'internal.apiserver.platform.io/v1alpha1',
  metadata: { name, creationTimestamp: null },
  spec: {},
  status,
});

const fieldsOf = ({ found }: Problems): string[] => found.map(({ field }) => field);

describe('a storage version', () => {
  it.each([
    ['apps.deployments', []],
    ['rbac.authorization.platform.io.roles', []],
    ['deployments', ['metadata.name']],
    ['.deployments', ['metadata.name']],
    ['apps.2', ['metadata.name']],
  ])('called %s', (name, fields) => {
    const problems = new Problems();
    validateStorageVersion(storageVersion(name), problems);
    expect(fieldsOf(problems)).toEqual(fields);
  });

  const server = (
    apiServerID: string,
    encodingVersion: string,
    decodableVersions = ['v1', 'v2'],
  ): ServerStorageVersion => ({
    apiServerID,
    encodingVersion,
    decodableVersions,
  });

  it.each([
    ['nothing', [], undefined, []],
    ['one version', [server('a', 'v1'), server('b', 'v1')], 'v1', []],
    ['several versions', [server('a', 'v1'), server('b', 'v2')], undefined, []],
    ['one version but not so named', [server('a', 'v1')], undefined, ['status.commonEncodingVersion']],
    ['several but one named', [server('a', 'v1'), server('b', 'v2')], 'v1', ['status.commonEncodingVersion']],
    ['what it cannot read', [server('a', 'v3')], 'v3', ['status.storageVersions[0].decodableVersions']],
    ['no name', [server('', 'v1')], 'v1', ['status.storageVersions[0].apiServerID']],
    ['one name twice', [server('a', 'v1'), server('a', 'v1')], 'v1', ['status.storageVersions[1].apiServerID']],
  ])('whose servers write %s', (_what, storageVersions, commonEncodingVersion, fields) => {
    const status = { storageVersions, ...(commonEncodingVersion === undefined ? {} : { commonEncodingVersion }) };
    const problems = new Problems();
    const object = storageVersion('apps.deployments', status);
    validateStorageVersionStatus(object, object, problems);
    expect(fieldsOf(problems)).toEqual(fields);
  });
});
