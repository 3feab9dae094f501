import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ApiError,
  type Client,
  ConfigMap,
  connect,
  Deployment,
  isRefusal,
  Namespace,
  Role,
  type WatchEvent,
} from '../src/client/index.ts';
import { type VocabularyName, vocabularies, vocabularyNames } from '../src/vocabulary/vocabulary.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const container = { name: 'web', image: 'web:1' };

const deployment = (name: string, replicas = 1) => ({
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [container] } },
  },
});

/** Numbers count up, so that tests do not share objects. */
let made = 0;
const fresh = (what: string): string => `${what}-${++made}`;

/** As many events as are asked for. */
async function take<T>(events: AsyncIterable<WatchEvent<T>>, count: number): Promise<WatchEvent<T>[]> {
  const taken: WatchEvent<T>[] = [];
  for await (const event of events) {
    taken.push(event);
    if (taken.length === count) break;
  }
  return taken;
}

describe.each(vocabularyNames)('a client of a plane that speaks %s', (name: VocabularyName) => {
  const vocabulary = vocabularies[name];
  const warnings: string[] = [];
  let server: TestServer;
  let client: Client;
  let namespace: string;

  beforeAll(async () => {
    server = await startTestServer({ vocabulary: name, controllers: ['*', '-serviceaccount'] });
    client = await connect({
      configText: server.server.adminConfig,
      userAgent: 'tests/1',
      onWarning: (text) => warnings.push(text),
    });
    namespace = fresh('own');
    await client.of(Namespace).create({ metadata: { name: namespace } });
  });

  afterAll(async () => {
    client.close();
    await server.close();
  });

  const configMaps = () => client.of(ConfigMap).inNamespace(namespace);
  const deployments = () => client.of(Deployment).inNamespace(namespace);

  it('finds out which names the plane uses', () => {
    expect(client.vocabulary.name).toBe(name);
  });

  it('translates the groups of built-in kinds, and fills in what a document is', async () => {
    const made = await client
      .of(Role)
      .inNamespace(namespace)
      .create({ metadata: { name: 'r' }, rules: [] });
    expect(made).toMatchObject({ kind: 'Role', apiVersion: `${vocabulary.groups.rbac}/v1`, metadata: { namespace } });
    expect(await client.of(Role).inNamespace(namespace).get('r')).toEqual(made);
  });

  it('says of an object that is not there that it finds none', async () => {
    expect(await configMaps().find('none')).toBeUndefined();
    const refusal = await configMaps()
      .get('none')
      .catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ApiError);
    expect(isRefusal(refusal, 'NotFound')).toBe(true);
    expect(refusal).toMatchObject({ code: 404, message: 'configmaps "none" not found', causes: [] });
  });

  it('tells every problem of a document that is refused', async () => {
    const refusal = await deployments()
      .create({ metadata: { name: 'Upper' } })
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ reason: 'Invalid', code: 422 });
    const fields = (refusal as ApiError).causes.map(({ field }) => field);
    expect(fields).toEqual(expect.arrayContaining(['metadata.name', 'spec.template.spec.containers']));
  });

  it('lists in one piece, in pages, and one by one', async () => {
    const labels = { list: fresh('label') };
    for (const name of ['a', 'b', 'c']) {
      await configMaps().create({ metadata: { name: `${labels.list}-${name}`, labels } });
    }
    const wanted = ['a', 'b', 'c'].map((one) => `${labels.list}-${one}`);
    const whole = await client.of(ConfigMap).list({ labelSelector: labels });
    expect(whole.items.map(({ kind, apiVersion, metadata }) => [kind, apiVersion, metadata.name])).toEqual(
      wanted.map((one) => ['ConfigMap', 'v1', one]),
    );
    const sizes: number[] = [];
    for await (const { items } of configMaps().pages({ labelSelector: `list=${labels.list}`, limit: 2 })) {
      sizes.push(items.length);
    }
    expect(sizes).toEqual([2, 1]);
    const each: unknown[] = [];
    for await (const { metadata } of configMaps().each({ labelSelector: labels, limit: 1 })) each.push(metadata.name);
    expect(each).toEqual(wanted);
    const field = { 'metadata.name': `${labels.list}-b` };
    expect((await configMaps().list({ fieldSelector: field })).items).toHaveLength(1);
  });

  it('changes objects by each form of patch', async () => {
    const name = fresh('patched');
    await deployments().create(deployment(name));
    const merged = await deployments().patch(name, {
      merge: { metadata: { labels: { a: '1' } }, spec: { paused: true } },
    });
    expect(merged.spec.paused).toBe(true);
    const stepped = await deployments().patch(name, { json: [{ op: 'remove', path: '/metadata/labels/a' }] });
    expect(stepped.metadata.labels).toBeUndefined();
    const containers = [{ name: 'other', image: 'other:1' }];
    const strategic = await deployments().patch(name, { strategic: { spec: { template: { spec: { containers } } } } });
    expect(strategic.spec.template.spec.containers?.map((one) => one.name)).toEqual(['other', 'web']);
    expect(strategic.metadata.managedFields?.map(({ manager }) => manager)).toEqual(['tests']);
  });

  it('edits the newest version, however many do so at once', async () => {
    const name = fresh('edited');
    await configMaps().create({ metadata: { name }, data: { count: '0' } });
    const count = () =>
      configMaps().edit(name, (draft) => {
        draft.data = { count: String(Number(draft.data?.count) + 1) };
      });
    await Promise.all([count(), count(), count()]);
    expect((await configMaps().get(name)).data).toEqual({ count: '3' });
  });

  it('refuses to overwrite a version that it does not name', async () => {
    const name = fresh('updated');
    const first = await configMaps().create({ metadata: { name } });
    const second = await configMaps().update({ ...first, data: { a: '1' } });
    expect(second.data).toEqual({ a: '1' });
    await expect(configMaps().update({ ...first, data: { a: '2' } })).rejects.toMatchObject({ reason: 'Conflict' });
  });

  it('gives conflicts of an applied document as values', async () => {
    const name = fresh('applied');
    const first = await configMaps().apply({ metadata: { name }, data: { a: '1' } }, { fieldManager: 'one' });
    expect(first.applied?.data).toEqual({ a: '1' });
    await configMaps().patch(name, { merge: { data: { b: '1' } } }, { fieldManager: 'two' });
    const wanted = { metadata: { name }, data: { a: '2', b: '2' } };
    const { applied, conflicts } = await configMaps().apply(wanted);
    expect(applied).toBeUndefined();
    expect(conflicts?.map(({ manager, field, apiVersion }) => ({ manager, field, apiVersion }))).toEqual([
      { manager: 'one', field: '.data.a', apiVersion: '' },
      { manager: 'two', field: '.data.b', apiVersion: 'v1' },
    ]);
    const forced = await configMaps().apply(wanted, { force: true });
    expect(forced.applied.data).toEqual({ a: '2', b: '2' });
    await expect(configMaps().apply({ metadata: { name: 'Upper' } })).rejects.toMatchObject({ reason: 'Invalid' });
  });

  it('stores nothing in a dry run, and checks fields as strictly as it is asked to', async () => {
    const name = fresh('dry');
    await configMaps().create({ metadata: { name } }, { dryRun: true });
    expect(await configMaps().find(name)).toBeUndefined();
    const unknown = { metadata: { name }, dta: {} } as { metadata: { name: string } };
    await expect(configMaps().create(unknown, { fieldValidation: 'Strict' })).rejects.toThrow('unknown field "dta"');
    warnings.length = 0;
    await configMaps().create(unknown, { fieldValidation: 'Warn' });
    expect(warnings).toEqual(['unknown field "dta"']);
    await configMaps().delete(name, { dryRun: true });
    expect(await configMaps().find(name)).toBeDefined();
  });

  it('says whether what it deletes is gone', async () => {
    const name = fresh('deleted');
    const { metadata } = await configMaps().create({ metadata: { name, finalizers: ['example.com/wait'] } });
    const wrong = configMaps().delete(name, { preconditions: { uid: 'other' } });
    await expect(wrong).rejects.toMatchObject({ reason: 'Conflict' });
    const leaving = await configMaps().delete(name, { preconditions: { uid: metadata.uid ?? '' } });
    expect(leaving?.metadata.deletionTimestamp).toBeDefined();
    await configMaps().patch(name, { merge: { metadata: { finalizers: null } } });
    expect(await configMaps().find(name)).toBeUndefined();
    await configMaps().create({ metadata: { name } });
    expect(await configMaps().delete(name)).toBeUndefined();
  });

  it('deletes what is selected', async () => {
    const labels = { set: fresh('set') };
    for (const one of ['x', 'y']) await configMaps().create({ metadata: { name: `${labels.set}-${one}`, labels } });
    await configMaps().create({ metadata: { name: `${labels.set}-kept` } });
    await configMaps().deleteCollection({ labelSelector: labels });
    const { items } = await configMaps().list();
    expect(items.map(({ metadata }) => metadata.name).filter((one) => one?.startsWith(labels.set))).toEqual([
      `${labels.set}-kept`,
    ]);
  });

  it('reads and writes status, scale and other subresources', async () => {
    const name = fresh('scaled');
    await deployments().create(deployment(name, 2));
    const scale = await deployments().scale.get(name);
    expect(scale).toMatchObject({ kind: 'Scale', spec: { replicas: 2 } });
    await deployments().scale.update({ metadata: { name }, spec: { replicas: 3 } });
    await deployments().scale.patch(name, { merge: { spec: { replicas: 4 } } });
    expect((await deployments().get(name)).spec.replicas).toBe(4);
    const { status, spec } = await deployments().status.edit(name, (draft) => {
      draft.status = { ...draft.status, observedGeneration: 7 };
      draft.spec.replicas = 9;
    });
    expect([status.observedGeneration, spec.replicas]).toEqual([7, 4]);
    const applied = await deployments().status.apply({ metadata: { name }, status: { observedGeneration: 8 } });
    expect(applied.conflicts?.[0]).toMatchObject({ manager: 'tests', subresource: 'status' });
  });

  it('tells what happens until nobody asks any more, from a version on', async () => {
    const labels = { watched: fresh('watched') };
    const name = labels.watched;
    const { resourceVersion } = await configMaps().list();
    const events = take(client.of(ConfigMap).watch({ resourceVersion, labelSelector: labels }), 3);
    await configMaps().create({ metadata: { name, labels }, data: { a: '1' } });
    await configMaps().patch(name, { merge: { data: { a: '2' } } });
    await configMaps().delete(name);
    expect((await events).map(({ type, object }) => [type, object.metadata.name])).toEqual([
      ['ADDED', name],
      ['MODIFIED', name],
      ['DELETED', name],
    ]);
  });

  it('ends a watch that is given up, and refuses one of a version that never was', async () => {
    const giving = new AbortController();
    const events = configMaps().watch({ signal: giving.signal, resume: true });
    expect((await events.next()).done).toBe(false);
    const waiting = (async () => {
      for await (const _ of events);
    })();
    giving.abort();
    await expect(waiting).resolves.toBeUndefined();
    await expect(configMaps().watch({ resourceVersion: 'x' }).next()).rejects.toMatchObject({ code: 400 });
  });

  it('goes on after the last version when a watch ends', async () => {
    const labels = { resumed: fresh('resumed') };
    const { resourceVersion } = await configMaps().list();
    // The plane ends the watch every second.
    const options = { resourceVersion, labelSelector: labels, timeoutSeconds: 1, resume: true };
    const events = configMaps().watch(options);
    const names = ['a', 'b'].map((one) => `${labels.resumed}-${one}`);
    const first = events.next();
    await configMaps().create({ metadata: { name: names[0] ?? '', labels } });
    expect((await first).value).toMatchObject({ type: 'ADDED', object: { metadata: { name: names[0] } } });
    // The last thing that a watch tells when it ends.
    expect((await events.next()).value).toMatchObject({ type: 'BOOKMARK' });
    await configMaps().create({ metadata: { name: names[1] ?? '', labels } });
    expect((await events.next()).value).toMatchObject({ type: 'ADDED', object: { metadata: { name: names[1] } } });
    await events.return();
  });
});

it('an error without an answer is of the same class', async () => {
  const nowhere = { server: 'http://127.0.0.1:9', insecureSkipTlsVerify: false };
  const error = await connect({ connection: nowhere }).catch((one: unknown) => one);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ reason: 'NoAnswer', code: 0, cause: { code: 'ECONNREFUSED' } });
  await expect(connect({ configFile: '/nowhere/config' })).rejects.toThrow('/nowhere/config: cannot be read');
});
