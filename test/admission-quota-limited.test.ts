import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfiguration } from '../src/admission/resource-quota/configuration.ts';
import { vocabularies } from '../src/vocabulary/vocabulary.ts';
import { podOf, QuotaNamespace } from './support/quota.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const LIMITED = {
  apiVersion: 'apiserver.config.platform.io/v1',
  kind: 'ResourceQuotaConfiguration',
  limitedResources: [
    { resource: 'persistentvolumeclaims', matchContains: ['gold.storageclass'] },
    { resource: 'pods', matchScopes: [{ scopeName: 'PriorityClass', operator: 'In', values: ['vip', 'vvip'] }] },
  ],
};

const claimOf = (name: string, storageClassName: string) => ({
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName },
});

describe('what is limited by configuration', () => {
  let directory: string;
  let plane: TestServer;

  beforeAll(async () => {
    directory = await makeDirectory();
    const admissionControlConfigFile = join(directory, 'admission.json');
    const configuration = {
      apiVersion: 'apiserver.config.platform.io/v1',
      kind: 'AdmissionConfiguration',
      plugins: [{ name: 'ResourceQuota', configuration: LIMITED }],
    };
    await writeFile(admissionControlConfigFile, JSON.stringify(configuration));
    plane = await startTestServer({ admissionControlConfigFile });
  });
  afterAll(async () => {
    await plane?.close();
    await removeDirectory(directory);
  });

  it('needs a quota that speaks of it', async () => {
    const namespace = await QuotaNamespace.make(plane, 'storage');
    const create = (name: string, storageClass: string) =>
      namespace.request('POST', 'persistentvolumeclaims', claimOf(name, storageClass));
    expect((await create('plain', 'silver')).status).toBe(201);
    const [claims, storage] = ['persistentvolumeclaims', 'requests.storage'].map(
      (resource) => `gold.storageclass.storage.platform.io/${resource}`,
    );
    expect(await create('a', 'gold')).toMatchObject({
      status: 403,
      body: {
        message: `persistentvolumeclaims "a" is forbidden: insufficient quota to consume: ${claims},${storage}`,
      },
    });
    await namespace.bound({ [String(claims)]: '1', [String(storage)]: '5Gi' });
    expect((await create('a', 'gold')).status).toBe(201);
    expect((await create('b', 'gold')).body.message).toContain('exceeded quota: q');
  });

  it('by scope needs a quota that has the scope', async () => {
    await plane.admin.request('POST', '/apis/scheduling.platform.io/v1/priorityclasses', {
      metadata: { name: 'vip' },
      value: 7,
    });
    const namespace = await QuotaNamespace.make(plane, 'scopes');
    const create = (name: string, spec: object) => namespace.request('POST', 'pods', podOf(name, {}, {}, spec));
    expect((await create('plain', {})).status).toBe(201);
    expect(await create('a', { priorityClassName: 'vip' })).toMatchObject({
      status: 500,
      body: { message: 'insufficient quota to match these scopes: [{PriorityClass In [vip vvip]}]' },
    });
    const scope = { scopeName: 'PriorityClass', operator: 'In', values: ['vip'] };
    await namespace.bound({ pods: '1' }, { scopeSelector: { matchExpressions: [scope] } });
    expect((await create('a', { priorityClassName: 'vip' })).status).toBe(201);
    expect((await create('b', { priorityClassName: 'vip' })).status).toBe(403);
  });
});

describe('a configuration', () => {
  const read = (document: unknown) => () => readConfiguration(document, vocabularies.platform);

  it('is refused with what is wrong with it', () => {
    expect(read({ ...LIMITED, kind: 'Other' })).toThrow('a ResourceQuotaConfiguration of');
    expect(read({ ...LIMITED, apiVersion: 'v1' })).toThrow('apiserver.config.platform.io/v1 is wanted');
    expect(read({ ...LIMITED, limitedResources: [{ matchContains: ['x'] }] })).toThrow(
      'limitedResources[0].resource: Required value',
    );
    expect(read({ ...LIMITED, limitedResources: [{ resource: 'pods', matchScopes: [{}] }] })).toThrow(
      'limitedResources[0].matchScopes[0] needs a scopeName and an operator',
    );
    expect(read(undefined)()).toEqual([]);
  });
});
