import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { envelop } from '../src/codec/protobuf.ts';
import { vocabularies } from '../src/vocabulary/vocabulary.ts';
import { JSON_TYPE, PROTOBUF, PROTOBUF_WATCH, Translator, type Typed } from './support/binary.ts';
import type { Answer, Document, Headers } from './support/client.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** Clients that speak protobuf, and JSON where they have to. */

const META = vocabularies.platform.groups.meta;

let plane: TestServer;
let translator: Translator;

beforeAll(async () => {
  plane = await startTestServer();
  translator = new Translator(plane.server.catalogue, META);
});

afterAll(() => plane.close());

const BINARY: Headers = { accept: `${PROTOBUF},${JSON_TYPE}` };
const SENT: Headers = { ...BINARY, 'content-type': PROTOBUF };
const metadataOnly = (media: string, kind = 'PartialObjectMetadata', version = 'v1'): Headers => ({
  accept: `${media};as=${kind};g=${META};v=${version}`,
});

/** Sends what is given in binary and takes whatever comes. */
const send = (method: string, path: string, value: Typed, headers: Headers = SENT): Promise<Answer> =>
  plane.admin.request(method, path, translator.encode(value), headers);

const get = (path: string, headers: Headers = BINARY): Promise<Answer> =>
  plane.admin.request('GET', path, undefined, headers);

/** What an answer says that must be in binary. */
function decoded({ status, headers, bytes, text }: Answer, code = 200): Typed {
  expect(headers['content-type'], text).toBe(PROTOBUF);
  const value = translator.decode(bytes);
  expect(status, JSON.stringify(value)).toBe(code);
  return value;
}

/** What the same request says in JSON. */
async function inJson(path: string, headers: Headers = {}): Promise<Typed> {
  const answer = await get(path, headers);
  expect(answer.headers['content-type']).toBe(JSON_TYPE);
  return translator.canonical(JSON.parse(answer.text));
}

const metadataOf = ({ metadata }: Typed): Document['metadata'] => metadata as Document['metadata'];

/** The same list each time, whatever else is written meanwhile. */
async function unchanging(path: string): Promise<string> {
  const { resourceVersion } = metadataOf(await inJson(path));
  return `${path}&resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`;
}

let spaces = 0;

async function makeNamespace(): Promise<string> {
  const name = `binary-${++spaces}`;
  const path = '/api/v1/namespaces';
  decoded(await send('POST', path, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }), 201);
  return name;
}

const labels = { app: 'a' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'example/main:1' }] } };
const limits = { cpu: '100m', memory: '1Gi' };

const SAMPLES: readonly [plural: string, sample: Typed][] = [
  ['configmaps', { apiVersion: 'v1', kind: 'ConfigMap', data: { 'a.b': 'ü', a: '' }, binaryData: { z: 'AAEC' } }],
  ['secrets', { apiVersion: 'v1', kind: 'Secret', data: { key: 'c2VjcmV0' }, type: 'Opaque' }],
  [
    'pods',
    {
      apiVersion: 'v1',
      kind: 'Pod',
      spec: { containers: [{ ...template.spec.containers[0], resources: { limits } }] },
    },
  ],
  [
    'services',
    { apiVersion: 'v1', kind: 'Service', spec: { selector: labels, ports: [{ port: 80, targetPort: 'web' }] } },
  ],
  [
    'deployments',
    { apiVersion: 'apps/v1', kind: 'Deployment', spec: { replicas: 0, selector: { matchLabels: labels }, template } },
  ],
  [
    'horizontalpodautoscalers',
    {
      apiVersion: 'autoscaling/v1',
      kind: 'HorizontalPodAutoscaler',
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 3 },
    },
  ],
  [
    'horizontalpodautoscalers',
    {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 3 },
    },
  ],
  [
    'leases',
    {
      apiVersion: 'coordination.platform.io/v1',
      kind: 'Lease',
      spec: { holderIdentity: 'me', renewTime: '2024-01-02T03:04:05.000006Z' },
    },
  ],
  [
    'roles',
    {
      apiVersion: 'rbac.authorization.platform.io/v1',
      kind: 'Role',
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
    },
  ],
];

const collectionOf = ({ apiVersion }: Typed, namespace: string, plural: string): string =>
  `${apiVersion === 'v1' ? '/api' : '/apis'}/${apiVersion}/namespaces/${namespace}/${plural}`;

describe('objects in binary', () => {
  const title = 'are created, read, listed, watched, changed and deleted as in JSON: %s (%#)';
  it.concurrent.each(SAMPLES)(title, async (plural, sample) => {
    const path = collectionOf(sample, await makeNamespace(), plural);
    const object = `${path}/x`;
    const before = metadataOf(await inJson(path)).resourceVersion;

    const created = decoded(await send('POST', path, { ...sample, metadata: { name: 'x', labels } }), 201);
    expect(created).toEqual(await inJson(object));
    expect(decoded(await get(object))).toEqual(created);

    const again = { ...created, metadata: { ...metadataOf(created), labels: { app: 'b' } } };
    const updated = decoded(await send('PUT', object, again));
    expect(updated).toEqual(await inJson(object));
    expect(metadataOf(updated).labels).toEqual({ app: 'b' });
    const annotations = { note: 'n' };
    const patched = decoded(await plane.admin.request('PATCH', object, { metadata: { annotations } }, BINARY));
    expect(metadataOf(patched).annotations).toMatchObject(annotations);
    expect(patched).toEqual(await inJson(object));

    const selected = await unchanging(`${path}?labelSelector=app`);
    const list = decoded(await get(selected));
    expect(list).toEqual(await inJson(selected));
    expect(list).toMatchObject({ kind: `${sample.kind}List`, items: [{ metadata: { name: 'x' } }] });

    const options = { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 };
    const misdirected = await send('DELETE', object, { ...options, preconditions: { uid: 'another' } });
    expect(decoded(misdirected, 409)).toMatchObject({ kind: 'Status', reason: 'Conflict' });
    const deleted = decoded(await send('DELETE', object, options));
    if (deleted.kind === 'Status') expect(deleted).toMatchObject({ status: 'Success', details: { name: 'x' } });
    else expect(metadataOf(deleted).uid).toBe(metadataOf(created).uid);
    expect(decoded(await get(object), 404)).toMatchObject({ kind: 'Status', reason: 'NotFound', code: 404 });

    const watch = `${path}?watch=1&fieldSelector=metadata.name%3Dx&timeoutSeconds=1&resourceVersion=${before}`;
    const [answer, inText] = await Promise.all([get(watch), get(watch, {})]);
    expect(answer.headers['content-type']).toBe(PROTOBUF_WATCH);
    const events = translator.decodeEvents(answer.bytes);
    expect(events.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'MODIFIED', 'DELETED']);
    expect(events.slice(0, 3).map((event) => event.object)).toEqual([created, updated, patched]);
    const lines = inText.text.split('\n').filter((line) => line !== '');
    const same = lines
      .map((line) => JSON.parse(line))
      .map(({ type, object: seen }) => ({ type, object: translator.canonical(seen) }));
    expect(events).toEqual(same);
  });
});

describe('metadata in binary', () => {
  it('is that of the objects, of one, of a list and in a watch', async () => {
    const path = collectionOf({ apiVersion: 'v1', kind: 'ConfigMap' }, await makeNamespace(), 'configmaps');
    await plane.admin.request('POST', path, { metadata: { name: 'x', labels }, data: { a: '1' } });
    for (const version of ['v1', 'v1beta1']) {
      const one = metadataOnly(PROTOBUF, undefined, version);
      const object = decoded(await get(`${path}/x`, one));
      expect(object).toEqual(await inJson(`${path}/x`, metadataOnly(JSON_TYPE, undefined, version)));
      expect(object).toMatchObject({ kind: 'PartialObjectMetadata', apiVersion: `${META}/${version}` });
      expect(decoded(await get(`${path}/x`))).toEqual(await inJson(`${path}/x`));

      const list = decoded(
        await get(`${path}?labelSelector=app`, metadataOnly(PROTOBUF, 'PartialObjectMetadataList', version)),
      );
      expect(list).toMatchObject({ kind: 'PartialObjectMetadataList', items: [{ metadata: { name: 'x', labels } }] });

      const watch = `${path}?watch=1&labelSelector=app&timeoutSeconds=1&allowWatchBookmarks=true`;
      const [added, bookmark] = translator.decodeEvents((await get(watch, one)).bytes);
      expect(added).toEqual({ type: 'ADDED', object });
      expect(bookmark?.type).toBe('BOOKMARK');
      expect(bookmark?.object.kind).toBe('PartialObjectMetadata');
    }
  });
});

describe('a watch in binary', () => {
  it('tells of what leaves a selection, and how far it has come', async () => {
    const path = collectionOf({ apiVersion: 'v1', kind: 'Secret' }, await makeNamespace(), 'secrets');
    const made = await plane.admin.request('POST', path, { metadata: { name: 'x', labels } });
    const from = made.body.metadata.resourceVersion;
    const left = await plane.admin.request('PATCH', `${path}/x`, { metadata: { labels: { app: 'b' } } });
    const now = left.body.metadata.resourceVersion;
    const query = `watch=1&labelSelector=app%3Da&timeoutSeconds=1&allowWatchBookmarks=true&resourceVersion=${from}`;
    const [gone, bookmark] = translator.decodeEvents((await get(`${path}?${query}`)).bytes);
    expect(gone).toMatchObject({ type: 'DELETED', object: { metadata: { labels, resourceVersion: now } } });
    expect(bookmark).toMatchObject({ type: 'BOOKMARK', object: { kind: 'Secret', apiVersion: 'v1' } });
    expect(Number(metadataOf(bookmark?.object as Typed).resourceVersion)).toBeGreaterThanOrEqual(Number(now));
  });

  it('is in the version and encoding of each watcher', async () => {
    const namespace = await makeNamespace();
    const paths = ['v1', 'v2'].map((version) =>
      collectionOf({ apiVersion: `autoscaling/${version}`, kind: '' }, namespace, 'horizontalpodautoscalers'),
    );
    const [first = '', second = ''] = paths;
    const { resourceVersion } = metadataOf(await inJson(first));
    const query = `watch=1&timeoutSeconds=1&resourceVersion=${resourceVersion}`;
    const accepts = [
      JSON_TYPE,
      PROTOBUF,
      metadataOnly(PROTOBUF).accept,
      metadataOnly(PROTOBUF, undefined, 'v1beta1').accept,
    ];
    const watches = paths.flatMap((path) => accepts.map((accept = '') => get(`${path}?${query}`, { accept })));
    const spec = { scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 3 };
    await plane.admin.request('POST', second, { metadata: { name: 'x' }, spec });
    const said = (await Promise.all(watches)).map(({ headers, text, bytes }) => {
      const inText = headers['content-type'] === JSON_TYPE;
      const { kind, apiVersion } = inText ? JSON.parse(text).object : (translator.decodeEvents(bytes)[0]?.object ?? {});
      return `${inText ? 'json' : 'protobuf'} ${apiVersion} ${kind}`;
    });
    const metadata = ['v1', 'v1beta1'].map((version) => `protobuf ${META}/${version} PartialObjectMetadata`);
    const whole = (version: string) =>
      ['json', 'protobuf'].map((media) => `${media} autoscaling/${version} HorizontalPodAutoscaler`);
    expect(said).toEqual([...whole('v1'), ...metadata, ...whole('v2'), ...metadata]);
  });
});

describe('other requests in binary', () => {
  it('scale', async () => {
    const [, deployment] = SAMPLES.find(([plural]) => plural === 'deployments') ?? [];
    const path = collectionOf(deployment as Typed, await makeNamespace(), 'deployments');
    await send('POST', path, { ...(deployment as Typed), metadata: { name: 'd' } });
    const scale = decoded(await get(`${path}/d/scale`));
    expect(scale).toEqual(await inJson(`${path}/d/scale`));
    expect(scale).toMatchObject({ kind: 'Scale', apiVersion: 'autoscaling/v1' });
    const answer = decoded(await send('PUT', `${path}/d/scale`, { ...scale, spec: { replicas: 4 } }));
    expect(answer).toMatchObject({ kind: 'Scale', spec: { replicas: 4 } });
    expect(decoded(await get(`${path}/d`))).toMatchObject({ spec: { replicas: 4 } });
  });

  it('act', async () => {
    const group = 'authorization.platform.io/v1';
    const review = {
      apiVersion: group,
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { verb: 'get' } },
    };
    const answer = decoded(await send('POST', `/apis/${group}/selfsubjectaccessreviews`, review), 201);
    expect(answer).toMatchObject({ ...review, status: { allowed: true } });

    const pods = collectionOf({ apiVersion: 'v1', kind: 'Pod' }, await makeNamespace(), 'pods');
    decoded(
      await send('POST', pods, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: template.spec }),
      201,
    );
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } };
    const bound = decoded(await send('POST', `${pods}/p/binding`, binding), 201);
    expect(bound).toMatchObject({ kind: 'Status', status: 'Success' });
    expect(decoded(await get(`${pods}/p`))).toMatchObject({ spec: { nodeName: 'n' } });
  });

  it('delete collections', async () => {
    const path = collectionOf({ apiVersion: 'v1', kind: 'Secret' }, await makeNamespace(), 'secrets');
    for (const name of ['a', 'b']) await plane.admin.request('POST', path, { metadata: { name, labels } });
    const options = { apiVersion: 'v1', kind: 'DeleteOptions', dryRun: ['All'] };
    const wouldGo = decoded(await send('DELETE', `${path}?labelSelector=app`, options));
    expect(wouldGo).toMatchObject({
      kind: 'SecretList',
      items: [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }],
    });
    expect(decoded(await get(`${path}?labelSelector=app`))).toMatchObject({ items: [{}, {}] });
  });

  it('take part in dry runs', async () => {
    const path = collectionOf({ apiVersion: 'v1', kind: 'Secret' }, await makeNamespace(), 'secrets');
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } };
    expect(decoded(await send('POST', `${path}?dryRun=All`, secret), 201)).toMatchObject({
      kind: 'Secret',
      type: 'Opaque',
    });
    expect(decoded(await get(`${path}/x`), 404)).toMatchObject({ reason: 'NotFound' });
  });

  it('delete by options in YAML', async () => {
    const path = collectionOf({ apiVersion: 'v1', kind: 'Secret' }, await makeNamespace(), 'secrets');
    await plane.admin.request('POST', path, { metadata: { name: 'x' } });
    const yaml = { 'content-type': 'application/yaml' };
    const refused = await plane.admin.request('DELETE', `${path}/x`, 'preconditions:\n  uid: another\n', yaml);
    expect(refused.status).toBe(409);
    expect((await plane.admin.request('DELETE', `${path}/x`, 'kind: DeleteOptions\n', yaml)).status).toBe(200);
  });
});

describe('a body in binary is refused', () => {
  const configMap = (message: Buffer = Buffer.alloc(0)) => envelop('v1', 'ConfigMap', message);

  it.each<[string, () => Buffer, RegExp]>([
    ['without the mark', () => configMap().subarray(4), /four bytes/],
    ['that is JSON', () => Buffer.from('{"metadata":{"name":"x"}}'), /four bytes/],
    ['of another kind', () => envelop('v1', 'Secret', Buffer.alloc(0)), /kind in the data \(Secret\)/],
    ['of another version', () => envelop('v2', 'ConfigMap', Buffer.alloc(0)), /API version in the data \(v2\)/],
    ['that is cut off', () => configMap(Buffer.from('0a050a01', 'hex')), /ConfigMap in protobuf/],
    ['with text for metadata', () => configMap(Buffer.from('0801', 'hex')), /ConfigMap in protobuf/],
    [
      'that names another namespace',
      () => translator.encode({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', namespace: 'other' } }),
      /namespace/,
    ],
  ])('%s', async (_, body, message) => {
    const path = '/api/v1/namespaces/default/configmaps';
    const answer = decoded(await plane.admin.request('POST', path, body(), SENT), 400);
    expect(answer).toMatchObject({ kind: 'Status', reason: 'BadRequest' });
    expect(answer.message).toMatch(message);
  });

  it('where a patch is expected', async () => {
    const answer = await plane.admin.request('PATCH', '/api/v1/namespaces/default', configMap(), SENT);
    expect(decoded(answer, 415)).toMatchObject({ reason: 'UnsupportedMediaType' });
  });

  it('where delete options are expected', async () => {
    const answer = await plane.admin.request('DELETE', '/api/v1/namespaces/default', configMap(), SENT);
    expect(decoded(answer, 400).message).toMatch(/DeleteOptions/);
  });
});

describe('an error', () => {
  const absent = '/api/v1/namespaces/default/configmaps/absent';

  it('is in YAML for clients that want that', async () => {
    const answer = await get(absent, { accept: 'application/yaml' });
    expect(answer.headers['content-type']).toBe('application/yaml');
    expect(answer.text).toContain('reason: NotFound');
  });

  it('says before a watch begins what is wrong, in binary', async () => {
    const answer = await get('/api/v1/configmaps?watch=1&resourceVersionMatch=Exact');
    expect(decoded(answer, 422)).toMatchObject({ kind: 'Status', reason: 'Invalid' });
  });

  it('carries its details', async () => {
    const status = decoded(
      await send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'X' } }),
      422,
    );
    const json = await plane.admin.request('POST', '/api/v1/namespaces', { metadata: { name: 'X' } });
    expect(status).toEqual(translator.canonical(JSON.parse(json.text)));
  });

  it.each([
    ['tables in binary', absent, `${PROTOBUF};as=Table;g=${META};v=v1`, '"reason":"NotAcceptable"'],
    ['a table of a list in binary', '/api/v1/pods', `${PROTOBUF};as=Table;g=${META};v=v1`, '"reason":"NotAcceptable"'],
    ['a watch in YAML', '/api/v1/pods?watch=1', 'application/yaml', 'reason: NotAcceptable'],
    ['something unknown', absent, 'text/html', '"reason":"NotAcceptable"'],
  ])('answers whoever wants %s', async (_, path, accept, text) => {
    const answer = await get(path, { accept });
    expect(answer.status).toBe(406);
    expect(answer.text).toContain(text);
  });
});

describe('discovery', () => {
  it.each(['/api', '/apis', '/apis/apps', '/apis/apps/v1', '/api/v1'])('is there in binary at %s', async (path) => {
    const answer = await get(path, { accept: PROTOBUF });
    expect(answer.headers['content-type']).toBe(PROTOBUF);
    const { kind, apiVersion } = (await get(path, {})).body;
    const said = envelop(apiVersion ?? '', kind, Buffer.alloc(0));
    // The envelope says the same; what is in it is longer than nothing.
    const typeMeta = said.subarray(0, said.indexOf(Buffer.from([0x12, 0, 0x1a])));
    expect(answer.bytes.subarray(0, typeMeta.length)).toEqual(typeMeta);
    expect(answer.bytes.length).toBeGreaterThan(said.length + 10);
  });
});

describe('a large list', () => {
  const GZIP: Headers = { 'accept-encoding': 'gzip' };

  /** Config maps that come to about this many bytes. */
  async function fill(bytes: number): Promise<string> {
    const path = collectionOf({ apiVersion: 'v1', kind: 'ConfigMap' }, await makeNamespace(), 'configmaps');
    const each = 100_000;
    for (let at = 0; at * each < bytes; at++) {
      const text = `${at} lorem ipsum `.repeat(each / 14);
      await plane.admin.request('POST', path, { metadata: { name: `m${at}`, labels }, data: { text } });
    }
    return `${path}?labelSelector=app`;
  }

  it.each([
    ['that is sent as a whole', 300_000],
    ['that is streamed', 1_500_000],
  ])('%s is the same compressed, in JSON and in binary', async (_, bytes) => {
    const list = await fill(bytes);
    const path = await unchanging(list);
    for (const headers of [{ accept: JSON_TYPE }, BINARY]) {
      const plain = await get(path, headers);
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(plain.headers['content-length']).toBe(String(plain.bytes.length));
      expect(plain.headers.vary).toContain('Accept-Encoding');
      expect(plain.bytes.length).toBeGreaterThan(bytes);
      const small = await get(path, { ...headers, ...GZIP });
      expect(small.headers['content-encoding']).toBe('gzip');
      expect(small.bytes.length).toBeLessThan(bytes / 10);
      expect(gunzipSync(small.bytes).equals(plain.bytes)).toBe(true);
    }
    expect(decoded(await get(path))).toEqual(await inJson(path));
    const watch = await get(`${list}&watch=1&timeoutSeconds=1`, GZIP);
    expect(watch.headers['content-encoding']).toBeUndefined();
  });
});
