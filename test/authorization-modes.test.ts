import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { StartOptions } from '../src/server/server.ts';
import { asNobody, type Client, http1Client, withToken } from './support/client.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const policy = (spec: object): string =>
  JSON.stringify({ apiVersion: 'abac.authorization.platform.io/v1beta1', kind: 'Policy', spec });
const POLICIES = [
  '# readers',
  policy({ group: 'dev', resource: 'pods', namespace: '*', readonly: true }),
  policy({ user: '*', nonResourcePath: '/version' }),
  '{"user":"bob","namespace":"default"}',
];

let directory: string;
const file = (name: string): string => join(directory, name);

beforeAll(async () => {
  directory = await makeDirectory();
  await writeFile(file('tokens.csv'), 'alice-token,alice,1,dev\nbob-token,bob,2\n');
  await writeFile(file('policies'), POLICIES.join('\n'));
  await writeFile(file('broken'), `${POLICIES.join('\n')}\n{"user":1}\n`);
});

afterAll(() => removeDirectory(directory));

async function start(authorizationMode: string[], changes: StartOptions = {}): Promise<TestServer> {
  const server = await startTestServer({ tokenAuthFile: file('tokens.csv'), authorizationMode, ...changes });
  onTestFinished(() => server.close());
  return server;
}

function client({ connection }: TestServer, token?: string): Client {
  const opened = http1Client(token === undefined ? asNobody(connection) : withToken(connection, token));
  onTestFinished(() => opened.close());
  return opened;
}

const statusOf = async (someone: Client, path: string, method = 'GET', body?: object): Promise<number> =>
  (await someone.request(method, path, body)).status;

const PODS = '/api/v1/namespaces/default/pods';
const SECRETS = '/api/v1/namespaces/default/secrets';
const view = (name: string, user: string) => ({
  metadata: { name },
  roleRef: { apiGroup: 'rbac.authorization.platform.io', kind: 'ClusterRole', name: 'view' },
  subjects: [{ apiGroup: 'rbac.authorization.platform.io', kind: 'User', name: user }],
});
const BINDINGS = '/apis/rbac.authorization.platform.io/v1/clusterrolebindings';

describe('the mode', () => {
  it('ABAC follows its file, before or after RBAC', async () => {
    const server = await start(['ABAC', 'RBAC'], { authorizationPolicyFile: file('policies') });
    const [alice, bob, nobody] = [client(server, 'alice-token'), client(server, 'bob-token'), client(server)];
    expect(await statusOf(alice, PODS)).toBe(200);
    expect(await statusOf(alice, `${PODS}?watch=1&timeoutSeconds=1`)).toBe(200);
    expect(await statusOf(alice, `${PODS}/p`, 'DELETE')).toBe(403);
    expect(await statusOf(alice, SECRETS)).toBe(403);
    expect(await statusOf(bob, SECRETS, 'POST', { metadata: { name: 's' } })).toBe(201);
    expect(await statusOf(bob, '/api/v1/secrets')).toBe(403);
    expect(await statusOf(nobody, PODS)).toBe(403);
    const refused = await alice.request('GET', SECRETS);
    expect(refused.body.message).toMatch(/cannot list resource "secrets" .*: No policy matched\.$/);

    const maps = '/api/v1/namespaces/default/configmaps';
    expect(await statusOf(alice, maps)).toBe(403);
    await server.admin.request('POST', BINDINGS, view('alice', 'alice'));
    expect(await statusOf(alice, maps)).toBe(200);
  });

  it('ABAC alone decides what is reviewed', async () => {
    const server = await start(['ABAC'], { authorizationPolicyFile: file('policies') });
    const review = async (plural: string, spec: object) =>
      (await server.admin.request('POST', `/apis/authorization.platform.io/v1/${plural}`, { spec })).body.status;
    const resourceAttributes = { verb: 'list', resource: 'pods', namespace: 'x' };
    expect(await review('subjectaccessreviews', { user: 'eve', groups: ['dev'], resourceAttributes })).toEqual({
      allowed: true,
    });
    expect(await review('subjectaccessreviews', { user: 'eve', resourceAttributes })).toEqual({
      allowed: false,
      reason: 'No policy matched.',
    });
  });

  it('AlwaysDeny forbids everything to everyone but the privileged, whatever comes after it', async () => {
    const server = await start(['AlwaysDeny', 'RBAC']);
    await server.admin.request('POST', BINDINGS, view('alice', 'alice'));
    const alice = client(server, 'alice-token');
    expect(await statusOf(alice, PODS)).toBe(403);
    expect(await statusOf(alice, '/version')).toBe(403);
    expect(await statusOf(server.admin, PODS)).toBe(200);
    const path = '/apis/authorization.platform.io/v1/subjectaccessreviews';
    const spec = { user: 'alice', resourceAttributes: { verb: 'list', resource: 'pods' } };
    expect((await server.admin.request('POST', path, { spec })).body.status).toMatchObject({ denied: true });
  });

  it('AlwaysAllow, in any place, lets nobody in without a name, even when told to', async () => {
    const server = await start(['RBAC', 'AlwaysAllow'], { anonymousAuth: true });
    expect(await statusOf(client(server), '/version')).toBe(401);
    expect(await statusOf(client(server, 'bob-token'), '/api/v1/secrets')).toBe(200);
  });
});

describe('a server does not start', () => {
  it.each<[string, string[], StartOptions, string]>([
    ['with a mode that it does not know', ['Rbac'], {}, 'unknown authorization mode "Rbac"'],
    ['with a mode given twice', ['RBAC', 'RBAC'], {}, 'authorization mode "RBAC" is given more than once'],
    ['without any mode', [], {}, 'no authorization mode given'],
    ['without the file of ABAC', ['ABAC'], {}, 'authorization mode "ABAC" needs --authorization-policy-file'],
    ['without that of Webhook', ['Webhook'], {}, 'mode "Webhook" needs --authorization-webhook-config-file'],
    [
      'with a file for a mode that is off',
      ['RBAC'],
      { authorizationPolicyFile: 'x' },
      '--authorization-policy-file is of no use without authorization mode "ABAC"',
    ],
    [
      'with a webhook that is off',
      ['RBAC'],
      { authorizationWebhookConfigFile: 'x' },
      '--authorization-webhook-config-file is of no use without authorization mode "Webhook"',
    ],
    ['with a file that is not there', ['ABAC'], { authorizationPolicyFile: 'nothing' }, 'cannot read nothing: ENOENT'],
    ['with no webhook file', ['Webhook'], { authorizationWebhookConfigFile: 'nothing' }, 'nothing'],
  ])('%s', async (_, modes, settings, message) => {
    const outcome = await start(modes, settings).then(
      () => 'started',
      (error: Error) => error.message,
    );
    expect(outcome).toContain(message);
    expect(outcome).not.toContain('\n');
  });

  it('with a policy that is wrong, and says in which line', async () => {
    await expect(start(['ABAC'], { authorizationPolicyFile: file('broken') })).rejects.toThrow(
      `${file('broken')}:5: user must be a string`,
    );
  });

  it('with a webhook that would be asked in the open', async () => {
    const cluster = { server: 'http://example.com' };
    const config = { clusters: [{ name: 'c', cluster }], contexts: [{ name: 'x', context: { cluster: 'c' } }] };
    await writeFile(file('open.conf'), JSON.stringify({ ...config, 'current-context': 'x' }));
    await expect(start(['Webhook'], { authorizationWebhookConfigFile: file('open.conf') })).rejects.toThrow(
      'only https is private enough',
    );
  });
});
