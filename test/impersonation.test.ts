import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Logger } from '../src/observe/logging/logger.ts';
import { type Client, type Headers, http1Client, http2Client, withToken } from './support/client.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';
import { letGroupAsk, whoami } from './support/who-am-i.ts';

const RBAC = '/apis/rbac.authorization.platform.io/v1';
const apiGroup = 'rbac.authorization.platform.io';
const authentication = 'authentication.platform.io';

let directory: string;
let plane: TestServer;
let bob: Client;
const logged: object[] = [];
const logger: Logger = { error() {}, warn() {}, info: (fields) => logged.push(fields) };

beforeAll(async () => {
  directory = await makeDirectory();
  const tokenAuthFile = join(directory, 'tokens.csv');
  await writeFile(tokenAuthFile, 'bob-token,bob,2\n');
  plane = await startTestServer({ tokenAuthFile, logger });
  bob = http1Client(withToken(plane.connection, 'bob-token'));
  for (const group of ['system:authenticated', 'system:unauthenticated']) await letGroupAsk(plane.admin, group);
});

afterAll(async () => {
  bob.close();
  await plane.close();
  await removeDirectory(directory);
});

let roles = 0;

/** Lets bob impersonate these, for the rest of the test. */
async function allow(
  ...rules: { apiGroups: string[]; resources: string[]; resourceNames?: string[] }[]
): Promise<void> {
  const metadata = { name: `impersonator-${roles++}` };
  const granted = rules.map((rule) => ({ verbs: ['impersonate'], ...rule }));
  const roleRef = { apiGroup, kind: 'ClusterRole', name: metadata.name };
  const subjects = [{ apiGroup, kind: 'User', name: 'bob' }];
  await plane.admin.request('POST', `${RBAC}/clusterroles`, { metadata, rules: granted });
  await plane.admin.request('POST', `${RBAC}/clusterrolebindings`, { metadata, roleRef, subjects });
  onTestFinished(async () => {
    await plane.admin.request('DELETE', `${RBAC}/clusterrolebindings/${metadata.name}`);
  });
}

const users = (...resourceNames: string[]) => ({ apiGroups: [''], resources: ['users'], resourceNames });
const asAdmin = (headers: Headers) => whoami(plane.admin, headers);
const asBob = (headers: Headers) => whoami(bob, headers);

describe('a request that acts as someone else', () => {
  it.each([http1Client, http2Client])('has the whole identity of that someone and nothing of its own', async (open) => {
    const admin = open(plane.connection);
    onTestFinished(() => admin.close());
    const headers = {
      'Impersonate-User': 'alice',
      'Impersonate-Group': ['a', 'b, c'],
      'Impersonate-Uid': 'u-1',
      'Impersonate-Extra-Scopes': ['one', 'two'],
      'impersonate-extra-example.com%2Fpart': 'x',
    };
    expect(await whoami(admin, headers)).toEqual({
      username: 'alice',
      uid: 'u-1',
      groups: ['a', 'b, c', 'system:authenticated'],
      extra: { scopes: ['one', 'two'], 'example.com/part': ['x'] },
    });
  });

  it('brings the groups that everyone of that sort is in', async () => {
    const groupsOf = async (user: string, ...groups: string[]) => {
      const found = await asAdmin({ 'impersonate-user': user, ...(groups[0] ? { 'impersonate-group': groups } : {}) });
      return typeof found === 'number' ? found : found.groups;
    };
    expect(await groupsOf('alice')).toEqual(['system:authenticated']);
    expect(await groupsOf('alice', 'system:authenticated', 'x')).toEqual(['system:authenticated', 'x']);
    expect(await groupsOf('alice', 'system:unauthenticated')).toEqual(['system:unauthenticated']);
    expect(await groupsOf('system:anonymous')).toEqual(['system:unauthenticated']);
    const account = 'system:serviceaccount:default:robot';
    const own = ['system:serviceaccounts', 'system:serviceaccounts:default'];
    expect(await groupsOf(account)).toEqual([...own, 'system:authenticated']);
    expect(await groupsOf(account, 'x')).toEqual(['x', 'system:authenticated']);
    expect(await groupsOf('system:serviceaccount:de:fault:robot')).toEqual(['system:authenticated']);
  });

  it('is known by both names in the log', async () => {
    logged.length = 0;
    await asAdmin({ 'impersonate-user': 'alice' });
    expect(logged).toMatchObject([{ user: 'alice', impersonator: 'platform-admin' }]);
  });
});

describe('without an identity to take on', () => {
  it.each([
    { 'impersonate-group': 'system:masters' },
    { 'impersonate-uid': 'u' },
    { 'impersonate-extra-scopes': 's' },
    { 'impersonate-user': '' },
    { 'impersonate-user': ['alice', 'admin'] },
    { 'impersonate-user': 'alice', 'impersonate-uid': ['1', '2'] },
    { 'impersonate-user': 'alice', 'impersonate-group': '' },
    { 'impersonate-users': 'alice' },
    { 'impersonate-extra-': 'x', 'impersonate-user': 'alice' },
    { 'impersonate-user': '\xff' },
  ])('%j is refused with 400, and not done as the caller', async (headers) => {
    const { status, body } = await plane.admin.request('GET', '/api/v1/secrets', undefined, headers);
    expect({ status, reason: body.reason }).toEqual({ status: 400, reason: 'BadRequest' });
  });
});

describe('who may act as whom', () => {
  it('is nobody by default', async () => {
    expect(await asBob({ 'impersonate-user': 'alice' })).toBe(403);
    const { body } = await bob.request('GET', '/version', undefined, { 'impersonate-user': 'alice' });
    expect(body).toMatchObject({
      message:
        'users "alice" is forbidden: User "bob" cannot impersonate resource "users" in API group "" at the cluster scope',
      details: { name: 'alice', kind: 'users' },
    });
  });

  it('is a matter of every single part', async () => {
    await allow(users('alice'));
    expect(await asBob({ 'impersonate-user': 'alice' })).toMatchObject({ username: 'alice' });
    expect(await asBob({ 'impersonate-user': 'admin' })).toBe(403);
    const parts: Headers[] = [
      { 'impersonate-group': 'qa' },
      { 'impersonate-uid': 'u-1' },
      { 'impersonate-extra-scopes': 's' },
    ];
    for (const part of parts)
      expect(await asBob({ 'impersonate-user': 'alice', ...part }), JSON.stringify(part)).toBe(403);

    await allow(
      { apiGroups: [''], resources: ['groups'], resourceNames: ['qa'] },
      { apiGroups: [authentication], resources: ['uids'], resourceNames: ['u-1'] },
      { apiGroups: [authentication], resources: ['userextras/scopes'], resourceNames: ['s'] },
    );
    const all = Object.assign({ 'impersonate-user': 'alice' }, ...parts);
    expect(await asBob(all)).toMatchObject({ username: 'alice', uid: 'u-1' });
    expect(await asBob({ ...all, 'impersonate-group': ['qa', 'system:masters'] })).toBe(403);
    expect(await asBob({ ...all, 'impersonate-extra-scopes': ['s', 't'] })).toBe(403);
    expect(await asBob({ ...all, 'impersonate-extra-other': 's' })).toBe(403);
    expect(await asBob({ ...all, 'impersonate-uid': 'u-2' })).toBe(403);
  });

  it('is granted for service accounts by their own name, not by that of the user', async () => {
    const headers = { 'impersonate-user': 'system:serviceaccount:default:robot' };
    await allow({ apiGroups: [''], resources: ['users'] });
    expect(await asBob(headers)).toBe(403);
    await allow({ apiGroups: [''], resources: ['serviceaccounts'], resourceNames: ['robot'] });
    expect(await asBob(headers)).toMatchObject({ username: headers['impersonate-user'] });
  });

  it('does not pass on: the rights of the other count, not those of the caller', async () => {
    const { status, body } = await plane.admin.request('GET', '/api/v1/secrets', undefined, {
      'impersonate-user': 'alice',
    });
    expect(status).toBe(403);
    expect(body.message).toContain('User "alice" cannot list');
  });

  it('is asked of those only who have shown who they are', async () => {
    const stranger = http1Client(withToken(plane.connection, 'wrong'));
    onTestFinished(() => stranger.close());
    expect(await whoami(stranger, { 'impersonate-user': 'bob' })).toBe(401);
  });
});
