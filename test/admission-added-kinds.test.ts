import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ZOO, zooKind } from '../src/registry/test-kinds.ts';
import { QuotaNamespace } from './support/quota.ts';
import { rule, WebhookPlane } from './support/webhook-plane.ts';
import { annotating, answering, refusing } from './support/webhook-server.ts';

/** Plugins and kinds that they do not know, which come, change and go while the server runs. */

const lionsIn = (namespace: string): string => `/apis/${ZOO}/v1/namespaces/${namespace}/lions`;
const lion = (name: string, metadata: object = {}) => ({ metadata: { name, ...metadata } });

let ground: WebhookPlane;

beforeAll(async () => {
  ground = await WebhookPlane.start({ enableAdmissionPlugins: ['OwnerReferencesPermissionEnforcement'] });
  ground.plane.server.catalogue.add(zooKind('lions', ['v1']));
});
afterAll(() => ground.close());

/** Another kind in the place of the one that is there: with other types, as if its definition had changed. */
const replaceLions = (): void => ground.plane.server.catalogue.replace(zooKind('lions', ['v1']));

const create = (namespace: string, document: object) => ground.request('POST', lionsIn(namespace), document);

describe('objects of a kind that was added', () => {
  it('are not made in a namespace that is missing', async () => {
    const { status, body } = await create('nowhere', lion('leo'));
    expect([status, body.message]).toEqual([404, 'namespaces "nowhere" not found']);
  });

  it('are not made in a namespace that is going', async () => {
    const namespace = await ground.namespace();
    await ground.done('POST', lionsIn(namespace), lion('leo', { finalizers: [`${ZOO}/stays`] }));
    onTestFinished(async () => {
      await ground.plane.admin.request('PATCH', `${lionsIn(namespace)}/leo`, { metadata: { finalizers: null } });
    });
    await ground.done('DELETE', `/api/v1/namespaces/${namespace}`);
    const { status, body } = await create(namespace, lion('cub'));
    expect([status, body.reason]).toEqual([403, 'Forbidden']);
    expect(body.message).toContain('because it is being terminated');
  });

  it('are counted by quotas, also once their kind was replaced', async () => {
    const namespace = await QuotaNamespace.make(ground.plane, ground.fresh('quota'));
    await namespace.bound({ [`count/lions.${ZOO}`]: '2' });
    await ground.done('POST', lionsIn(namespace.name), lion('first'));
    replaceLions();
    await ground.done('POST', lionsIn(namespace.name), lion('second'));
    expect(await namespace.used()).toEqual({ [`count/lions.${ZOO}`]: '2' });
    const { status, body } = await create(namespace.name, lion('third'));
    expect(status).toBe(403);
    expect(body.message).toContain(`exceeded quota: q, requested: count/lions.${ZOO}=1, used: count/lions.${ZOO}=2`);
    await ground.done('DELETE', `${lionsIn(namespace.name)}/first`);
    await ground.done('POST', lionsIn(namespace.name), lion('third'));
  });

  it('are shown to webhooks, which may change and refuse them, also once their kind was replaced', async () => {
    const namespace = await ground.namespace();
    const about = { ...rule(['lions'], [ZOO]) };
    const [mane, no] = [`/${ground.fresh('mane')}`, `/${ground.fresh('no')}`];
    ground.hooks.at(mane, answering(annotating('mane', 'long')));
    await ground.configure('mutating', [ground.webhook(mane, namespace, about)]);
    expect((await create(namespace, lion('leo'))).body.metadata.annotations).toEqual({ mane: 'long' });
    replaceLions();
    expect((await create(namespace, lion('cub'))).body.metadata.annotations).toEqual({ mane: 'long' });
    ground.hooks.at(no, refusing);
    await ground.configure('validating', [ground.webhook(no, namespace, about)]);
    expect((await create(namespace, lion('other'))).status).toBe(400);
    replaceLions();
    expect((await create(namespace, lion('other'))).status).toBe(400);
  });

  it('can be owners that go only after what they own, as long as there is the kind', async () => {
    const namespace = await ground.namespace();
    const owner = { apiVersion: `${ZOO}/v1`, kind: 'Tiger', name: 'shere', uid: 'u', blockOwnerDeletion: true };
    const owned = (name: string) => ({ metadata: { name, ownerReferences: [owner] } });
    const unknown = `cannot find RESTMapping for APIVersion ${ZOO}/v1 Kind Tiger`;
    expect((await create(namespace, owned('a'))).body.message).toContain(unknown);
    const { catalogue } = ground.plane.server;
    const tigers = zooKind('tigers', ['v1']);
    catalogue.add(tigers);
    expect((await create(namespace, owned('b'))).status).toBe(201);
    catalogue.remove(tigers);
    expect((await create(namespace, owned('c'))).body.message).toContain(unknown);
  });
});
