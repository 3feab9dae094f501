import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { envelop } from '../src/codec/protobuf.ts';
import type { Answer } from './support/client.ts';
import {
  customObject,
  DEFINITIONS,
  define,
  definition,
  untilGone,
  untilServed,
  version,
} from './support/definitions.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';
import type { Watch } from './support/watch.ts';

const GROUP = 'zoo.example.com';
const TEXT = { type: 'string' };

let plane: TestServer;

beforeAll(async () => {
  plane = await startTestServer();
});

afterAll(() => plane.close());

const pathOf = (plural: string, name = 'v1'): string => `/apis/${GROUP}/${name}/namespaces/default/${plural}`;
const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> =>
  plane.admin.request(method, path, body, headers);

async function succeed(method: string, path: string, body?: unknown): Promise<Answer['body']> {
  const answer = await send(method, path, body);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body;
}

async function watch(path: string): Promise<Watch> {
  const opened = await plane.watch(path);
  onTestFinished(() => opened.close());
  return opened;
}

const change = (plural: string, patch: object): Promise<unknown> =>
  succeed('PATCH', `${DEFINITIONS}/${plural}.${GROUP}`, patch);

describe('a schema that changes', () => {
  it('counts for the next request, and for objects that were stored before', async () => {
    await define(plane.admin, definition('lions', GROUP, [version('v1', { name: TEXT, old: TEXT })]), pathOf('lions'));
    await succeed(
      'POST',
      pathOf('lions'),
      customObject(pathOf('lions'), { metadata: { name: 'leo' }, spec: { name: 'Leo', old: 'x' } }),
    );
    const mood = { type: 'string', default: 'good' };
    const after = [version('v1', { name: TEXT, mood }, { storage: true })];
    await change('lions', { spec: { versions: after } });
    const read = await succeed('GET', `${pathOf('lions')}/leo`);
    expect(read.spec).toEqual({ name: 'Leo', mood: 'good' });
    const { items } = await succeed('GET', pathOf('lions'));
    expect(items.map(({ spec }) => spec)).toEqual([read.spec]);
  });

  it('ends watches, which go on where they were', async () => {
    await define(plane.admin, definition('bears', GROUP, [version('v1', { a: TEXT })]), pathOf('bears'));
    const before = await watch(`${pathOf('bears')}?watch=1`);
    const { metadata } = await succeed(
      'POST',
      pathOf('bears'),
      customObject(pathOf('bears'), { metadata: { name: 'one' }, spec: { a: 'b' } }),
    );
    expect((await before.next()).object.metadata.name).toBe('one');
    await change('bears', { spec: { versions: [version('v1', { a: TEXT, b: TEXT }, { storage: true })] } });
    expect(await before.ended).toBe('clean');
    const after = await watch(`${pathOf('bears')}?watch=1&resourceVersion=${metadata.resourceVersion}`);
    await succeed('PATCH', `${pathOf('bears')}/one`, { spec: { b: 'c' } });
    expect((await after.next()).object.spec).toEqual({ a: 'b', b: 'c' });
  });

  it('leaves watches alone when nothing that is served changes', async () => {
    await define(plane.admin, definition('owls', GROUP, [version('v1', { a: TEXT })]), pathOf('owls'));
    const open = await watch(`${pathOf('owls')}?watch=1`);
    await change('owls', { metadata: { labels: { a: 'b' } } });
    await succeed('POST', pathOf('owls'), customObject(pathOf('owls'), { metadata: { name: 'one' } }));
    expect((await open.next()).object.metadata.name).toBe('one');
  });
});

describe('a document', () => {
  it('must say what it is, in its own words', async () => {
    await define(plane.admin, definition('otters', GROUP, [version('v1')]), pathOf('otters'));
    const whole = { apiVersion: `${GROUP}/v1`, kind: 'Otter', metadata: { name: 'one' } };
    for (const [without, status] of [
      [{ kind: '' }, 400],
      [{ apiVersion: undefined }, 400],
      [{ apiVersion: `${GROUP}/v2` }, 400],
      [{ kind: 'Seal' }, 422],
      [{}, 201],
    ] as const) {
      expect((await send('POST', pathOf('otters'), { ...whole, ...without })).status).toBe(status);
    }
    const renamed = await send('PATCH', `${pathOf('otters')}/one`, { kind: 'Seal' });
    expect(renamed.body).toMatchObject({ reason: 'Invalid', details: { causes: [{ field: 'kind' }] } });
  });
});

describe('a definition that goes', () => {
  it('takes its objects with it, ends watches, and begins empty when it is made again', async () => {
    const document = definition('wolves', GROUP, [version('v1', { a: TEXT })]);
    await define(plane.admin, document, pathOf('wolves'));
    for (const name of ['a', 'b', 'c'])
      await succeed('POST', pathOf('wolves'), customObject(pathOf('wolves'), { metadata: { name } }));
    const { metadata } = await succeed('GET', pathOf('wolves'));
    const open = await watch(`${pathOf('wolves')}?watch=1&resourceVersion=${metadata.resourceVersion}`);
    await succeed('DELETE', `${DEFINITIONS}/wolves.${GROUP}`);
    const gone = [await open.next(), await open.next(), await open.next()];
    expect(gone.map(({ type, object }) => `${type} ${object.metadata.name}`).sort()).toEqual([
      'DELETED a',
      'DELETED b',
      'DELETED c',
    ]);
    expect(await open.ended).toBe('clean');
    await untilGone(plane.admin, `${DEFINITIONS}/wolves.${GROUP}`);
    await untilGone(plane.admin, pathOf('wolves'));
    await define(plane.admin, document, pathOf('wolves'));
    expect((await succeed('GET', pathOf('wolves'))).items).toEqual([]);
  });

  it('goes at once when it was never served', async () => {
    await define(plane.admin, definition('foxes', GROUP, [version('v1')]), pathOf('foxes'));
    const rival = definition('hounds', GROUP, [version('v1')], { names: { plural: 'hounds', kind: 'Foxe' } });
    await succeed('POST', DEFINITIONS, rival);
    await succeed('DELETE', `${DEFINITIONS}/hounds.${GROUP}`);
    await untilGone(plane.admin, `${DEFINITIONS}/hounds.${GROUP}`);
  });
});

describe('the storage version', () => {
  it('is what an object is rewritten in by a write that changes nothing', async () => {
    const [v1, v2] = [version('v1', { a: TEXT }), version('v2', { a: TEXT })];
    await define(plane.admin, definition('seals', GROUP, [v2, { ...v1, storage: true }]), pathOf('seals', 'v2'));
    const made = await succeed(
      'POST',
      pathOf('seals'),
      customObject(pathOf('seals'), { metadata: { name: 'one' }, spec: { a: 'b' } }),
    );
    const same = await succeed('PATCH', `${pathOf('seals')}/one`, {});
    expect(same.metadata.resourceVersion).toBe(made.metadata.resourceVersion);
    await change('seals', { spec: { versions: [v1, { ...v2, storage: true }] } });
    const moved = await succeed('PATCH', `${pathOf('seals')}/one`, {});
    expect(moved.apiVersion).toBe(`${GROUP}/v1`);
    expect(Number(moved.metadata.resourceVersion)).toBeGreaterThan(Number(made.metadata.resourceVersion));
    expect(moved.metadata.generation).toBe(1);
    const again = await succeed('PATCH', `${pathOf('seals')}/one`, {});
    expect(again.metadata.resourceVersion).toBe(moved.metadata.resourceVersion);
    await succeed('PATCH', `${DEFINITIONS}/seals.${GROUP}/status`, { status: { storedVersions: ['v2'] } });
    await change('seals', { spec: { versions: [{ ...v2, storage: true }] } });
    expect((await succeed('GET', `${pathOf('seals', 'v2')}/one`)).spec).toEqual({ a: 'b' });
  });
});

describe('other parts of the server', () => {
  it('follow custom kinds: namespaces are emptied of their objects', async () => {
    await define(plane.admin, definition('hens', GROUP, [version('v1')]), pathOf('hens'));
    await succeed('POST', '/api/v1/namespaces', { metadata: { name: 'coop' } });
    const inCoop = `/apis/${GROUP}/v1/namespaces/coop/hens`;
    await succeed('POST', inCoop, customObject(inCoop, { metadata: { name: 'one' } }));
    await succeed('DELETE', '/api/v1/namespaces/coop');
    await untilGone(plane.admin, '/api/v1/namespaces/coop');
    expect((await succeed('GET', inCoop)).items).toEqual([]);
  });

  it('follow custom kinds: quotas count their objects', async () => {
    await define(plane.admin, definition('cows', GROUP, [version('v1')]), pathOf('cows'));
    await succeed('POST', '/api/v1/namespaces', { metadata: { name: 'barn' } });
    const hard = { [`count/cows.${GROUP}`]: '1' };
    await succeed('POST', '/api/v1/namespaces/barn/resourcequotas', { metadata: { name: 'few' }, spec: { hard } });
    const path = `/apis/${GROUP}/v1/namespaces/barn/cows`;
    await succeed('POST', path, customObject(path, { metadata: { name: 'one' } }));
    const refused = await send('POST', path, customObject(path, { metadata: { name: 'two' } }));
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('exceeded quota')]);
  });

  it('refuse what custom kinds have no form for', async () => {
    await define(plane.admin, definition('goats', GROUP, [version('v1')]), pathOf('goats'));
    const binary = 'application/vnd.platform.protobuf';
    const body = envelop(`${GROUP}/v1`, 'Goat', Buffer.alloc(0));
    expect((await send('GET', pathOf('goats'), undefined, { accept: binary })).status).toBe(406);
    expect((await send('POST', pathOf('goats'), body, { 'content-type': binary })).status).toBe(415);
  });

  it('have the schema in the OpenAPI document of its version, and its group in no other', async () => {
    await define(plane.admin, definition('mules', GROUP, [version('v1', { load: TEXT })]), pathOf('mules'));
    const { text } = await send('GET', `/openapi/v3/apis/${GROUP}/v1`);
    const { components } = JSON.parse(text);
    expect(components.schemas['com.example.zoo.v1.Mule'].properties.spec.properties.load).toEqual(TEXT);
  });
});

it('the OpenAPI document of a version has another address once its schema is another', async () => {
  await define(plane.admin, definition('moles', GROUP, [version('v1', { a: TEXT })]), pathOf('moles'));
  const part = `apis/${GROUP}/v1`;
  const address = async (): Promise<string> => {
    const { paths } = JSON.parse((await send('GET', '/openapi/v3')).text);
    return paths[part].serverRelativeURL;
  };
  const before = await address();
  expect(await address()).toBe(before);
  const { text } = await send('GET', before);
  expect(JSON.parse(text).components.schemas).toHaveProperty(['com.example.zoo.v1.Mole']);
  await change('moles', { spec: { versions: [version('v1', { a: TEXT, b: TEXT }, { storage: true })] } });
  await expect.poll(address).not.toBe(before);
  expect((await send('GET', before)).status).toBe(301);
  expect((await send('GET', await address())).text).toContain('"b":');
});

it('a definition cannot have names of a built-in kind', async () => {
  const group = 'apps.platform.io';
  const document = definition('tapirs', group, [version('v1')]);
  const annotated = {
    ...document,
    metadata: { name: `tapirs.${group}`, annotations: { 'api-approved.platform.io': 'unapproved' } },
  };
  await define(plane.admin, annotated, `/apis/${group}/v1/tapirs`);
  const { status } = await succeed('GET', `${DEFINITIONS}/tapirs.${group}`);
  expect(status).toMatchObject({
    conditions: expect.arrayContaining([
      expect.objectContaining({
        type: 'PlatformAPIApprovalPolicyConformant',
        status: 'False',
        reason: 'UnapprovedAnnotation',
      }),
    ]),
  });
  await untilServed(plane.admin, `/apis/${group}/v1/tapirs`);
  const rbac = 'rbac.authorization.platform.io';
  const rival = definition('parts', rbac, [version('v1alpha9')], { names: { plural: 'parts', kind: 'Role' } });
  const meta = { name: `parts.${rbac}`, annotations: { 'api-approved.platform.io': 'unapproved' } };
  await succeed('POST', DEFINITIONS, { ...rival, metadata: meta });
  await expect
    .poll(async () => (await succeed('GET', `${DEFINITIONS}/parts.${rbac}`)).status)
    .toMatchObject({ conditions: expect.arrayContaining([expect.objectContaining({ reason: 'ListKindConflict' })]) });
});
