import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, type Document, http1Client, http2Client } from './support/client.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

let plane: TestServer;
const runtime = new ShiftableRuntime();

beforeAll(async () => {
  plane = await startTestServer({ runtime });
});

afterAll(() => plane.close());

const clients = { 'HTTP/1.1': http1Client, 'HTTP/2': http2Client };

let named = 0;
const fresh = (prefix: string): string => `${prefix}-${++named}`;

const template = (app: string) => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: 'main', image: 'example/main:1' }] },
});

/** A kind, an object of it, and a change of it as a merge patch. */
const kinds = [
  {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    path: '/api/v1/namespaces/default/configmaps',
    content: { data: { colour: 'green' } },
    change: { data: { colour: 'blue' } },
  },
  {
    kind: 'Namespace',
    apiVersion: 'v1',
    path: '/api/v1/namespaces',
    content: {},
    change: { metadata: { annotations: { changed: 'yes' } } },
  },
  {
    kind: 'Deployment',
    apiVersion: 'apps/v1',
    path: '/apis/apps/v1/namespaces/default/deployments',
    content: { spec: { replicas: 1, selector: { matchLabels: { app: 'a' } }, template: template('a') } },
    change: { spec: { replicas: 3 } },
  },
  {
    kind: 'Role',
    apiVersion: 'rbac.authorization.platform.io/v1',
    path: '/apis/rbac.authorization.platform.io/v1/namespaces/default/roles',
    content: { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
    change: { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }] },
  },
];

describe.each(Object.entries(clients))('over %s', (_protocol, open) => {
  let client: Client;
  beforeAll(() => {
    client = open(plane.connection);
  });
  afterAll(() => client.close());

  it.each(kinds)('a $kind is created, read, listed, updated, patched and deleted', async (sample) => {
    const { kind, apiVersion, path, content, change } = sample;
    const name = fresh('sample');
    const created = await client.request('POST', path, { apiVersion, kind, metadata: { name }, ...content });
    expect(created.status, created.text).toBe(201);
    expect(created.body).toMatchObject({ apiVersion, kind, metadata: { name }, ...content });
    expect(created.body.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);

    const read = await client.request('GET', `${path}/${name}`);
    expect(read.status).toBe(200);
    expect(read.text).toBe(created.text);

    const list = (await client.request('GET', `${path}?fieldSelector=metadata.name=${name}`)).body;
    const { kind: _kind, apiVersion: _version, ...item } = read.body;
    expect(list).toMatchObject({ kind: `${kind}List`, apiVersion });
    expect(list.items).toEqual([item]);

    const replacement = { ...read.body, metadata: { ...read.body.metadata, labels: { tier: 'front' } } };
    const updated = await client.request('PUT', `${path}/${name}`, replacement);
    expect(updated.status, updated.text).toBe(200);
    expect(updated.body.metadata.labels).toMatchObject({ tier: 'front' });
    expect(updated.body.metadata.resourceVersion).not.toBe(read.body.metadata.resourceVersion);

    const patched = await client.request('PATCH', `${path}/${name}`, change);
    expect(patched.status, patched.text).toBe(200);
    expect(patched.body).toMatchObject(change);
    expect(patched.body.metadata).toMatchObject({ uid: created.body.metadata.uid, labels: { tier: 'front' } });

    const operations = [{ op: 'remove', path: '/metadata/labels/tier' }];
    const json = { 'content-type': 'application/json-patch+json' };
    const bare = await client.request('PATCH', `${path}/${name}`, operations, json);
    expect(bare.status, bare.text).toBe(200);
    expect(bare.body.metadata.labels ?? {}).not.toHaveProperty('tier');

    const deleted = await client.request('DELETE', `${path}/${name}`);
    expect(deleted.status, deleted.text).toBe(200);
    await expect.poll(async () => (await client.request('GET', `${path}/${name}`)).status).toBe(404);
  });
});

const maps = '/api/v1/namespaces/default/configmaps';
const deployments = '/apis/apps/v1/namespaces/default/deployments';

async function createMap(name: string, more: object = {}): Promise<Document> {
  const { status, text, body } = await plane.admin.request('POST', maps, { metadata: { name }, ...more });
  expect(status, text).toBe(201);
  return body;
}

async function createDeployment(name: string): Promise<Document> {
  const spec = { selector: { matchLabels: { app: name } }, template: template(name) };
  const { status, text, body } = await plane.admin.request('POST', deployments, { metadata: { name }, spec });
  expect(status, text).toBe(201);
  return body;
}

describe('writes', () => {
  it('an update of an outdated version is refused with 409 and changes nothing', async () => {
    const name = fresh('locked');
    const first = await createMap(name, { data: { a: '1' } });
    const second = await plane.admin.request('PUT', `${maps}/${name}`, { ...first, data: { a: '2' } });
    expect(second.status).toBe(200);
    const third = await plane.admin.request('PUT', `${maps}/${name}`, { ...first, data: { a: '3' } });
    expect(third.status).toBe(409);
    expect(third.body).toMatchObject({
      kind: 'Status',
      status: 'Failure',
      reason: 'Conflict',
      code: 409,
      details: { name, kind: 'configmaps' },
    });
    expect(third.body.message).toContain('the object has been modified');
    expect((await plane.admin.request('GET', `${maps}/${name}`)).text).toBe(second.text);
  });

  it('of many concurrent updates of one version exactly one succeeds', async () => {
    const first = await createMap(fresh('raced'));
    const path = `${maps}/${first.metadata.name}`;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => plane.admin.request('PUT', path, { ...first, data: { at: String(at) } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    const winner = answers.find(({ status }) => status === 200);
    expect((await plane.admin.request('GET', path)).text).toBe(winner?.text);
  });

  it('concurrent patches without a version are all applied', async () => {
    const { metadata } = await createMap(fresh('patched'));
    const path = `${maps}/${metadata.name}`;
    const keys = Array.from({ length: 20 }, (_, at) => `key-${at}`);
    const answers = await Promise.all(
      keys.map((key) => plane.admin.request('PATCH', path, { data: { [key]: 'set' } })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(Object.keys((await plane.admin.request('GET', path)).body.data ?? {}).sort()).toEqual([...keys].sort());
  });

  it.each(['PUT', 'PATCH'])('a %s that changes nothing keeps the version', async (method) => {
    const name = fresh('unchanged');
    const created = await createDeployment(name);
    const body = method === 'PUT' ? created : { spec: { replicas: 1 } };
    const again = await plane.admin.request(method, `${deployments}/${name}`, body);
    expect(again.status).toBe(200);
    expect(again.body).toEqual(created);
  });

  it('the object and its status are written apart', async () => {
    const name = fresh('apart');
    const created = await createDeployment(name);
    const both = { spec: { replicas: 7 }, status: { replicas: 5, observedGeneration: 1 } };
    const main = (await plane.admin.request('PATCH', `${deployments}/${name}`, both)).body;
    expect(main.spec).toMatchObject({ replicas: 7 });
    expect(main.status).toEqual(created.status);
    expect(main.metadata.generation).toBe(2);
    const status = (
      await plane.admin.request('PATCH', `${deployments}/${name}/status`, { ...both, spec: { replicas: 9 } })
    ).body;
    expect(status.spec).toMatchObject({ replicas: 7 });
    expect(status.status).toMatchObject({ replicas: 5, observedGeneration: 1 });
    expect(status.metadata.generation).toBe(2);
  });

  it('generateName gives each object a name of its own', async () => {
    const made = await Promise.all(
      Array.from({ length: 20 }, () => plane.admin.request('POST', maps, { metadata: { generateName: 'made-' } })),
    );
    const names = made.map(({ body }) => body.metadata.name);
    expect(new Set(names).size).toBe(20);
    for (const name of names) expect(name).toMatch(/^made-[a-z0-9]{5}$/);
  });

  it('a second object of the same name is refused with 409', async () => {
    const name = fresh('twice');
    await createMap(name);
    const again = await plane.admin.request('POST', maps, { metadata: { name } });
    expect(again.body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: `configmaps "${name}" already exists`,
      reason: 'AlreadyExists',
      details: { name, kind: 'configmaps' },
      code: 409,
    });
  });

  it('a body may not contradict the namespace, the name or the kind that the path says', async () => {
    const name = fresh('elsewhere');
    const wrong = { metadata: { name, namespace: 'platform-system' } };
    expect((await plane.admin.request('POST', maps, wrong)).status).toBe(400);
    await createMap(name);
    expect((await plane.admin.request('PUT', `${maps}/${name}`, wrong)).status).toBe(400);
    expect((await plane.admin.request('PUT', `${maps}/${name}`, { metadata: { name: 'another' } })).status).toBe(400);
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name } };
    expect((await plane.admin.request('PUT', `${maps}/${name}`, secret)).status).toBe(400);
    const misplaced = { metadata: { name: 'somewhere', namespace: 'default' } };
    expect((await plane.admin.request('POST', '/api/v1/namespaces', misplaced)).status).toBe(400);
  });

  it('an object in a namespace that is not there is refused with 404', async () => {
    const { status, body } = await plane.admin.request('POST', '/api/v1/namespaces/nowhere/configmaps', {
      metadata: { name: 'lost' },
    });
    expect(status).toBe(404);
    expect(body).toMatchObject({ reason: 'NotFound', details: { name: 'nowhere', kind: 'namespaces' } });
  });

  it('an invalid object is refused with a cause for every problem', async () => {
    const { status, body } = await plane.admin.request('POST', maps, {
      metadata: { name: 'Not A Name', labels: { 'bad key!': 'x' } },
    });
    expect(status).toBe(422);
    expect(body).toMatchObject({ reason: 'Invalid', details: { name: 'Not A Name', kind: 'ConfigMap' } });
    const fields = body.details?.causes?.map(({ field }) => field) ?? [];
    expect(new Set(fields)).toEqual(new Set(['metadata.name', 'metadata.labels']));
  });

  it('a dry run answers as if it were done and does nothing', async () => {
    const name = fresh('dry');
    const answer = await plane.admin.request('POST', `${maps}?dryRun=All`, { metadata: { name } });
    expect(answer.status).toBe(201);
    expect((await plane.admin.request('GET', `${maps}/${name}`)).status).toBe(404);
    await createMap(name, { data: { a: '1' } });
    const patched = await plane.admin.request('PATCH', `${maps}/${name}?dryRun=All`, { data: { a: '2' } });
    expect(patched.body.data).toEqual({ a: '2' });
    expect((await plane.admin.request('DELETE', `${maps}/${name}?dryRun=All`)).status).toBe(200);
    expect((await plane.admin.request('GET', `${maps}/${name}`)).body.data).toEqual({ a: '1' });
  });

  it('an object with finalizers stays, terminating, until the last one is removed', async () => {
    const name = fresh('held');
    await createMap(name, { metadata: { name, finalizers: ['example.com/hold'] } });
    const deleted = await plane.admin.request('DELETE', `${maps}/${name}`);
    expect(deleted.body.metadata).toHaveProperty('deletionTimestamp');
    expect((await plane.admin.request('GET', `${maps}/${name}`)).status).toBe(200);
    await plane.admin.request('PATCH', `${maps}/${name}`, { metadata: { finalizers: null } });
    expect((await plane.admin.request('GET', `${maps}/${name}`)).status).toBe(404);
  });
});

describe('lists', () => {
  /** A namespace of its own, so that lists hold what the test puts there. */
  async function freshMaps(): Promise<string> {
    const name = fresh('lists');
    expect((await plane.admin.request('POST', '/api/v1/namespaces', { metadata: { name } })).status).toBe(201);
    const path = `/api/v1/namespaces/${name}/configmaps`;
    // Every namespace is given one map by the server itself.
    await expect.poll(async () => (await plane.admin.request('GET', path)).body.items.length).toBe(1);
    return path;
  }

  const namesIn = ({ items }: Document): string[] => items.map(({ metadata }) => metadata.name);

  async function fill(path: string, names: readonly string[], labels: (at: number) => object = () => ({})) {
    const answers = await Promise.all(
      names.map((name, at) => plane.admin.request('POST', path, { metadata: { name, labels: labels(at) } })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  }

  it.each([
    ['a=1', ['m1']],
    ['a!=1', ['m0', 'm2', 'm3']],
    ['a in (1,2)', ['m1', 'm2']],
    ['a notin (1,2)', ['m0', 'm3']],
    ['a,b=even', ['m0', 'm2']],
    ['!a', []],
    ['a>1', ['m2', 'm3']],
  ])('the label selector %s selects %j', async (selector, expected) => {
    const path = await freshMaps();
    const labels = (at: number) => ({ a: String(at), b: at % 2 === 0 ? 'even' : 'odd' });
    await fill(path, ['m0', 'm1', 'm2', 'm3'], labels);
    const { body } = await plane.admin.request('GET', `${path}?labelSelector=${encodeURIComponent(selector)}`);
    expect(namesIn(body).filter((name) => name.startsWith('m'))).toEqual(expected);
  });

  it('a selector that cannot be read, or a field that cannot be selected, is refused with 400', async () => {
    expect((await plane.admin.request('GET', `${maps}?labelSelector=a%20b%20c`)).status).toBe(400);
    expect((await plane.admin.request('GET', `${maps}?fieldSelector=data.colour=green`)).status).toBe(400);
  });

  it('pages are one consistent snapshot while writers go on', async () => {
    const path = await freshMaps();
    const names = Array.from({ length: 50 }, (_, at) => `item-${String(at).padStart(2, '0')}`);
    await fill(path, names);
    let writing = true;
    const writer = (async () => {
      for (let at = 0; writing; at++) {
        await plane.admin.request('DELETE', `${path}/item-${String(49 - (at % 50)).padStart(2, '0')}`);
        await plane.admin.request('POST', path, { metadata: { name: `item-${at % 50}-late` } });
      }
    })();
    const pages: Document[] = [];
    let token = '';
    do {
      const { status, body, text } = await plane.admin.request('GET', `${path}?limit=7&continue=${token}`);
      expect(status, text).toBe(200);
      pages.push(body);
      token = body.metadata.continue ?? '';
    } while (token !== '');
    writing = false;
    await writer;
    const [first] = pages;
    const exact = `resourceVersion=${first?.metadata.resourceVersion}&resourceVersionMatch=Exact`;
    const whole = await plane.admin.request('GET', `${path}?${exact}`);
    expect(pages.flatMap(({ items }) => items)).toEqual(whole.body.items);
    expect(new Set(pages.map(({ metadata }) => metadata.resourceVersion)).size).toBe(1);
    expect(first?.metadata.remainingItemCount).toBe(whole.body.items.length - 7);
    expect(namesIn(whole.body)).not.toEqual(namesIn((await plane.admin.request('GET', path)).body));
  });

  it('every list says in metadata.continue whether it is complete, whatever it is rendered as', async () => {
    const path = await freshMaps();
    await fill(path, ['one', 'two']);
    const renderings = [
      'application/json',
      'application/json;as=Table;v=v1;g=meta.platform.io',
      'application/json;as=PartialObjectMetadataList;v=v1;g=meta.platform.io',
    ];
    for (const accept of renderings) {
      const get = async (query: string) =>
        (await plane.admin.request('GET', `${path}${query}`, undefined, { accept })).body;
      expect((await get('')).metadata.continue, accept).toBe('');
      expect((await get('?limit=2')).metadata.continue, accept).toMatch(/.+/);
      expect((await get('?limit=3')).metadata.continue, accept).toBe('');
      expect((await get('?labelSelector=none')).metadata.continue, accept).toBe('');
    }
  });

  it('a continue token is refused beside a version, and when it is made up', async () => {
    const path = await freshMaps();
    await fill(path, ['one', 'two']);
    const token = (await plane.admin.request('GET', `${path}?limit=1`)).body.metadata.continue;
    expect((await plane.admin.request('GET', `${path}?limit=1&continue=${token}&resourceVersion=5`)).status).toBe(400);
    expect((await plane.admin.request('GET', `${path}?limit=1&continue=${token}&resourceVersion=0`)).status).toBe(200);
    expect((await plane.admin.request('GET', `${path}?limit=1&continue=made-up`)).status).toBe(400);
  });

  it('a version from the future is waited for, then refused with 504', async () => {
    const asked = plane.admin.request('GET', `${maps}?resourceVersion=999999999`);
    const clock = setInterval(() => runtime.advance(1_000), 10);
    const { status, body, headers } = await asked;
    clearInterval(clock);
    expect(status).toBe(504);
    expect(body).toMatchObject({
      reason: 'Timeout',
      details: { causes: [{ reason: 'ResourceVersionTooLarge' }], retryAfterSeconds: 1 },
    });
    expect(headers['retry-after']).toBe('1');
  });

  it('deletecollection removes what the selector selects and answers it', async () => {
    const path = await freshMaps();
    const names = Array.from({ length: 40 }, (_, at) => `item-${at}`);
    await fill(path, names, (at) => ({ parity: at % 2 === 0 ? 'even' : 'odd' }));
    const deleted = await plane.admin.request('DELETE', `${path}?labelSelector=parity%3Deven`);
    expect(deleted.status).toBe(200);
    expect(deleted.body.kind).toBe('ConfigMapList');
    expect(deleted.body.items).toHaveLength(20);
    const left = namesIn((await plane.admin.request('GET', `${path}?labelSelector=parity`)).body);
    expect(left.sort()).toEqual(names.filter((_, at) => at % 2 === 1).sort());
  });

  it('a list too large for one piece is the same as its pages', async () => {
    const path = await freshMaps();
    const names = Array.from({ length: 60 }, (_, at) => `large-${String(at).padStart(2, '0')}`);
    const data = { filling: 'é'.repeat(15_000) };
    await Promise.all(names.map((name) => plane.admin.request('POST', path, { metadata: { name }, data })));
    const whole = await plane.admin.request('GET', path);
    expect(Buffer.byteLength(whole.text)).toBeGreaterThan(1 << 20);
    const first = (await plane.admin.request('GET', `${path}?limit=20`)).body;
    const rest = (await plane.admin.request('GET', `${path}?continue=${first.metadata.continue}`)).body;
    expect(whole.body.items).toEqual([...first.items, ...rest.items]);
    expect(namesIn(whole.body)).toEqual(expect.arrayContaining(names));
    for (const item of whole.body.items.slice(-names.length)) expect(item.data).toEqual(data);
  });
});

describe('what is not there', () => {
  it.each([
    ['GET', `${maps}/missing`, 404, 'NotFound'],
    ['GET', '/api/v1/namespaces/default/gadgets', 404, 'NotFound'],
    ['GET', '/apis/apps/v7/deployments', 404, 'NotFound'],
    ['GET', '/api/v1/configmaps/no-namespace', 404, 'NotFound'],
    ['PUT', maps, 405, 'MethodNotAllowed'],
    ['POST', `${maps}/a-name`, 405, 'MethodNotAllowed'],
  ])('%s %s answers %i as a Status', async (method, path, status, reason) => {
    const answer = await plane.admin.request(method, path, method === 'GET' ? undefined : {});
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.body).toMatchObject({ kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, code: status });
  });

  it.each(['/nothing', '/apis/unknown.example.com/v1/things'])('%s answers 404 as text', async (path) => {
    const answer = await plane.admin.request('GET', path);
    expect(answer.status).toBe(404);
    expect(answer.text).toBe('404 page not found\n');
  });

  it('HEAD answers as GET, without a body', async () => {
    const name = fresh('head');
    const { metadata } = await createMap(name);
    const answer = await plane.admin.request('HEAD', `${maps}/${name}`);
    const full = await plane.admin.request('GET', `${maps}/${metadata.name}`);
    expect(answer.status).toBe(200);
    expect(answer.text).toBe('');
    expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(full.text)));
    expect((await plane.admin.request('HEAD', `${maps}/missing`)).status).toBe(404);
  });
});
