import { afterEach, expect, it } from 'vitest';
import { HttpTransport } from '../src/client/http-transport.ts';
import { ConfiguredIdentity } from '../src/client/identity.ts';
import { PlaneClient } from '../src/client/plane-client.ts';
import { ServedKinds } from '../src/controllers/apart/served-kinds.ts';
import { ServedOwnership } from '../src/controllers/apart/served-ownership.ts';
import { systemRuntime } from '../src/runtime/runtime.ts';
import { vocabularies } from '../src/vocabulary/vocabulary.ts';
import { DEFINITIONS, define, definition, version } from './support/definitions.ts';
import { startTestServer } from './support/test-server.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const HERDS = '/apis/zoo.example.com/v1/namespaces/default/herds';
const endings: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

it('owners and dependents of all kinds are known from their metadata, kinds that come and go included', async () => {
  const plane = await startTestServer({ controllers: ['-*'] });
  endings.push(() => plane.close());
  const { admin, connection } = plane;
  const make = async (path: string, name: string, metadata: object = {}, more: object = {}): Promise<string> => {
    const { status, text, body } = await admin.request('POST', path, { metadata: { name, ...metadata }, ...more });
    expect(status, text).toBe(201);
    return body.metadata.uid;
  };
  const ownedBy = (uid: string) => ({ ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }] });
  const owner = await make(MAPS, 'owner');
  const child = await make(MAPS, 'child', ownedBy(owner));

  const transport = new HttpTransport(connection, systemRuntime, 'test');
  endings.push(() => transport.close());
  const identity = new ConfiguredIdentity(connection, systemRuntime);
  const metaGroup = vocabularies.platform.groups.meta;
  const reached = {
    runtime: systemRuntime,
    client: new PlaneClient(transport.sendAs(identity), metaGroup),
    openStream: transport.streamAs(identity),
    vocabulary: vocabularies.platform,
    // That a kind is gone is noticed by its watch before it is by discovery.
    onError() {},
  };
  const kinds = await ServedKinds.of(reached, vocabularies.platform);
  endings.push(() => kinds.close());
  const told: string[] = [];
  const ownership = new ServedOwnership(reached, kinds, {
    concerns: ({ plural }) => ['configmaps', 'herds', 'secrets'].includes(plural),
    onSet: ({ name, owners, propagation }) => told.push(`${name} ${owners.length} ${propagation}`),
    onRemove: ({ uid, kind, namespace, name }) => told.push(`-${uid} ${kind} ${namespace}/${name}`),
  });
  endings.push(() => ownership.close());
  await ownership.whenComplete();
  expect(ownership.whenComplete()).toBeUndefined();
  expect(told.filter((one) => one.startsWith('child'))).toEqual(['child 1 Background']);
  const maps = { group: '', plural: 'configmaps' };
  expect(ownership.uidOf(maps, 'default', 'owner')).toBe(owner);
  expect(ownership.namespaceOf(maps, 'owner', owner)).toBe('default');
  expect(ownership.namespaceOf(maps, 'other', owner)).toBeUndefined();

  told.length = 0;
  await admin.request('DELETE', `${MAPS}/owner?propagationPolicy=Foreground`);
  await expect.poll(() => told).toEqual(['owner 0 Foreground']);
  await admin.request('PATCH', `${MAPS}/child`, { metadata: { ownerReferences: null } });
  await admin.request('PATCH', `${MAPS}/owner`, { metadata: { finalizers: null } });
  await expect.poll(() => told.slice(1)).toEqual(['child 0 Background', `-${owner} ConfigMap default/owner`]);
  await admin.request('DELETE', `${MAPS}/child`);
  await expect.poll(() => told.at(-1)).toBe(`-${child} ConfigMap default/child`);

  await define(admin, definition('herds', 'zoo.example.com', [version('v1')]), HERDS);
  const herd = await make(HERDS, 'herd', ownedBy(owner), { apiVersion: 'zoo.example.com/v1', kind: 'Herd' });
  await expect.poll(() => told.at(-1), { timeout: 10_000 }).toBe('herd 1 Background');
  await admin.request('DELETE', `${DEFINITIONS}/herds.zoo.example.com`);
  await expect.poll(() => told.at(-1), { timeout: 10_000 }).toBe(`-${herd} Herd default/herd`);
  expect(ownership.uidOf({ group: 'zoo.example.com', plural: 'herds' }, 'default', 'herd')).toBeUndefined();
});
