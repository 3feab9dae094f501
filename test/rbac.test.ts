import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Answer, type Client, http1Client, withToken } from './support/client.ts';
import { insist } from './support/patience.ts';
import { makeDirectory, removeDirectory, temporaryDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const apiGroup = 'rbac.authorization.platform.io';
const RBAC = `/apis/${apiGroup}/v1`;
const ROLES = `${RBAC}/namespaces/default/roles`;
const BINDINGS = `${RBAC}/namespaces/default/rolebindings`;
const SECRETS = '/api/v1/namespaces/default/secrets';

let directory: string;
let plane: TestServer;
/** Writes roles and bindings, and reads config maps. */
let mallory: Client;
let eve: Client;

beforeAll(async () => {
  directory = await makeDirectory();
  await writeFile(join(directory, 'tokens.csv'), 'mallory-token,mallory,1\neve-token,eve,2\n');
  plane = await startTestServer({ tokenAuthFile: join(directory, 'tokens.csv') });
  mallory = http1Client(withToken(plane.connection, 'mallory-token'));
  eve = http1Client(withToken(plane.connection, 'eve-token'));
  await make(`${RBAC}/clusterroles`, { metadata: { name: 'role-writer' }, rules: [WRITE_ROLES, READ_MAPS] });
  await make(`${RBAC}/clusterrolebindings`, binding('role-writer', 'ClusterRole', 'role-writer', 'mallory'));
});

afterAll(async () => {
  for (const client of [mallory, eve]) client.close();
  await plane.close();
  await removeDirectory(directory);
});

const WRITE_ROLES = {
  apiGroups: [apiGroup],
  resources: ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'],
  verbs: ['get', 'create', 'update', 'patch', 'delete'],
};
const READ_MAPS = { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] };
const READ_SECRETS = { apiGroups: [''], resources: ['secrets'], verbs: ['get'] };

const binding = (name: string, kind: string, role: string, ...users: string[]) => ({
  metadata: { name },
  roleRef: { apiGroup, kind, name: role },
  subjects: users.map((user) => ({ apiGroup, kind: 'User', name: user })),
});

async function make(path: string, body: object): Promise<void> {
  const { status, text } = await plane.admin.request('POST', path, body);
  expect(status, text).toBe(201);
}

let count = 0;
const fresh = (): string => `x${count++}`;

/** Gives mallory one more right in the namespace, for the rest of the test. */
async function grant(...rules: object[]): Promise<void> {
  const name = fresh();
  await make(ROLES, { metadata: { name }, rules });
  await make(BINDINGS, binding(name, 'Role', name, 'mallory'));
  onTestFinished(async () => void (await plane.admin.request('DELETE', `${BINDINGS}/${name}`)));
}

const apply = { 'content-type': 'application/apply-patch+yaml' };
const document = <T extends object>(kind: string, parts: T) => ({ apiVersion: `${apiGroup}/v1`, kind, ...parts });

describe('whoever writes roles without holding their rules', () => {
  const role = (name: string, ...rules: object[]) => document('Role', { metadata: { name }, rules });

  it.each<[string, (name: string) => Promise<Answer>]>([
    ['creates none', (name) => mallory.request('POST', ROLES, role(name, READ_SECRETS))],
    ['puts none', (name) => mallory.request('PUT', `${ROLES}/${name}`, role(name, READ_SECRETS))],
    [
      'applies none',
      (name) => mallory.request('PATCH', `${ROLES}/${name}?fieldManager=m`, role(name, READ_SECRETS), apply),
    ],
    [
      'creates none for the cluster',
      (name) => mallory.request('POST', `${RBAC}/clusterroles`, { metadata: { name }, rules: [READ_SECRETS] }),
    ],
    [
      'creates none that is put together from others',
      (name) =>
        mallory.request('POST', `${RBAC}/clusterroles`, {
          metadata: { name },
          rules: [],
          aggregationRule: { clusterRoleSelectors: [{ matchLabels: { any: 'thing' } }] },
        }),
    ],
    [
      'adds none to those that are put together',
      (name) => {
        const labels = { [`${apiGroup}/aggregate-to-view`]: 'true' };
        return mallory.request('POST', `${RBAC}/clusterroles`, { metadata: { name, labels }, rules: [READ_SECRETS] });
      },
    ],
    ['tries none out', (name) => mallory.request('POST', `${ROLES}?dryRun=All`, role(name, READ_SECRETS))],
  ])('%s', async (_, attempt) => {
    const { status, body } = await attempt(fresh());
    expect(status, body.message).toBe(403);
    expect(body.message).toContain('attempting to grant RBAC permissions not currently held');
    expect(body.message).toMatch(/secrets|"\*"/);
  });

  it('adds no rule to one that is there, in any way of writing', async () => {
    const name = fresh();
    expect((await mallory.request('POST', ROLES, role(name, READ_MAPS))).status).toBe(201);
    const more = role(name, READ_MAPS, READ_SECRETS);
    const attempts = [
      await mallory.request('PUT', `${ROLES}/${name}`, more),
      await mallory.request('PATCH', `${ROLES}/${name}`, { rules: more.rules }),
      await mallory.request('PATCH', `${ROLES}/${name}`, [{ op: 'add', path: '/rules/-', value: READ_SECRETS }], {
        'content-type': 'application/json-patch+json',
      }),
      await mallory.request('PATCH', `${ROLES}/${name}?fieldManager=m&force=true`, more, apply),
    ];
    expect(attempts.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    const labelled = await mallory.request('PATCH', `${ROLES}/${name}`, { metadata: { labels: { a: 'b' } } });
    expect(labelled.status).toBe(200);
  });

  it('lets no such role become a part of others, nor changes one that is put together', async () => {
    const name = fresh();
    const path = `${RBAC}/clusterroles/${name}`;
    await make(`${RBAC}/clusterroles`, { metadata: { name }, rules: [READ_SECRETS] });
    const labels = { [`${apiGroup}/aggregate-to-view`]: 'true' };
    expect((await mallory.request('PATCH', path, { metadata: { labels } })).status).toBe(403);
    expect((await mallory.request('PATCH', path, { metadata: { finalizers: [] } })).status).toBe(200);
    for (const change of [{ aggregationRule: null }, { metadata: { labels: { a: 'b' } } }]) {
      expect((await mallory.request('PATCH', `${RBAC}/clusterroles/view`, change)).status).toBe(403);
    }
  });

  it('takes rules away', async () => {
    const name = fresh();
    await make(ROLES, role(name, READ_MAPS, READ_SECRETS));
    expect((await mallory.request('PATCH', `${ROLES}/${name}`, { rules: [READ_MAPS] })).status).toBe(200);
  });

  it('needs the verb escalate, on that role and in that namespace', async () => {
    const name = fresh();
    await grant({ apiGroups: [apiGroup], resources: ['roles'], verbs: ['escalate'], resourceNames: [name] });
    expect((await mallory.request('POST', ROLES, role(fresh(), READ_SECRETS))).status).toBe(403);
    const elsewhere = `${RBAC}/namespaces/platform-public/roles`;
    expect((await mallory.request('POST', elsewhere, role(name, READ_SECRETS))).status).toBe(403);
    expect((await mallory.request('POST', ROLES, role(name, READ_SECRETS))).status).toBe(201);
  });
});

describe('whoever writes bindings without holding the rules of the role', () => {
  it('binds neither others nor themselves', async () => {
    const name = fresh();
    await make(ROLES, { metadata: { name }, rules: [READ_SECRETS] });
    const attempts = [
      await mallory.request('POST', BINDINGS, binding(fresh(), 'Role', name, 'mallory')),
      await mallory.request('POST', BINDINGS, binding(fresh(), 'ClusterRole', 'cluster-admin', 'eve')),
      await mallory.request('POST', `${RBAC}/clusterrolebindings`, binding(fresh(), 'ClusterRole', 'view', 'eve')),
      await mallory.request('PUT', `${BINDINGS}/y${name}`, binding(`y${name}`, 'Role', name, 'mallory')),
      await mallory.request(
        'PATCH',
        `${BINDINGS}/z${name}?fieldManager=m`,
        document('RoleBinding', binding(`z${name}`, 'Role', name, 'mallory')),
        apply,
      ),
    ];
    expect(attempts.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    expect((await mallory.request('GET', `${SECRETS}/any`)).status).toBe(403);
  });

  it('adds nobody to a binding that is there', async () => {
    const name = fresh();
    await make(BINDINGS, binding(name, 'ClusterRole', 'admin', 'root'));
    const { subjects } = binding(name, 'ClusterRole', 'admin', 'root', 'mallory');
    expect((await mallory.request('PATCH', `${BINDINGS}/${name}`, { subjects })).status).toBe(403);
    const finalizers = { metadata: { finalizers: ['example.com/x'] } };
    expect((await mallory.request('PATCH', `${BINDINGS}/${name}`, finalizers)).status).toBe(200);
    expect((await mallory.request('PATCH', `${BINDINGS}/${name}`, { metadata: { finalizers: [] } })).status).toBe(200);
  });

  it('binds a role before it is there only with the right to bind', async () => {
    const name = fresh();
    expect((await mallory.request('POST', BINDINGS, binding(name, 'Role', name, 'eve'))).status).toBe(404);
    await grant({ apiGroups: [apiGroup], resources: ['roles'], verbs: ['bind'], resourceNames: [name] });
    expect((await mallory.request('POST', BINDINGS, binding(name, 'Role', name, 'eve'))).status).toBe(201);
    expect((await mallory.request('POST', BINDINGS, binding(fresh(), 'ClusterRole', name, 'eve'))).status).toBe(404);
  });

  it('binds what they hold', async () => {
    const name = fresh();
    await make(ROLES, { metadata: { name }, rules: [READ_MAPS] });
    expect((await mallory.request('POST', BINDINGS, binding(name, 'Role', name, 'eve'))).status).toBe(201);
  });
});

it('a binding leads to the same role as long as it is there', async () => {
  const name = fresh();
  for (const role of [name, `${name}-other`]) await make(ROLES, { metadata: { name: role }, rules: [READ_MAPS] });
  await make(BINDINGS, binding(name, 'Role', name, 'eve'));
  const { roleRef } = binding(name, 'Role', `${name}-other`);
  const attempts = [
    await plane.admin.request('PATCH', `${BINDINGS}/${name}`, { roleRef }),
    await plane.admin.request('PUT', `${BINDINGS}/${name}`, binding(name, 'Role', `${name}-other`, 'eve')),
    await plane.admin.request('PUT', `${BINDINGS}/${name}`, binding(name, 'ClusterRole', name, 'eve')),
  ];
  for (const { status, body } of attempts) {
    expect(status).toBe(422);
    expect(body.details?.causes).toMatchObject([{ field: 'roleRef' }]);
  }
});

it('roles with the label are part of those that are put together, while they have it', async () => {
  const name = fresh();
  const labels = { [`${apiGroup}/aggregate-to-view`]: 'true' };
  const rule = { apiGroups: ['example.com'], resources: ['moons'], verbs: ['get'] };
  const holds = async (role: string): Promise<boolean> => {
    const { text } = await plane.admin.request('GET', `${RBAC}/clusterroles/${role}`);
    return text.includes('moons');
  };
  await make(`${RBAC}/clusterroles`, { metadata: { name, labels }, rules: [rule] });
  // What may be viewed may be edited and administered too: the roles are part of one another.
  await insist(async () => {
    for (const role of ['view', 'edit', 'admin']) expect(await holds(role), role).toBe(true);
  });
  await plane.admin.request('PATCH', `${RBAC}/clusterroles/${name}`, {
    metadata: { labels: { [`${apiGroup}/aggregate-to-view`]: null } },
  });
  await insist(async () => expect([await holds('view'), await holds('admin')]).toEqual([false, false]));
});

it('a start mends what is missing from the policy, but for what is not to be touched', async () => {
  const dataDir = await temporaryDirectory();
  const first = await startTestServer({ store: 'lmdb', dataDir });
  const change = async (path: string, body: object): Promise<void> => {
    expect((await first.admin.request('PATCH', `${RBAC}/${path}`, body)).status).toBe(200);
  };
  const pathsIn = ({ text }: Answer): string[] =>
    JSON.parse(text).rules.flatMap(({ nonResourceURLs = [] }: { nonResourceURLs?: string[] }) => nonResourceURLs);
  const paths = pathsIn(await first.admin.request('GET', `${RBAC}/clusterroles/system:discovery`));
  expect(paths).toContain('/version');
  const untouched = { metadata: { annotations: { [`${apiGroup}/autoupdate`]: 'false' } } };
  const extra = { apiGroups: ['example.com'], resources: ['moons'], verbs: ['get'] };
  await change('clusterroles/system:discovery', { rules: [extra] });
  await change('clusterroles/system:basic-user', { rules: [], ...untouched });
  await change('clusterrolebindings/system:discovery', { subjects: [] });
  await change('clusterrolebindings/system:basic-user', { subjects: [], ...untouched });
  await first.admin.request('DELETE', `${RBAC}/clusterroles/system:public-info-viewer`);
  await first.close();

  const second = await startTestServer({ store: 'lmdb', dataDir });
  onTestFinished(() => second.close());
  const read = async (path: string) => JSON.parse((await second.admin.request('GET', `${RBAC}/${path}`)).text);
  const discovery = await second.admin.request('GET', `${RBAC}/clusterroles/system:discovery`);
  expect(JSON.parse(discovery.text).rules[0]).toEqual(extra);
  expect(pathsIn(discovery).sort()).toEqual(paths.sort());
  expect((await read('clusterroles/system:basic-user')).rules ?? []).toEqual([]);
  expect((await read('clusterrolebindings/system:discovery')).subjects).toMatchObject([
    { kind: 'Group', name: 'system:authenticated' },
  ]);
  expect((await read('clusterrolebindings/system:basic-user')).subjects ?? []).toEqual([]);
  expect((await read('clusterroles/system:public-info-viewer')).rules).not.toEqual([]);
});

it('a right to change is none to create, though a change of what is not there would make it', async () => {
  const leases = '/apis/coordination.platform.io/v1/namespaces/default/leases';
  const lease = (name: string) => ({ apiVersion: 'coordination.platform.io/v1', kind: 'Lease', metadata: { name } });
  const may = (...verbs: string[]) => ({ apiGroups: ['coordination.platform.io'], resources: ['leases'], verbs });
  const attempts = async (): Promise<number[]> => {
    const [one, two] = [fresh(), fresh()];
    const put = await mallory.request('PUT', `${leases}/${one}`, lease(one));
    const applied = await mallory.request('PATCH', `${leases}/${two}?fieldManager=m`, lease(two), apply);
    return [put.status, applied.status];
  };
  await grant(may('get', 'update', 'patch'));
  expect(await attempts()).toEqual([403, 403]);
  await grant(may('create'));
  expect(await attempts()).toEqual([201, 201]);
});

describe('a right to some names', () => {
  const NAMED = [
    ['get', 'list', 'watch', 'delete', 'deletecollection'],
    ['mine', 'mine-too'],
  ] as const;

  beforeAll(async () => {
    const rules = [{ apiGroups: [''], resources: ['secrets'], verbs: NAMED[0], resourceNames: NAMED[1] }];
    await make(ROLES, { metadata: { name: 'named' }, rules });
    await make(BINDINGS, binding('named', 'Role', 'named', 'eve'));
    for (const name of ['mine', 'mine-too', 'yours']) await make(SECRETS, { metadata: { name } });
  });

  const selecting = (selector: string): string => `${SECRETS}?fieldSelector=${encodeURIComponent(selector)}`;
  const WATCH = '/api/v1/watch/namespaces/default/secrets';

  it.each([
    ['a list', SECRETS],
    ['a list of all namespaces', '/api/v1/secrets'],
    ['a list of the name in all namespaces', '/api/v1/secrets?fieldSelector=metadata.name%3Dmine'],
    ['another name', `${SECRETS}/yours`],
    ['another name, selecting its own', `${SECRETS}/yours?fieldSelector=metadata.name%3Dmine`],
    ['a selection of another name', selecting('metadata.name=yours')],
    ['a selection that leaves out its own', selecting('metadata.name!=mine')],
    ['a selection by something else', selecting('type=Opaque')],
    ['an empty selection', selecting('')],
    ['a selection of two names', selecting('metadata.name in (mine,yours)')],
    [
      'two selections, of which the first is not its own',
      `${SECRETS}?fieldSelector=&fieldSelector=metadata.name%3Dmine`,
    ],
    ['a selection that another parameter seems to make', `${SECRETS}?x=fieldSelector=metadata.name%3Dmine`],
    ['a watch', `${SECRETS}?watch=1`],
    ['a watch of another name', `${selecting('metadata.name=yours')}&watch=1`],
    ['a watch by the older path', WATCH],
    ['a watch of another name by the older path', `${WATCH}/yours`],
    ['the same, selecting its own', `${WATCH}/yours?fieldSelector=metadata.name%3Dmine`],
  ])('is none to %s', async (_, path) => {
    expect((await eve.request('GET', path)).status).toBe(403);
  });

  it.each([
    ['everything', SECRETS],
    ['what has another name', selecting('metadata.name=yours')],
    ['what has not its name', selecting('metadata.name!=mine')],
    ['what bears a label', `${SECRETS}?labelSelector=a%3Db`],
  ])('is none to delete %s at once', async (_, path) => {
    expect((await eve.request('DELETE', path)).status).toBe(403);
    expect((await plane.admin.request('GET', `${SECRETS}/yours`)).status).toBe(200);
  });

  it('is one to a list, a watch and a deletion that select one of them, and show no more', async () => {
    const listed = async (path: string): Promise<string[]> => {
      const { status, body } = await eve.request('GET', path);
      expect(status).toBe(200);
      return body.items.map(({ metadata }) => metadata.name);
    };
    expect(await listed(selecting('metadata.name=mine'))).toEqual(['mine']);
    expect(await listed(selecting('metadata.name==mine-too'))).toEqual(['mine-too']);
    expect(await listed(`${selecting('metadata.name=mine')}&fieldSelector=metadata.name%3Dyours`)).toEqual(['mine']);
    const watched = await eve.request('GET', `${selecting('metadata.name=mine')}&watch=1&timeoutSeconds=1`);
    expect(watched.text).toContain('"mine"');
    expect(watched.text).not.toContain('yours');
    expect((await eve.request('DELETE', selecting('metadata.name=mine-too'))).status).toBe(200);
    const { body } = await plane.admin.request('GET', SECRETS);
    expect(body.items.map(({ metadata }) => metadata.name)).toEqual(['mine', 'yours']);
  });
});
