import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type InjectRequest, type Server, startServer, UsageError } from '../src/index.ts';
import { eventsOf, policyFile } from './support/audit.ts';
import { type Answer, answerOf, type Client, http1Client, prepare, withToken } from './support/client.ts';
import { makeDirectory, removeDirectory, temporaryDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';
import { letGroupAsk, whoami } from './support/who-am-i.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const secrets = '/api/v1/secrets';

/** Whoever `as` names, as a client without a socket. */
const injecting = (server: Server, as?: InjectRequest['as']): Client => ({
  async request(method, target, given, more = {}): Promise<Answer> {
    const { bytes, headers } = prepare({ server: '', insecureSkipTlsVerify: false }, method, given, more);
    const body = bytes === undefined ? {} : { body: bytes };
    const answer = await server.inject({ method, target, headers, ...body, ...(as === undefined ? {} : { as }) });
    const pairs = answer.headers.map(([name, value]) => [name.toLowerCase(), value]);
    return answerOf(answer.status, Object.fromEntries(pairs), [answer.body]);
  },
  close() {},
});

describe('an injected request', () => {
  let directory: string;
  let plane: TestServer;

  beforeAll(async () => {
    directory = await makeDirectory();
    const auditPolicyFile = await policyFile(directory, [{ level: 'Metadata' }]);
    plane = await startTestServer({ auditPolicyFile, auditLogPath: join(directory, 'audit.log') });
    for (const group of ['system:authenticated', 'system:unauthenticated']) await letGroupAsk(plane.admin, group);
  });

  afterAll(async () => {
    await plane.close();
    await removeDirectory(directory);
  });

  it.each<[string, InjectRequest['as'], object]>([
    ['nobody unless told', undefined, { username: 'system:anonymous', groups: ['system:unauthenticated'] }],
    ['the administrator', 'admin', { username: 'platform-admin', groups: ['system:masters', 'system:authenticated'] }],
    [
      'anyone',
      { user: 'alice', groups: ['staff'], uid: 'u1', extra: { scopes: ['a', 'b'] } },
      { username: 'alice', groups: ['staff', 'system:authenticated'], uid: 'u1', extra: { scopes: ['a', 'b'] } },
    ],
    [
      'a service account, in its groups',
      { user: 'system:serviceaccount:default:robot' },
      {
        username: 'system:serviceaccount:default:robot',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
      },
    ],
    ['a stranger', { user: 'system:anonymous' }, { username: 'system:anonymous', groups: ['system:unauthenticated'] }],
  ])('comes from %s', async (_who, as, identity) => {
    expect(await whoami(injecting(plane.server, as))).toEqual(identity);
  });

  it('is of whom it names, whatever credentials it carries', async () => {
    const headers = { authorization: `Bearer ${plane.server.adminToken}` };
    expect(await whoami(injecting(plane.server, { user: 'alice' }), headers)).toMatchObject({ username: 'alice' });
    expect(await whoami(injecting(plane.server), headers)).toMatchObject({ username: 'platform-admin' });
    expect(await whoami(injecting(plane.server), { authorization: 'Bearer wrong' })).toBe(401);
  });

  it('has the rights, the flow and the record of that identity', async () => {
    const schemas = '/apis/flowcontrol.apiserver.platform.io/v1beta2/flowschemas';
    const { items } = (await plane.admin.request('GET', schemas)).body;
    const flowOf = ({ headers }: Answer): string | undefined =>
      items.find(({ metadata }) => metadata.uid === headers['x-platform-pf-flowschema-uid'])?.metadata.name;

    const asAdmin = await injecting(plane.server, 'admin').request('GET', secrets);
    expect([asAdmin.status, flowOf(asAdmin)]).toEqual([200, 'exempt']);
    const asAlice = await injecting(plane.server, { user: 'alice' }).request('GET', secrets);
    expect([asAlice.status, flowOf(asAlice)]).toEqual([403, 'global-default']);
    expect(asAlice.body.message).toContain('User "alice" cannot list resource "secrets"');

    for (const [answer, username] of [
      [asAdmin, 'platform-admin'],
      [asAlice, 'alice'],
    ] as const) {
      const id = String(answer.headers['audit-id']);
      const events = await eventsOf(join(directory, 'audit.log'), id);
      expect(events.map(({ user }) => user?.username)).toEqual([username, username]);
    }
  });

  it('may act as someone else only where its sender may', async () => {
    const headers = { 'impersonate-user': 'bob' };
    expect(await whoami(injecting(plane.server, 'admin'), headers)).toMatchObject({ username: 'bob' });
    expect(await whoami(injecting(plane.server, { user: 'alice' }), headers)).toBe(403);
  });

  it.each<[unknown, string]>([
    [{ target: maps, as: 'root' }, "`as` must be 'admin' or an identity"],
    [{ target: maps, as: null }, "`as` must be 'admin' or an identity"],
    [{ target: maps, as: { user: '' } }, 'an identity must have a user'],
    [{ target: maps, as: { groups: ['system:masters'] } }, 'an identity must have a user'],
    [{ target: maps, as: { user: 'a', groups: 'staff' } }, 'the groups of an identity must be a list of texts'],
    [{ url: maps }, 'a request must have a target, such as /version'],
  ])('%j is refused', async (request, reason) => {
    await expect(plane.server.inject(request as InjectRequest)).rejects.toThrow(new TypeError(reason));
  });
});

describe('the token of the administrator', () => {
  it('is good over HTTPS, with this server and no other, and on no disk', async () => {
    const dataDir = await temporaryDirectory();
    await using server = await startServer({ store: 'memory', port: 0, dataDir });
    const plane = await startTestServer();
    onTestFinished(() => plane.close());
    const statusAt = async (at: TestServer['connection'], token: string): Promise<number> => {
      const client = http1Client(withToken(at, token));
      onTestFinished(() => client.close());
      return (await client.request('GET', secrets)).status;
    };
    const { adminToken } = plane.server;
    expect(await statusAt(plane.connection, adminToken)).toBe(200);
    expect(await statusAt(plane.connection, server.adminToken)).toBe(401);
    expect(await statusAt(plane.connection, `${adminToken.slice(0, -1)}~`)).toBe(401);

    const files = await readdir(dataDir, { recursive: true, withFileTypes: true });
    const texts = files
      .filter((file) => file.isFile())
      .map((file) => readFile(join(file.parentPath, file.name), 'utf8'));
    expect(texts.length).toBeGreaterThan(5);
    for (const text of await Promise.all(texts)) expect(text).not.toContain(server.adminToken);
  });
});

describe('a server', () => {
  it('refuses options that there are not', async () => {
    const options: object = { store: 'memory', port: 0, dataDirectory: 'x' };
    await expect(startServer(options)).rejects.toThrow(new UsageError("startServer has no option 'dataDirectory'"));
  });

  it('is closed at the end of the block that uses it', async () => {
    let left: Server;
    {
      await using server = await startServer({ store: 'memory', port: 0 });
      left = server;
      expect((await server.inject({ target: '/readyz' })).status).toBe(200);
    }
    await expect(left.inject({ target: '/readyz' })).rejects.toThrow('the server is closed');
    await expect(fetch(left.url)).rejects.toThrow();
    await left.close();
  });

  it('takes no request once it is being closed, and lets those finish that are under way', async () => {
    const server = await startServer({ store: 'memory', port: 0 });
    const watch = server.inject({ target: `${maps}?watch=1`, as: 'admin' });
    const create = server.inject({
      method: 'POST',
      target: maps,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ metadata: { name: 'late' } }),
      as: 'admin',
    });
    const closed = server.close();
    await expect(server.inject({ target: '/readyz' })).rejects.toThrow('the server is closed');
    expect((await create).status).toBe(201);
    expect((await watch).status).toBe(200);
    await closed;
  });
});
