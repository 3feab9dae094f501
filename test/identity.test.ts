import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Connection } from '../src/outbound/config.ts';
import { inMemoryPki } from '../src/pki/bootstrap.ts';
import { issueCertificate, issuerFrom, validFor } from '../src/pki/certificate.ts';
import { certificatePem, newPrivateKey, privateKeyPem, readCertificates, readPrivateKey } from '../src/pki/keys.ts';
import { clientTemplate } from '../src/pki/profiles.ts';
import { systemRuntime as runtime } from '../src/runtime/runtime.ts';
import type { StartOptions } from '../src/server/server.ts';
import { vocabularies } from '../src/vocabulary/vocabulary.ts';
import { asNobody, type Client, http1Client, http2Client, withToken } from './support/client.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const TOKENS = `alice-token,alice,1,"readers,writers"
"bob,token",bob,2,readers,writers

carol-token,carol,3
`;

let directory: string;
let plane: TestServer;

const start = (options: StartOptions = {}): Promise<TestServer> =>
  startTestServer({ dataDir: directory, tokenAuthFile: join(directory, 'tokens.csv'), ...options });

beforeAll(async () => {
  directory = await makeDirectory();
  await writeFile(join(directory, 'tokens.csv'), TOKENS);
  plane = await start();
});

afterAll(async () => {
  await plane.close();
  await removeDirectory(directory);
});

/** A client that is closed with the test. */
function client(connection: Connection, open = http1Client): Client {
  const opened = open(connection);
  onTestFinished(() => opened.close());
  return opened;
}

const nobody = (): Client => client(asNobody(plane.connection));
const bearer = (token: string): Client => client(withToken(plane.connection, token));

const PODS = '/api/v1/namespaces/default/pods';
const RBAC = '/apis/rbac.authorization.platform.io/v1';
const rbacGroup = 'rbac.authorization.platform.io';

/** The name the server knows a client by, read off a refusal. */
async function nameOf(someone: Client): Promise<string | undefined> {
  const { status, body } = await someone.request('GET', '/api/v1/secrets');
  expect(status).toBe(403);
  return /User "(.*?)"/.exec(body.message)?.[1];
}

async function admin(method: string, path: string, body?: object): Promise<void> {
  const answer = await plane.admin.request(method, path, body);
  expect(answer.status, answer.text).toBeLessThan(300);
}

interface Made {
  readonly metadata: { readonly name: string };
  readonly [field: string]: unknown;
}

/** Makes something that is gone with the test. */
async function make(path: string, body: Made): Promise<void> {
  await admin('POST', path, body);
  onTestFinished(async () => {
    await plane.admin.request('DELETE', `${path}/${body.metadata.name}`);
  });
}

const bindGroup = (group: string): Promise<void> =>
  make(`${RBAC}/clusterrolebindings`, {
    metadata: { name: `${group}-view` },
    roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name: 'view' },
    subjects: [{ apiGroup: rbacGroup, kind: 'Group', name: group }],
  });

describe('without credentials', () => {
  it('health and version are open, everything else says who may not do what', async () => {
    const someone = nobody();
    for (const path of ['/readyz', '/livez', '/healthz', '/version']) {
      expect((await someone.request('GET', path)).status, path).toBe(200);
    }
    expect((await someone.request('GET', '/api/v1/pods')).body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message:
        'pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" at the cluster scope',
      reason: 'Forbidden',
      details: { kind: 'pods' },
      code: 403,
    });
    const named = await someone.request('DELETE', '/apis/apps/v1/namespaces/default/deployments/web');
    expect(named.body).toMatchObject({
      message:
        'deployments.apps "web" is forbidden: User "system:anonymous" cannot delete resource "deployments" in API group "apps" in the namespace "default"',
      details: { name: 'web', group: 'apps', kind: 'deployments' },
    });
    for (const path of ['/api', '/metrics', '/nothing/here']) {
      const { status, body } = await someone.request('GET', path);
      expect(status).toBe(403);
      expect(body.message).toBe(`forbidden: User "system:anonymous" cannot get path "${path}"`);
    }
  });

  it('a server that lets nobody in without credentials answers 401, on open paths too', async () => {
    const strict = await start({ anonymousAuth: false });
    onTestFinished(() => strict.close());
    for (const path of ['/readyz', '/api/v1/pods']) {
      expect((await client(asNobody(strict.connection)).request('GET', path)).status, path).toBe(401);
      expect((await strict.admin.request('GET', path)).status, path).toBe(200);
    }
  });
});

it('a server that allows everything lets nobody in without credentials', async () => {
  const open = await start({ authorizationMode: ['AlwaysAllow'] });
  onTestFinished(() => open.close());
  expect((await client(asNobody(open.connection)).request('GET', '/api/v1/secrets')).status).toBe(401);
  expect((await client(withToken(open.connection, 'carol-token')).request('GET', '/api/v1/secrets')).status).toBe(200);
});

describe('tokens', () => {
  it('name the user, whatever the letters of the scheme', async () => {
    expect(await nameOf(bearer('alice-token'))).toBe('alice');
    expect(await nameOf(bearer('bob,token'))).toBe('bob');
    expect(await nameOf(client(withToken(plane.connection, 'carol-token'), http2Client))).toBe('carol');
    const shouting = { authorization: 'BEARER carol-token' };
    expect((await nobody().request('GET', '/api', undefined, shouting)).status).toBe(200);
  });

  it.each(['alice', 'bob'])('of %s bring groups along, however the file lists them', async (user) => {
    await bindGroup('writers');
    const someone = bearer(user === 'alice' ? 'alice-token' : 'bob,token');
    expect((await someone.request('GET', PODS)).status).toBe(200);
    expect((await bearer('carol-token').request('GET', PODS)).status).toBe(403);
  });

  it('that nobody has given out are refused with 401, on open paths too', async () => {
    for (const token of ['wrong', 'alice-toke', 'alice-token2', 'ALICE-TOKEN', 'x'.repeat(10_000)]) {
      for (const path of ['/readyz', '/version', '/api/v1/pods', '/nothing']) {
        const { status, body } = await bearer(token).request('GET', path);
        expect(status, path).toBe(401);
        expect(body).toEqual({
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Failure',
          message: 'Unauthorized',
          reason: 'Unauthorized',
          code: 401,
        });
      }
    }
  });

  it.each(['"open,alice,1', 'a"b,alice,1', 'token,alice', ',alice,1'])(
    'in a line such as %s keep the server from starting, which tells where but not what they are',
    async (line) => {
      const tokenAuthFile = join(directory, 'broken.csv');
      await writeFile(tokenAuthFile, `good,bob,2\n${line}\n`);
      const outcome = await startTestServer({ tokenAuthFile }).then(
        () => 'started',
        (error: Error) => error.message,
      );
      expect(outcome).toContain(`${tokenAuthFile}:2: `);
      expect(outcome).not.toMatch(/"open|a"b|good/);
    },
  );

  it('of another scheme, or empty, are none', async () => {
    for (const authorization of ['Basic YWxpY2U6eA==', 'Bearer', 'Bearer ', 'alice-token', '']) {
      const { status, body } = await nobody().request('GET', '/api/v1/pods', undefined, { authorization });
      expect(status, authorization).toBe(403);
      expect(body.message).toContain('system:anonymous');
    }
  });
});

describe('client certificates', () => {
  /** What someone presents who got a certificate from the server's own authority. */
  async function certified(commonName: string, ...organizations: string[]): Promise<Connection> {
    const [authority] = readCertificates(await readFile(join(directory, 'pki', 'ca.crt'), 'utf8'));
    const authorityKey = readPrivateKey(await readFile(join(directory, 'pki', 'ca.key'), 'utf8'));
    if (!authority) throw new Error('the server has made no authority');
    const key = newPrivateKey();
    const template = clientTemplate(key, { commonName, organizations }, validFor(runtime, 60_000));
    const der = issueCertificate(runtime, issuerFrom(authority, authorityKey), template);
    return { ...asNobody(plane.connection), clientCertificate: certificatePem(der), clientKey: privateKeyPem(key) };
  }

  const foreign = inMemoryPki({ runtime, names: vocabularies.platform.certificateNames, hosts: [], serviceHosts: [] });
  const strange = ({ connection } = plane): Connection => ({
    ...asNobody(connection),
    clientCertificate: foreign.admin.certificate,
    clientKey: foreign.admin.key,
  });

  it('of the own authority give name and groups', async () => {
    await bindGroup('readers');
    for (const open of [http1Client, http2Client]) {
      const dave = client(await certified('dave', 'others', 'readers'), open);
      expect(await nameOf(dave)).toBe('dave');
      expect((await dave.request('GET', PODS)).status).toBe(200);
      expect((await client(await certified('erin', 'others'), open).request('GET', PODS)).status).toBe(403);
    }
  });

  it('of a foreign authority are refused with 401, unless it is made known', async () => {
    for (const path of ['/readyz', '/api/v1/pods']) {
      for (const open of [http1Client, http2Client]) {
        expect((await client(strange(), open).request('GET', path)).status, path).toBe(401);
      }
    }
    const clientCaFile = join(directory, 'foreign.crt');
    await writeFile(clientCaFile, foreign.ca.certificate);
    const open = await start({ clientCaFile });
    onTestFinished(() => open.close());
    expect((await client(strange(open)).request('GET', PODS)).status).toBe(200);
    expect((await open.admin.request('GET', PODS)).status).toBe(200);
  });

  it('that are not valid do not stand in the way of a token that is', async () => {
    expect(await nameOf(client({ ...strange(), token: 'carol-token' }))).toBe('carol');
    expect((await client({ ...strange(), token: 'wrong' }).request('GET', PODS)).status).toBe(401);
  });
});

describe('roles', () => {
  const role = (namespace: string) => `${RBAC}/namespaces/${namespace}/roles`;
  const bindings = (namespace: string) => `${RBAC}/namespaces/${namespace}/rolebindings`;
  const grant = (namespace: string, kind: string, name: string, user: string): Promise<void> =>
    make(bindings(namespace), {
      metadata: { name: `${name}-${user}` },
      roleRef: { apiGroup: rbacGroup, kind, name },
      subjects: [{ apiGroup: rbacGroup, kind: 'User', name: user }],
    });

  it('are granted and revoked while the server runs, in one namespace and no other', async () => {
    const alice = bearer('alice-token');
    const maps = '/api/v1/namespaces/default/configmaps';
    const read = async (path = maps): Promise<number> => (await alice.request('GET', path)).status;
    expect(await read()).toBe(403);

    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }];
    await make(role('default'), { metadata: { name: 'reader' }, rules });
    expect(await read()).toBe(403);
    await grant('default', 'Role', 'reader', 'alice');
    expect(await read()).toBe(200);
    expect(await read('/api/v1/configmaps')).toBe(403);
    expect(await read('/api/v1/namespaces/platform-system/configmaps')).toBe(403);
    expect(await read('/api/v1/namespaces/default/secrets')).toBe(403);
    expect((await bearer('carol-token').request('GET', maps)).status).toBe(403);
    const refused = await alice.request('POST', maps, { metadata: { name: 'mine' } });
    expect(refused.status).toBe(403);
    expect(refused.body.message).toBe(
      'configmaps is forbidden: User "alice" cannot create resource "configmaps" in API group "" in the namespace "default"',
    );

    await admin('PATCH', `${role('default')}/reader`, { rules: [{ ...rules[0], verbs: ['create'] }] });
    expect(await read()).toBe(403);
    expect((await alice.request('POST', maps, { metadata: { name: 'mine' } })).status).toBe(201);

    await admin('DELETE', `${bindings('default')}/reader-alice`);
    expect((await alice.request('POST', maps, { metadata: { name: 'more' } })).status).toBe(403);
  });

  it('of the cluster are granted in one namespace too, and can be narrowed to names', async () => {
    const alice = bearer('alice-token');
    const rules = [{ apiGroups: [''], resources: ['configmaps'], resourceNames: ['this'], verbs: ['get'] }];
    await make(`${RBAC}/clusterroles`, { metadata: { name: 'one-map' }, rules });
    await grant('default', 'ClusterRole', 'one-map', 'alice');
    const maps = (namespace: string) => `/api/v1/namespaces/${namespace}/configmaps`;
    await make(maps('default'), { metadata: { name: 'this' } });
    expect((await alice.request('GET', `${maps('default')}/this`)).status).toBe(200);
    expect((await alice.request('GET', `${maps('default')}/that`)).status).toBe(403);
    expect((await alice.request('GET', maps('default'))).status).toBe(403);
    expect((await alice.request('GET', `${maps('platform-system')}/this`)).status).toBe(403);
  });

  it('do not let anyone see, by a watch, what a list would not show', async () => {
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }];
    await make(role('default'), { metadata: { name: 'lister' }, rules });
    await grant('default', 'Role', 'lister', 'alice');
    const alice = bearer('alice-token');
    const maps = '/api/v1/namespaces/default/configmaps';
    expect((await alice.request('GET', maps)).status).toBe(200);
    for (const query of ['watch=1', 'watch=true', 'watch=1&watch=0']) {
      expect((await alice.request('GET', `${maps}?${query}`)).status, query).toBe(403);
    }
    expect((await alice.request('GET', '/api/v1/watch/namespaces/default/configmaps')).status).toBe(403);
  });

  it('are given only by those who hold what they give', async () => {
    const carol = bearer('carol-token');
    const writes = [{ apiGroups: [rbacGroup], resources: ['roles', 'rolebindings'], verbs: ['create', 'patch'] }];
    const reads = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }];
    await make(role('default'), { metadata: { name: 'role-writer' }, rules: [...writes, ...reads] });
    await make(role('default'), {
      metadata: { name: 'everything' },
      rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
    });
    await grant('default', 'Role', 'role-writer', 'carol');
    const bind = (name: string) => ({
      metadata: { name: `${name}-for-bob` },
      roleRef: { apiGroup: rbacGroup, kind: 'Role', name },
      subjects: [{ apiGroup: rbacGroup, kind: 'User', name: 'bob' }],
    });
    const roles = role('default');
    expect((await carol.request('POST', roles, { metadata: { name: 'held' }, rules: reads })).status).toBe(201);
    const more = [{ ...reads[0], verbs: ['get', 'delete'] }];
    const refused = await carol.request('POST', roles, { metadata: { name: 'more' }, rules: more });
    expect(refused.status).toBe(403);
    expect(refused.body.message).toContain('attempting to grant RBAC permissions not currently held');
    const patch = { 'content-type': 'application/merge-patch+json' };
    expect((await carol.request('PATCH', `${roles}/held`, { rules: more }, patch)).status).toBe(403);
    expect((await carol.request('POST', bindings('default'), bind('held'))).status).toBe(201);
    expect((await carol.request('POST', bindings('default'), bind('everything'))).status).toBe(403);
    expect((await carol.request('POST', bindings('default'), bind('missing'))).status).toBe(404);
  });
});
