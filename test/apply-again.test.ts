import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from './support/client.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** Documents that are applied again and again: what was found out about the last must not hide what is new in the next. */

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const APPLY = { 'content-type': 'application/apply-patch+yaml' };
const MERGE = { 'content-type': 'application/merge-patch+json' };

let plane: TestServer;
beforeAll(async () => {
  plane = await startTestServer();
});
afterAll(() => plane.close());

const container = (name: string, more: object = {}) => ({ name, image: `example.org/${name}:1`, ...more });

const deployment = (name: string, spec: object = {}, containers: readonly object[] = [container('a')]) => ({
  kind: 'Deployment',
  apiVersion: 'apps/v1',
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers } },
    ...spec,
  },
});

const apply = (name: string, document: object, query = ''): Promise<Answer> =>
  plane.admin.request('PATCH', `${DEPLOYMENTS}/${name}?fieldManager=one${query}`, document, APPLY);

const live = async (name: string) => (await plane.admin.request('GET', `${DEPLOYMENTS}/${name}`)).body;

/** How an object can be there before something is applied to it. */
const BEFORE: Readonly<Record<string, (name: string) => Promise<unknown>>> = {
  'that is not there': async () => {},
  'that someone else made': (name) => plane.admin.request('POST', DEPLOYMENTS, deployment(name)),
  'that was applied before': (name) => apply(name, deployment(name)),
  'that was applied twice before': async (name) => {
    await apply(name, deployment(name));
    await apply(name, { ...deployment(name), metadata: { name, labels: { turn: '2' } } });
  },
};

describe.each(Object.entries(BEFORE))('a document for an object %s', (what, prepare) => {
  const named = (why: string): string => `${why}-${Object.keys(BEFORE).indexOf(what)}`;

  it.each([
    ['twice', 'an element twice', deployment('x', {}, [container('a'), container('a')]), 'duplicate entries'],
    ['unknown', 'a field that is unknown', deployment('x', { size: 3 }), 'spec.size'],
    ['deep', 'an unknown field deep inside', deployment('x', {}, [container('a', { size: 3 })]), 'containers[0].size'],
    ['type', 'a value of a wrong type', deployment('x', { replicas: 'three' }), 'spec.replicas'],
  ])('is refused when it has, as in %s, %s', async (why, _what, wrong, message) => {
    const name = named(why);
    await prepare(name);
    const document = { ...wrong, metadata: { name } };
    for (let turn = 0; turn < 2; turn++) {
      const { status, body } = await apply(name, document);
      expect(status).toBe(400);
      expect(body.message).toContain(message);
    }
  });
});

describe('a document that is applied again', () => {
  it('changes nothing, and only what is new in it when something is', async () => {
    const document = (label: string) => ({ ...deployment('again'), metadata: { name: 'again', labels: { label } } });
    const versions: string[] = [];
    for (const label of ['1', '1', '2', '2', '1']) {
      const { status, body } = await apply('again', document(label));
      expect([200, 201]).toContain(status);
      expect(body.metadata.labels).toEqual({ label });
      expect(body.metadata.generation).toBe(1);
      versions.push(body.metadata.resourceVersion);
    }
    expect(new Set(versions).size).toBe(3);
    expect(versions[1]).toBe(versions[0]);
    expect(versions[3]).toBe(versions[2]);
  });

  it('conflicts with who changed its values meanwhile, and wins by force', async () => {
    const document = deployment('contested', { replicas: 3 });
    for (let turn = 0; turn < 3; turn++) await apply('contested', document);
    const scale = { spec: { replicas: 5 } };
    await plane.admin.request('PATCH', `${DEPLOYMENTS}/contested?fieldManager=other`, scale, MERGE);
    const refused = await apply('contested', document);
    expect(refused.status).toBe(409);
    expect(refused.body.message).toContain('.spec.replicas');
    expect((await live('contested')).spec).toMatchObject({ replicas: 5 });
    expect((await apply('contested', document, '&force=true')).body.spec).toMatchObject({ replicas: 3 });
  });

  it('leaves alone what others added meanwhile', async () => {
    const document = deployment('joined');
    for (let turn = 0; turn < 3; turn++) await apply('joined', document);
    const paused = { spec: { paused: true } };
    await plane.admin.request('PATCH', `${DEPLOYMENTS}/joined?fieldManager=other`, paused, MERGE);
    expect((await apply('joined', document)).body.spec).toMatchObject({ paused: true });
  });

  it('takes out what it says no more, and puts it back when it says it again', async () => {
    const [less, more] = [deployment('lessened'), deployment('lessened', { minReadySeconds: 7 })];
    for (const [document, expected] of [
      [more, 7],
      [more, 7],
      [less, undefined],
      [less, undefined],
      [more, 7],
      [less, undefined],
    ] as const) {
      expect(Object((await apply('lessened', document)).body.spec).minReadySeconds).toBe(expected);
    }
  });
});

it('leaves what another owns alone when an owner of the same gives up everything', async () => {
  const one = '/api/v1/namespaces/default/configmaps/shared';
  const applyAs = (manager: string, more: object) =>
    plane.admin.request(
      'PATCH',
      `${one}?fieldManager=${manager}`,
      { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'shared' }, ...more },
      APPLY,
    );
  await applyAs('first', { data: { a: '1', b: '1' } });
  await applyAs('second', { data: { b: '1', c: '1' } });
  const { status, body } = await applyAs('first', {});
  expect(status).toBe(200);
  expect(body).toMatchObject({ data: { b: '1', c: '1' }, metadata: { managedFields: [{ manager: 'second' }] } });
});
