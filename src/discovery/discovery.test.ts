import { describe, expect, it } from 'vitest';
import { RELEASE } from '../api/release.ts';
import { Negotiator } from '../codec/negotiation.ts';
import { contextFor } from '../handlers/test-context.ts';
import { isStream, type Reply } from '../http/message.ts';
import { readWhole, sourceOf } from '../http/whole-body.ts';
import { ConfigMap } from '../kinds/core/config/config-map.ts';
import { Catalogue } from '../registry/catalogue.ts';
import { kindsOf } from '../registry/kind.ts';
import { ALL_VERBS, type ApiObject, type ResourceType, resourceType } from '../registry/resource-type.ts';
import { vocabularies } from '../vocabulary/vocabulary.ts';
import { discoveryHandler } from './discovery.ts';
import { versionHandler, versionInfo } from './version.ts';

type Spec = Partial<ResourceType> & Pick<ResourceType, 'group' | 'version' | 'plural' | 'kind'>;

// Discovery never looks inside an object, so any schema will do.
const typeOf = (spec: Spec): ResourceType =>
  resourceType<ApiObject>({ namespaced: true, nameRule: () => undefined, schema: ConfigMap, ...spec });

const catalogue = (): Catalogue => {
  const served = new Catalogue([
    { name: '', versions: ['v1'] },
    { name: 'zoo.example', versions: ['v2', 'v1'] },
    { name: 'absent.example', versions: ['v1'] },
  ]);
  const lions = { group: 'zoo.example', plural: 'lions', kind: 'Lion', singular: 'lion' };
  const hub = typeOf({ ...lions, version: 'v2' });
  const same = (object: ApiObject): ApiObject => object;
  served.add(
    ...kindsOf([
      typeOf({ ...lions, version: 'v1', conversion: { hub, toHub: same, fromHub: same } }),
      hub,
      typeOf({ group: '', version: 'v1', plural: 'pods-extra', kind: 'PodExtra', verbs: ['create'] }),
      typeOf({
        group: '',
        version: 'v1',
        plural: 'pods',
        kind: 'Pod',
        shortNames: ['po'],
        categories: ['all'],
        verbs: [...ALL_VERBS].reverse(),
        subresources: {
          status: { verbs: ['update', 'get'] },
          eviction: { verbs: ['create'], group: 'policy', version: 'v1', kind: 'Eviction' },
        },
      }),
    ]),
  );
  return served;
};

const vocabulary = vocabularies.platform;
const negotiator = new Negotiator(vocabulary);

function discovery(served = catalogue()) {
  const handler = discoveryHandler({ catalogue: served, negotiator, vocabulary, serverAddress: '10.0.0.1:6443' });
  return async (target: string, { method = 'GET', ...headers }: Record<string, string> = {}) => {
    const reply = await handler(contextFor(method, target, headers));
    return reply && { ...reply, json: () => JSON.parse(textOf(reply)), header: headerOf(reply) };
  };
}

const textOf = ({ body }: Reply): string => (isStream(body) ? '' : readWhole(sourceOf(body)).toString());

const headerOf =
  ({ headers }: Reply) =>
  (name: string) =>
    headers[headers.indexOf(name) + 1] ?? '';

describe('discovery', () => {
  it('lists the versions of the core group and where the server is', async () => {
    const reply = await discovery()('/api');
    expect(reply?.json()).toEqual({
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '10.0.0.1:6443' }],
    });
  });

  it('lists named groups that serve anything, preferred versions first', async () => {
    const zoo = {
      name: 'zoo.example',
      versions: [
        { groupVersion: 'zoo.example/v2', version: 'v2' },
        { groupVersion: 'zoo.example/v1', version: 'v1' },
      ],
      preferredVersion: { groupVersion: 'zoo.example/v2', version: 'v2' },
    };
    const ask = discovery();
    expect((await ask('/apis'))?.json()).toEqual({ kind: 'APIGroupList', apiVersion: 'v1', groups: [zoo] });
    expect((await ask('/apis/zoo.example'))?.json()).toEqual({ kind: 'APIGroup', apiVersion: 'v1', ...zoo });
  });

  it('describes each resource by name, its subresources right after it', async () => {
    const { resources, ...head } = (await discovery()('/api/v1'))?.json() ?? {};
    expect(head).toEqual({ kind: 'APIResourceList', groupVersion: 'v1' });
    expect(resources).toEqual([
      {
        name: 'pods',
        singularName: '',
        namespaced: true,
        kind: 'Pod',
        verbs: ALL_VERBS,
        shortNames: ['po'],
        categories: ['all'],
        storageVersionHash: expect.stringMatching(/^[\w+/]{11}=$/),
      },
      {
        name: 'pods/eviction',
        singularName: '',
        namespaced: true,
        group: 'policy',
        version: 'v1',
        kind: 'Eviction',
        verbs: ['create'],
      },
      { name: 'pods/status', singularName: '', namespaced: true, kind: 'Pod', verbs: ['get', 'update'] },
      { name: 'pods-extra', singularName: '', namespaced: true, kind: 'PodExtra', verbs: ['create'] },
    ]);
  });

  it('gives versions that share stored objects the same storage hash', async () => {
    const ask = discovery();
    const hashAt = async (version: string) =>
      (await ask(`/apis/zoo.example/${version}`))?.json().resources[0].storageVersionHash;
    expect(await hashAt('v1')).toBe(await hashAt('v2'));
    expect(await hashAt('v1')).not.toBe((await ask('/api/v1'))?.json().resources[0].storageVersionHash);
  });

  it.each(['/api', '/apis', '/apis/zoo.example', '/api/v1', '/apis/zoo.example/v1'])(
    'answers %s with a slash at its end too',
    async (path) => {
      const ask = discovery();
      expect((await ask(`${path}/`))?.json()).toEqual((await ask(path))?.json());
    },
  );

  it.each([
    '/',
    '/apis/nothing.example',
    '/apis/nothing.example/v1',
    '/apis/absent.example',
    '/apix',
    '/api//v1',
    '/api/v1//',
  ])('leaves %s to others', async (path) => {
    expect(await discovery()(path)).toBeUndefined();
  });

  it.each(['/api/v9', '/apis/zoo.example/v9'])(
    'answers %s, an unknown version of a known group, with a Status',
    async (path) => {
      await expect(discovery()(path)).rejects.toMatchObject({ reason: 'NotFound', code: 404 });
    },
  );

  it('can be read only', async () => {
    const ask = discovery();
    expect((await ask('/apis', { method: 'HEAD' }))?.status).toBe(200);
    await expect(ask('/api/v1', { method: 'DELETE' })).rejects.toMatchObject({ code: 405 });
  });

  it('does not send a document again to a client that has it', async () => {
    const ask = discovery();
    const tag = (await ask('/apis'))?.header('ETag') ?? '';
    expect(tag).toMatch(/^"[0-9a-f]{64}"$/);
    for (const given of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      expect(await ask('/apis', { 'if-none-match': given })).toMatchObject({ status: 304, body: Buffer.alloc(0) });
    }
    expect((await ask('/apis', { 'if-none-match': '"other"' }))?.status).toBe(200);
    expect((await ask('/apis', { 'if-none-match': tag, accept: 'application/yaml' }))?.status).toBe(200);
  });

  it('follows the catalogue', async () => {
    const served = catalogue();
    const ask = discovery(served);
    const before = await ask('/apis');
    served.add(...kindsOf([typeOf({ group: 'new.example', version: 'v1', plural: 'things', kind: 'Thing' })]));
    const after = await ask('/apis', { 'if-none-match': before?.header('ETag') ?? '' });
    expect(after?.json().groups.map(({ name }: { name: string }) => name)).toEqual(['zoo.example', 'new.example']);
    served.remove({ group: 'new.example', plural: 'things' });
    expect(await ask('/apis/new.example')).toBeUndefined();
  });
});

describe('aggregated discovery', () => {
  const form = (version: string) => `application/json;g=apidiscovery.platform.io;v=${version};as=APIGroupDiscoveryList`;

  it('describes every group, version and resource in one document', async () => {
    const ask = discovery();
    const reply = await ask('/api', { accept: `${form('v2beta1')},application/json` });
    expect(reply?.header('Content-Type')).toBe(form('v2beta1'));
    expect(reply?.json()).toEqual({
      kind: 'APIGroupDiscoveryList',
      apiVersion: 'apidiscovery.platform.io/v2beta1',
      metadata: {},
      items: [
        {
          metadata: { creationTimestamp: null },
          versions: [
            {
              version: 'v1',
              resources: [
                {
                  resource: 'pods',
                  responseKind: { group: '', version: 'v1', kind: 'Pod' },
                  scope: 'Namespaced',
                  singularResource: 'pod',
                  verbs: ALL_VERBS,
                  shortNames: ['po'],
                  categories: ['all'],
                  subresources: [
                    {
                      subresource: 'eviction',
                      responseKind: { group: 'policy', version: 'v1', kind: 'Eviction' },
                      verbs: ['create'],
                    },
                    {
                      subresource: 'status',
                      responseKind: { group: '', version: 'v1', kind: 'Pod' },
                      verbs: ['get', 'update'],
                    },
                  ],
                },
                {
                  resource: 'pods-extra',
                  responseKind: { group: '', version: 'v1', kind: 'PodExtra' },
                  scope: 'Namespaced',
                  singularResource: 'podextra',
                  verbs: ['create'],
                },
              ],
              freshness: 'Current',
            },
          ],
        },
      ],
    });
    const { items } = (await ask('/apis/', { accept: form('v2') }))?.json() ?? {};
    expect(items.map(({ metadata: { name } }: { metadata: { name: string } }) => name)).toEqual(['zoo.example']);
    expect(items[0].versions.map(({ version }: { version: string }) => version)).toEqual(['v2', 'v1']);
  });

  it.each([
    [`${form('v2')},${form('v2beta1')},application/json`, 'v2'],
    [`${form('v3')},${form('v2beta1')},application/json`, 'v2beta1'],
    [`${form('v2')};q=0.5,${form('v2beta1')}`, 'v2beta1'],
    [`text/html,${form('v2')}`, 'v2'],
  ])('is chosen by the order of %s', async (accept, version) => {
    const reply = await discovery()('/apis', { accept });
    expect(reply?.json().apiVersion).toBe(`apidiscovery.platform.io/${version}`);
  });

  it.each([
    undefined,
    `application/json,${form('v2')}`,
    `${form('v2')};q=0.5,*/*`,
    `${form('v1')},application/json`,
    `${form('v2').replace('apidiscovery', 'other')},application/json`,
  ])('is not sent to a client that accepts %s', async (accept) => {
    const reply = await discovery()('/apis', accept === undefined ? {} : { accept });
    expect(reply?.json().kind).toBe('APIGroupList');
    expect(reply?.header('Content-Type')).toBe('application/json');
  });

  it('leaves all other paths as they are', async () => {
    const accept = `${form('v2')},application/json`;
    const ask = discovery();
    expect((await ask('/apis/zoo.example', { accept }))?.json().kind).toBe('APIGroup');
    expect((await ask('/api/v1', { accept }))?.json().kind).toBe('APIResourceList');
  });

  it('is not sent again to a client that has it, and is another document in each version', async () => {
    const ask = discovery();
    const tag = (await ask('/apis', { accept: form('v2') }))?.header('ETag') ?? '';
    expect((await ask('/apis', { accept: form('v2'), 'if-none-match': tag }))?.status).toBe(304);
    expect((await ask('/apis', { accept: form('v2beta1'), 'if-none-match': tag }))?.status).toBe(200);
    expect((await ask('/apis', { 'if-none-match': tag }))?.status).toBe(200);
    await expect(ask('/apis', { accept: form('v2'), method: 'POST' })).rejects.toMatchObject({ code: 405 });
  });
});

describe('the version', () => {
  it('is that of the interface, in a form clients can parse', async () => {
    const reply = await versionHandler(versionInfo)(contextFor('GET', '/version', { accept: 'text/html' }));
    const { major, minor, gitVersion, goVersion } = JSON.parse(reply ? textOf(reply) : '');
    expect(`${major}.${minor}`).toBe(RELEASE);
    expect(gitVersion).toMatch(/^v1\.25\.\d+\+platform$/);
    expect(goVersion).toBe(`node${process.versions.node}`);
  });

  it('leaves other paths to others', () => {
    expect(versionHandler(versionInfo)(contextFor('GET', '/versions'))).toBeUndefined();
  });
});
