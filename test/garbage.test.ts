import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Document } from './support/client.ts';
import { customObject, DEFINITIONS, definition, version } from './support/definitions.ts';
import { insist } from './support/patience.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const OWNERS = Number(process.env.GARBAGE_OWNERS ?? 5);
const DEPENDENTS = Number(process.env.GARBAGE_DEPENDENTS ?? 20);
const ZOO = '/apis/zoo.example/v1';

let plane: TestServer;

beforeAll(async () => {
  plane = await startTestServer();
});

afterAll(() => plane.close());

let namespaces = 0;

async function newNamespace(): Promise<string> {
  const name = `garbage-${namespaces++}`;
  await create('/api/v1/namespaces', { metadata: { name } });
  return name;
}

async function create(path: string, document: object, on = plane): Promise<Document> {
  const { status, body } = await on.admin.request('POST', path, document);
  expect(body).toMatchObject({ metadata: {} });
  expect(status).toBe(201);
  return body;
}

const remove = async (path: string, propagationPolicy: string, on = plane): Promise<number> =>
  (await on.admin.request('DELETE', path, { propagationPolicy })).status;

const read = (path: string, on = plane) => on.admin.request('GET', path);

const isGone = (path: string, on = plane): Promise<void> =>
  insist(async () => expect((await read(path, on)).status).toBe(404));

const ownedBy = (...owners: readonly Document[]) =>
  owners.map(({ apiVersion, kind, metadata: { name, uid } }) => ({ apiVersion, kind, name, uid }));

const ownersIn = ({ metadata }: Document): unknown => Reflect.get(metadata, 'ownerReferences');

describe('dependents', () => {
  it('keep the owners that are there and lose the others', async () => {
    const maps = `/api/v1/namespaces/${await newNamespace()}/configmaps`;
    const [one, two] = [
      await create(maps, { metadata: { name: 'a' } }),
      await create(maps, { metadata: { name: 'b' } }),
    ];
    const gone = { ...ownedBy(one)[0], uid: 'never-was' };
    await create(maps, { metadata: { name: 'c', ownerReferences: [...ownedBy(one, two), gone] } });
    await insist(async () => expect(ownersIn((await read(`${maps}/c`)).body)).toEqual(ownedBy(one, two)));
    await remove(`${maps}/a`, 'Background');
    await insist(async () => expect(ownersIn((await read(`${maps}/c`)).body)).toEqual(ownedBy(two)));
    await remove(`${maps}/b`, 'Background');
    await isGone(`${maps}/c`);
  });

  it('that own each other go together, also when all of them wait', async () => {
    const maps = `/api/v1/namespaces/${await newNamespace()}/configmaps`;
    const names = ['a', 'b', 'c'];
    const made = await Promise.all(names.map((name) => create(maps, { metadata: { name } })));
    for (const [at, name] of names.entries()) {
      const owner = made[(at + 1) % made.length];
      const ownerReferences = owner && ownedBy(owner).map((each) => ({ ...each, blockOwnerDeletion: true }));
      await plane.admin.request('PATCH', `${maps}/${name}`, { metadata: { ownerReferences } });
    }
    await Promise.all(names.map((name) => remove(`${maps}/${name}`, 'Foreground')));
    for (const name of names) await isGone(`${maps}/${name}`);
  });

  it('of an owner in another namespace are collected, which an event says', async () => {
    const [here, there] = [await newNamespace(), await newNamespace()];
    const owner = await create(`/api/v1/namespaces/${there}/configmaps`, { metadata: { name: 'owner' } });
    const dependent = { metadata: { name: 'lost', ownerReferences: ownedBy(owner) } };
    await create(`/api/v1/namespaces/${here}/secrets`, dependent);
    await isGone(`/api/v1/namespaces/${here}/secrets/lost`);
    const [event] = await insist(async () => {
      const { items } = (await read(`/api/v1/namespaces/${here}/events`)).body;
      expect(items).toHaveLength(1);
      return items;
    });
    const named = `[v1/ConfigMap, namespace: ${here}, name: owner, uid: ${owner.metadata.uid}]`;
    expect(event).toMatchObject({
      type: 'Warning',
      reason: 'OwnerRefInvalidNamespace',
      message: `ownerRef ${named} does not exist in namespace "${here}"`,
      involvedObject: { apiVersion: 'v1', kind: 'Secret', namespace: here, name: 'lost' },
      source: { component: 'garbage-collector-controller' },
    });
  });

  it('that are in no namespace stay, whatever owner of one they name, which an event says', async () => {
    const maps = `/api/v1/namespaces/${await newNamespace()}/configmaps`;
    const owner = await create(maps, { metadata: { name: 'owner' } });
    const roles = '/apis/rbac.authorization.platform.io/v1/clusterroles';
    await create(roles, { metadata: { name: 'owned', ownerReferences: ownedBy(owner) } });
    await insist(async () => {
      const { items } = (await read('/api/v1/namespaces/default/events')).body;
      expect(items).toMatchObject([{ reason: 'OwnerRefInvalidNamespace', involvedObject: { name: 'owned' } }]);
    });
    await remove(`${maps}/owner`, 'Foreground');
    await isGone(`${maps}/owner`);
    expect((await read(`${roles}/owned`)).body.metadata).not.toHaveProperty('deletionTimestamp');
  });
});

describe('custom kinds', () => {
  it('own and are owned, and what they own goes with their definition', async () => {
    const namespace = await newNamespace();
    const lions = `${ZOO}/namespaces/${namespace}/lions`;
    await create(DEFINITIONS, definition('lions', 'zoo.example', [version('v1')]));
    const lion = customObject(lions, { metadata: { name: 'simba' } });
    const owner = await insist(() => create(lions, lion));
    const maps = `/api/v1/namespaces/${namespace}/configmaps`;
    const cub = await create(maps, { metadata: { name: 'cub', ownerReferences: ownedBy(owner) } });
    await create(lions, customObject(lions, { metadata: { name: 'kiara', ownerReferences: ownedBy(cub) } }));
    expect((await read(`${maps}/cub`)).status).toBe(200);
    await remove(`${DEFINITIONS}/lions.zoo.example`, 'Background');
    await isGone(`${maps}/cub`);
    await isGone(`${DEFINITIONS}/lions.zoo.example`);
  });

  it('that are not served are not missed: what they own stays until they are, and they are not there', async () => {
    const maps = `/api/v1/namespaces/${await newNamespace()}/configmaps`;
    const owner = { apiVersion: 'zoo.example/v1', kind: 'Tiger', name: 'shere', uid: 'never-was' };
    await create(maps, { metadata: { name: 'waits', ownerReferences: [owner] } });
    // What comes later has been looked at, so that has been.
    await create(maps, { metadata: { name: 'lost', ownerReferences: [{ ...owner, apiVersion: 'v1', kind: 'Pod' }] } });
    await isGone(`${maps}/lost`);
    expect((await read(`${maps}/waits`)).status).toBe(200);
    await create(DEFINITIONS, definition('tigers', 'zoo.example', [version('v1')]));
    await isGone(`${maps}/waits`);
  });
});

it('events go at once, whatever is said of their dependents', async () => {
  const namespace = await newNamespace();
  const events = `/api/v1/namespaces/${namespace}/events`;
  await create(events, { metadata: { name: 'e' }, involvedObject: { namespace } });
  expect(await remove(`${events}/e`, 'Foreground')).toBe(200);
  expect((await read(`${events}/e`)).status).toBe(404);
});

it('a server that collects no garbage ignores what a delete says of dependents', async () => {
  const idle = await startTestServer({ enableGarbageCollector: false });
  onTestFinished(() => idle.close());
  const maps = '/api/v1/namespaces/default/configmaps';
  const owner = await create(maps, { metadata: { name: 'owner' } }, idle);
  await create(maps, { metadata: { name: 'owned', ownerReferences: ownedBy(owner) } }, idle);
  expect(await remove(`${maps}/owner`, 'Foreground', idle)).toBe(200);
  expect((await read(`${maps}/owner`, idle)).status).toBe(404);
  const held = { metadata: { name: 'held', finalizers: ['foregroundDeletion'] } };
  await create(maps, held, idle);
  expect(await remove(`${maps}/held`, 'Orphan', idle)).toBe(200);
  expect((await read(`${maps}/held`, idle)).body.metadata).toMatchObject({ finalizers: ['foregroundDeletion'] });
  expect((await read(`${maps}/owned`, idle)).status).toBe(200);
});

it('many dependents go with their owners, also over a restart, and those without an owner stay', async () => {
  const dataDir = await temporaryDirectory();
  const start = async (): Promise<TestServer> => {
    const started = await startTestServer({ store: 'lmdb', dataDir });
    onTestFinished(() => started.close());
    return started;
  };
  const before = await start();
  const maps = '/api/v1/namespaces/default/configmaps';
  const owners = await Promise.all(
    Array.from({ length: OWNERS }, (_, at) => create(maps, { metadata: { name: `owner-${at}` } }, before)),
  );
  const kept = await create(maps, { metadata: { name: 'kept' } }, before);
  const fill = owners.map(async (owner, at) => {
    for (let of = 0; of < DEPENDENTS; of++) {
      const ownerReferences = of === 0 ? ownedBy(owner, kept) : ownedBy(owner);
      await create(maps, { metadata: { name: `dependent-${at}-${of}`, ownerReferences } }, before);
    }
  });
  await Promise.all(fill);
  const policies = ['Background', 'Foreground'];
  await Promise.all(owners.map((_, at) => remove(`${maps}/owner-${at}`, policies[at % 2] ?? '', before)));
  await before.close();

  const after = await start();
  const left = ['kept', ...owners.map((_, at) => `dependent-${at}-0`)].sort();
  const names = async (): Promise<string[]> =>
    (await read(maps, after)).body.items.map(({ metadata }) => metadata.name).filter((name) => !name.endsWith('.crt'));
  await insist(async () => expect(await names()).toHaveLength(left.length));
  expect((await names()).sort()).toEqual(left);
  const { items } = (await read(maps, after)).body;
  const owned = items.filter(({ metadata }) => metadata.name.startsWith('dependent'));
  for (const dependent of owned) expect(ownersIn(dependent)).toEqual(ownedBy(kept));
});
