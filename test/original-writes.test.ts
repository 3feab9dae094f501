import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemRuntime } from '../src/runtime/runtime.ts';
import { vocabularies } from '../src/vocabulary/vocabulary.ts';
import type { Answer, Headers } from './support/client.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** What clients of the original rely on when they write. */

/** Chance as it comes, unless a test says what it is. */
class LoadedRuntime extends ShiftableRuntime {
  chance: (() => number) | undefined;
  override random = (): number => this.chance?.() ?? systemRuntime.random();
}

const NAMESPACES = '/api/v1/namespaces';
const MAPS = `${NAMESPACES}/default/configmaps`;
const LEASES = '/apis/coordination.platform.io/v1/namespaces/default/leases';

const typed = (type: string): Headers => ({ 'content-type': `application/${type}` });
const JSON_PATCH = typed('json-patch+json');
const STRATEGIC = typed('strategic-merge-patch+json');
const APPLY = typed('apply-patch+yaml');
const YAML = typed('yaml');

const runtime = new LoadedRuntime();
let plane: TestServer;
beforeAll(async () => {
  plane = await startTestServer({ runtime });
});
afterAll(() => plane.close());

const send = (method: string, path: string, body?: unknown, headers: Headers = {}): Promise<Answer> =>
  plane.admin.request(method, path, body, headers);

const map = (name: string, metadata: object = {}, data: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});

interface Entry {
  readonly manager: string;
  readonly time: string;
  readonly fieldsV1: object;
}

const ownersIn = ({ body }: Answer): readonly Entry[] => Reflect.get(body.metadata, 'managedFields') ?? [];

describe('version 0', () => {
  const unset = { resourceVersion: '0' };

  it.each([
    ['put', 'PUT', '', map('zero', unset, { a: 'put' }), {}],
    ['merged', 'PATCH', '', { metadata: unset, data: { a: 'merged' } }, {}],
    ['applied', 'PATCH', '?fieldManager=m&force=true', map('zero', unset, { a: 'applied' }), APPLY],
  ])('is no precondition when it is %s', async (how, method, query, body, headers) => {
    await send('POST', MAPS, map('zero'));
    const answer = await send(method, `${MAPS}/zero${query}`, body, headers);
    expect([answer.status, answer.body.data]).toEqual([200, { a: how }]);
    expect(answer.body.metadata.resourceVersion).not.toBe('0');
  });

  it('is none either where one is demanded', async () => {
    await send('POST', LEASES, { metadata: { name: 'l' } });
    const answer = await send('PUT', `${LEASES}/l`, { metadata: { name: 'l', ...unset } });
    expect([answer.status, answer.body.details?.causes?.[0]?.field]).toEqual([422, 'metadata.resourceVersion']);
  });
});

describe('a generated name', () => {
  /** Chance that gives the letter b for so many names, and c from then on. */
  function load(names: number): { readonly asked: () => number } {
    let asked = 0;
    runtime.chance = () => (asked++ < names * 5 ? 0 : 1.5 / 27);
    return { asked: () => asked };
  }

  const make = (prefix: string, query = '') => send('POST', `${MAPS}${query}`, { metadata: { generateName: prefix } });

  it('that is taken gives way to another', async () => {
    load(9);
    expect((await make('seven-')).body.metadata.name).toBe('seven-bbbbb');
    load(7);
    expect((await make('seven-', '?dryRun=All')).body.metadata.name).toBe('seven-ccccc');
    load(7);
    const answer = await make('seven-');
    expect([answer.status, answer.body.metadata.name]).toEqual([201, 'seven-ccccc']);
    runtime.chance = undefined;
  });

  it('is tried again seven times and no more', async () => {
    load(1);
    await make('used-');
    const { asked } = load(100);
    const answer = await make('used-');
    runtime.chance = undefined;
    expect([answer.status, answer.body.reason, asked()]).toEqual([409, 'AlreadyExists', 8 * 5]);
    expect(answer.body.message).toContain('not able to generate a unique name');
    expect(answer.body.details).toMatchObject({ name: 'used-bbbbb', retryAfterSeconds: 1 });
  });

  it('is not made where a name is given', async () => {
    await send('POST', MAPS, map('given'));
    const answer = await send('POST', MAPS, map('given', { generateName: 'other-' }));
    expect([answer.status, answer.body.details?.name]).toEqual([409, 'given']);
  });
});

describe('ownership', () => {
  it('has the time of the last change, not of the last new field', async () => {
    const first = await send('POST', `${MAPS}?fieldManager=one`, map('timed', {}, { a: '1', b: '1' }));
    runtime.advance(5_000);
    const changed = await send('PATCH', `${MAPS}/timed?fieldManager=one`, { data: { a: '2' } });
    runtime.advance(5_000);
    const again = await send('PATCH', `${MAPS}/timed?fieldManager=one`, { data: { a: '2' } });
    const [made, renewed] = [ownersIn(first)[0], ownersIn(changed)[0]];
    expect(Date.parse(renewed?.time ?? '') - Date.parse(made?.time ?? '')).toBeGreaterThanOrEqual(5_000);
    expect(renewed?.fieldsV1).toEqual(made?.fieldsV1);
    expect(again.text).toBe(changed.text);
  });

  it('of the label that a namespace has by itself is its maker’s', async () => {
    const label = vocabularies.platform.labels.metadataName;
    const fieldsV1 = { 'f:metadata': { 'f:labels': { '.': {}, [`f:${label}`]: {} } } };
    const made = await send('POST', `${NAMESPACES}?fieldManager=maker`, { metadata: { name: 'labelled' } });
    expect(ownersIn(made)).toMatchObject([{ manager: 'maker', fieldsV1 }]);
    // Whoever leaves it out has not taken it away.
    const put = await send('PUT', `${NAMESPACES}/labelled?fieldManager=other`, { metadata: { name: 'labelled' } });
    expect(put.body.metadata).toEqual(made.body.metadata);
  });
});

describe('a watch', () => {
  it('shows an object that goes as it was last stored, whoever lets it go', async () => {
    const { body: list } = await send('GET', MAPS);
    await send('POST', MAPS, map('going', { finalizers: ['example.com/a'], labels: { l: '1' } }));
    await send('DELETE', `${MAPS}/going`);
    const metadata = { finalizers: null, labels: { l: '2' } };
    const answer = await send('PATCH', `${MAPS}/going`, { metadata, data: { late: 'x' } });
    expect([answer.status, answer.body.data, answer.body.metadata.labels]).toEqual([200, { late: 'x' }, { l: '2' }]);
    expect(Reflect.get(answer.body.metadata, 'finalizers')).toBeUndefined();
    const from = `fieldSelector=metadata.name%3Dgoing&resourceVersion=${list.metadata.resourceVersion}&watch=1`;
    const watch = await plane.watch(`${MAPS}?${from}&labelSelector=l%3D1`);
    const [, marked, gone] = await watch.take(3);
    watch.close();
    expect([marked?.type, gone?.type]).toEqual(['MODIFIED', 'DELETED']);
    const { resourceVersion, ...last } = gone?.object.metadata ?? { resourceVersion: '' };
    const { resourceVersion: before, ...stored } = marked?.object.metadata ?? { resourceVersion: '' };
    expect(last).toEqual(stored);
    expect(last).toMatchObject({ finalizers: ['example.com/a'] });
    expect(Number(resourceVersion)).toBeGreaterThan(Number(before));
    expect(gone?.object.data).toBeUndefined();
  });
});

describe('a body of null', () => {
  it.each([
    ['POST', MAPS, 'null', {}, 422],
    ['POST', MAPS, '~', YAML, 422],
    ['POST', MAPS, '# nothing\n', YAML, 422],
    ['POST', MAPS, '', YAML, 422],
    ['POST', MAPS, '', {}, 400],
    ['POST', MAPS, '[]', {}, 400],
    ['POST', '/apis/authorization.platform.io/v1/selfsubjectaccessreviews', 'null', {}, 422],
    ['PUT', `${MAPS}/nothing`, 'null', {}, 400],
    ['PATCH', `${MAPS}/nothing`, 'null', {}, 400],
    ['PATCH', `${MAPS}/nothing`, 'null', JSON_PATCH, 200],
    ['PATCH', `${MAPS}/nothing`, 'null', STRATEGIC, 200],
    ['PATCH', `${MAPS}/nothing?fieldManager=m`, 'null', APPLY, 400],
    ['DELETE', `${MAPS}/nothing?dryRun=All`, 'null', {}, 200],
  ])('is an object of which nothing is said: %s %s %j', async (method, path, body, headers, status) => {
    await send('POST', MAPS, map('nothing'));
    expect((await send(method, path, body, headers)).status).toBe(status);
  });
});

describe('a type that is never stored', () => {
  const REVIEWS = '/apis/authorization.platform.io/v1/selfsubjectaccessreviews';

  it.each([
    ['PUT', `${REVIEWS}/x`, 404],
    ['GET', `${REVIEWS}/x`, 404],
    ['PUT', REVIEWS, 405],
    ['GET', REVIEWS, 405],
    ['PUT', `${NAMESPACES}/default/bindings/x`, 404],
    ['PUT', '/api/v1/componentstatuses/x', 405],
  ])('has no objects to put or get: %s %s', async (method, path, status) => {
    expect((await send(method, path, method === 'PUT' ? {} : undefined)).status).toBe(status);
  });
});

describe('the deletion of a namespace', () => {
  it('that is only tried shows what would become of it, and lets it be', async () => {
    const { body: before } = await send('POST', NAMESPACES, { metadata: { name: 'tried' } });
    const tried = await send('DELETE', `${NAMESPACES}/tried?dryRun=All`);
    expect([tried.status, tried.body.status]).toEqual([200, { phase: 'Terminating' }]);
    expect(tried.body.metadata).toEqual({ ...before.metadata, deletionTimestamp: expect.any(String) });
    expect((await send('GET', `${NAMESPACES}/tried`)).body).toEqual(before);
    expect((await send('POST', `${NAMESPACES}/tried/configmaps`, map('c'))).status).toBe(201);
  });
});

describe('a strict patch with fields that are unknown or there twice', () => {
  let original: TestServer;
  beforeAll(async () => {
    original = await startTestServer({ vocabulary: 'kubernetes' });
    for (const { admin } of [plane, original]) await admin.request('POST', MAPS, map('strict'));
  });
  afterAll(() => original.close());

  it.each([
    ['a merge patch', '{"foo":1,"data":{"a":"1","a":"2"}}', {}, ['"foo"', '"data.a"']],
    ['a strategic merge patch', '{"foo":1}', STRATEGIC, ['"foo"']],
    ['a JSON patch', '[{"op":"add","path":"/foo","value":1}]', JSON_PATCH, ['"foo"']],
  ])('as %s: 400 by the specification, 422 for clients of the original', async (_what, body, headers, told) => {
    const path = `${MAPS}/strict?fieldValidation=Strict`;
    const neutral = await send('PATCH', path, body, headers);
    expect([neutral.status, neutral.body.reason, neutral.body.details]).toEqual([400, 'BadRequest', undefined]);
    const answer = await original.admin.request('PATCH', path, body, headers);
    expect([answer.status, answer.body.reason]).toEqual([422, 'Invalid']);
    expect(answer.body.details?.causes).toMatchObject([{ reason: 'FieldValueInvalid', field: 'patch' }]);
    for (const field of told) {
      expect(neutral.body.message).toContain(field);
      expect(answer.body.message).toContain(field);
    }
  });

  it('is 400 in both for anything but a patch', async () => {
    const body = { ...map('strict'), foo: 1 };
    for (const { admin } of [plane, original]) {
      expect((await admin.request('PUT', `${MAPS}/strict?fieldValidation=Strict`, body)).status).toBe(400);
      expect(
        (await admin.request('PATCH', `${MAPS}/strict?fieldManager=m&fieldValidation=Strict`, body, APPLY)).status,
      ).toBe(400);
    }
  });
});
