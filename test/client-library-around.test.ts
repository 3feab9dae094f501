import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Client,
  ConfigMap,
  CustomResourceDefinition,
  connect,
  customKind,
  Node,
  Pod,
  PodDisruptionBudget,
  SelfSubjectAccessReview,
  ServiceAccount,
  watching,
} from '../src/client/index.ts';
import { vocabularies, vocabularyNames } from '../src/vocabulary/vocabulary.ts';
import { PlaneWithPod } from './support/plane-with-pod.ts';

/** What a client can do beside reading and writing objects of built-in kinds. */

const container = { name: 'web', image: 'web:1' };
const namespace = 'default';

describe.each(vocabularyNames)('a client of a plane that speaks %s', (name) => {
  const vocabulary = vocabularies[name];
  let world: PlaneWithPod;
  let client: Client;

  beforeAll(async () => {
    world = await PlaneWithPod.start(name);
    client = await connect({ configText: world.plane.server.adminConfig, userAgent: 'tests/1' });
  });

  afterAll(async () => {
    client.close();
    await world.close();
  });

  it('evicts pods unless a budget forbids it', async () => {
    const pods = client.of(Pod).inNamespace(namespace);
    const labels = { evicted: 'evicted' };
    const name = labels.evicted;
    await client
      .of(ServiceAccount)
      .inNamespace(namespace)
      .apply({ metadata: { name: 'default' } });
    await pods.create({ metadata: { name, labels }, spec: { containers: [container], nodeName: 'n' } });
    await pods.status.patch(name, { merge: { status: { phase: 'Running' } } });
    const budgets = client.of(PodDisruptionBudget).inNamespace(namespace);
    await budgets.create({ metadata: { name }, spec: { minAvailable: 1, selector: { matchLabels: labels } } });
    await budgets.status.patch(name, { merge: { status: { observedGeneration: 1, disruptionsAllowed: 0 } } });
    await expect(pods.evict(name)).rejects.toMatchObject({ reason: 'TooManyRequests', code: 429 });
    await budgets.delete(name);
    await pods.evict(name, { gracePeriodSeconds: 0 });
    expect(await pods.find(name)).toBeUndefined();
  });

  it('requests tokens of service accounts', async () => {
    const accounts = client.of(ServiceAccount).inNamespace(namespace);
    await accounts.apply({ metadata: { name: 'robot' } });
    const { token, expirationTimestamp } = await accounts.requestToken('robot', { expirationSeconds: 600 });
    expect(expirationTimestamp).toMatch(/^\d{4}-/);
    const { server: url, ca } = world.plane.connection;
    using robot = await connect({ connection: { server: url, ca, token, insecureSkipTlsVerify: false } });
    const review = { spec: { resourceAttributes: { namespace, verb: 'list', resource: 'pods' } } };
    expect((await robot.of(SelfSubjectAccessReview).create(review)).status.allowed).toBe(false);
    await expect(robot.of(Node).list()).rejects.toMatchObject({ reason: 'Forbidden' });
  });

  it('knows custom kinds by a type, and any kind by what the plane says of it', async () => {
    interface Widget {
      readonly apiVersion: string;
      readonly kind: string;
      readonly metadata: ConfigMap['metadata'];
      readonly spec: { readonly size?: number };
    }
    const group = 'example.com';
    const names = { plural: 'widgets', kind: 'Widget' };
    await expect(client.of({ apiVersion: `${group}/v1`, kind: 'Widget' }).list()).rejects.toMatchObject({ code: 404 });
    const schema = {
      openAPIV3Schema: {
        type: 'object',
        properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
      },
    };
    await client.of(CustomResourceDefinition).create({
      metadata: { name: `widgets.${group}` },
      spec: { group, scope: 'Namespaced', names, versions: [{ name: 'v1', served: true, storage: true, schema }] },
    });
    const Widget = customKind<Widget>({ group, version: 'v1', ...names, namespaced: true });
    const widgets = client.of(Widget).inNamespace(namespace);
    await expect
      .poll(() =>
        widgets.list().then(
          () => 'served',
          () => 'not yet',
        ),
      )
      .toBe('served');
    const { spec } = await widgets.create({ metadata: { name: 'one' }, spec: { size: 3 } });
    expect(spec.size).toBe(3);
    const untyped = client.of({ apiVersion: `${group}/v1`, kind: 'Widget' });
    expect((await untyped.inNamespace(namespace).get('one')).spec).toEqual({ size: 3 });
    expect((await untyped.list()).items).toHaveLength(1);
    await expect(untyped.get('one')).rejects.toThrow('widgets are in namespaces: say in which');
    await expect(client.of({ apiVersion: 'v1', kind: 'Nothing' }).list()).rejects.toThrow(
      'serves no kind Nothing in v1',
    );
  });

  it('reads logs, runs commands and reaches ports of pods', async () => {
    const pods = client.of(Pod).inNamespace(namespace);
    const stdout = new PassThrough();
    const said = text(stdout);
    const { code } = await pods.exec('web', ['sh', '-c', 'echo hello; exit 3'], { stdout, container: 'main' });
    stdout.end();
    expect([code, await said]).toEqual([3, 'hello\n']);
    await expect(pods.logs('none')).rejects.toMatchObject({ reason: 'NotFound', code: 404 });
    await expect(pods.exec('none', ['true'])).rejects.toMatchObject({ reason: 'NotFound', code: 404 });
    const ports = await pods.forwardPorts('none');
    await expect(ports.connect(80)).rejects.toMatchObject({ code: 404 });
  });

  it('follows objects, and keeps true what should be', async () => {
    const maps = client.of(ConfigMap).inNamespace(namespace);
    using informer = await maps.informer({ labelSelector: { kept: 'yes' } });
    const controller = client.runController({
      watches: [watching(informer)],
      async reconcile(key) {
        const name = key.slice(key.indexOf('/') + 1);
        await maps.apply({ metadata: { name }, data: { kept: 'well' } }, { force: true });
      },
    });
    await maps.create({ metadata: { name: 'followed', labels: { kept: 'yes' } } });
    await maps.create({ metadata: { name: 'ignored' } });
    const kept = () => {
      const followed = informer.store.get('followed', namespace);
      return followed?.data?.kept === 'well' && followed.metadata.resourceVersion;
    };
    const first = await informer.until(kept);
    await maps.patch('followed', { merge: { data: { kept: 'badly' } } }, { fieldManager: 'other' });
    expect(await informer.until(() => kept() !== first && kept())).not.toBe(first);
    expect(informer.store.get('ignored', namespace)).toBeUndefined();
    using names = await maps.metadataInformer();
    const known = await names.until((store) => store.get('followed', namespace));
    expect(Object.keys(known).sort()).toEqual(['apiVersion', 'kind', 'metadata']);
    await controller.close();
  });

  it('leads while no other does', async () => {
    const led: string[] = [];
    const candidate = (identity: string) =>
      client.lead({
        namespace,
        name: 'one',
        identity,
        times: { leaseMs: 2_000, termMs: 1_000, periodMs: 100 },
        run: async () => void led.push(identity),
      });
    const first = candidate('a');
    await expect.poll(() => led).toEqual(['a']);
    const second = candidate('b');
    await first.close();
    await expect.poll(() => led).toEqual(['a', 'b']);
    await second.close();
  });

  it('sends any other request, and says what is served', async () => {
    const { status, body } = await client.raw({ method: 'GET', target: '/readyz' });
    expect([status, body.toString().trim()]).toEqual([200, 'ok']);
    expect((await client.raw({ method: 'GET', target: '/api/v1/nonsense' })).status).toBe(404);
    expect((await client.version()).minor).toBe('25');
    const served = await client.discover();
    expect(served.find({ group: vocabulary.groups.rbac, plural: 'roles' })).toMatchObject({ kind: 'Role' });
  });
});
