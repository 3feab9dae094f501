import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { http1Client, withToken } from './support/client.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';
import { letGroupAsk, type Whoami, whoami } from './support/who-am-i.ts';

const SECRETS = '/api/v1/namespaces/platform-system/secrets';
const TOKEN = 'abcdef.0123456789abcdef';
const runtime = new ShiftableRuntime();

let plane: TestServer;
beforeAll(async () => {
  plane = await startTestServer({ enableBootstrapTokenAuth: true, runtime });
  await letGroupAsk(plane.admin, 'system:authenticated');
});
afterAll(() => plane.close());

async function userOf(token: string, server = plane): Promise<Whoami | number> {
  const client = http1Client(withToken(server.connection, token));
  onTestFinished(() => client.close());
  return whoami(client);
}

const GOOD = {
  'token-id': 'abcdef',
  'token-secret': '0123456789abcdef',
  'usage-bootstrap-authentication': 'true',
};

interface Kept {
  readonly data?: Readonly<Record<string, string | undefined>>;
  readonly name?: string;
  readonly type?: string;
  readonly namespace?: string;
  readonly finalizers?: string[];
}

/** Puts a secret there for the rest of the test. */
async function keep({
  data = {},
  name = 'bootstrap-token-abcdef',
  type,
  namespace,
  finalizers,
}: Kept): Promise<string> {
  const path = `/api/v1/namespaces/${namespace ?? 'platform-system'}/secrets`;
  const { status, text } = await plane.admin.request('POST', path, {
    metadata: { name, finalizers },
    type: type ?? 'bootstrap.platform.io/token',
    stringData: Object.fromEntries(Object.entries({ ...GOOD, ...data }).filter(([, value]) => value !== undefined)),
  });
  expect(status, text).toBe(201);
  onTestFinished(async () => {
    await plane.admin.request('DELETE', `${path}/${name}`);
    await plane.admin.request('PATCH', `${path}/${name}`, { metadata: { finalizers: null } });
  });
  return `${path}/${name}`;
}

describe('a bootstrap token', () => {
  it('makes its bearer a member of the bootstrappers and of the groups it names', async () => {
    await keep({ data: { 'auth-extra-groups': 'system:bootstrappers:two,system:bootstrappers:one' } });
    expect(await userOf(TOKEN)).toEqual({
      username: 'system:bootstrap:abcdef',
      groups: ['system:bootstrappers', 'system:bootstrappers:one', 'system:bootstrappers:two', 'system:authenticated'],
    });
  });

  it('ends at its time', async () => {
    await keep({ data: { expiration: new Date(runtime.now() + 60_000).toISOString() } });
    expect(await userOf(TOKEN)).toMatchObject({ username: 'system:bootstrap:abcdef' });
    runtime.advance(61_000);
    expect(await userOf(TOKEN)).toBe(401);
  });

  it('is revoked with its secret', async () => {
    const path = await keep({});
    expect(await userOf(TOKEN)).toMatchObject({ username: 'system:bootstrap:abcdef' });
    await plane.admin.request('DELETE', path);
    expect(await userOf(TOKEN)).toBe(401);
  });

  it('is revoked while its secret is kept by a finalizer', async () => {
    const path = await keep({ finalizers: ['example.com/hold'] });
    await plane.admin.request('DELETE', path);
    expect((await plane.admin.request('GET', path)).status).toBe(200);
    expect(await userOf(TOKEN)).toBe(401);
  });

  const cases: [string, Kept][] = [
    ['another secret', { data: { 'token-secret': '0123456789abcdee' } }],
    ['no secret', { data: { 'token-secret': undefined } }],
    ['another id', { data: { 'token-id': 'fedcba' } }],
    ['a use that is not allowed', { data: { 'usage-bootstrap-authentication': 'false' } }],
    ['a use that is not mentioned', { data: { 'usage-bootstrap-authentication': undefined } }],
    ['a time that has passed', { data: { expiration: '2001-01-01T00:00:00Z' } }],
    ['a time that nobody can read', { data: { expiration: 'tomorrow' } }],
    ['a group that it must not give', { data: { 'auth-extra-groups': 'system:masters' } }],
    ['such a group among others', { data: { 'auth-extra-groups': 'system:bootstrappers:x,system:nodes' } }],
    ['a group that only begins like one', { data: { 'auth-extra-groups': 'system:bootstrappers:' } }],
    ['another type', { type: 'Opaque' }],
    ['another name', { name: 'bootstrap-token-abcdeg' }],
    ['another namespace', { namespace: 'default' }],
  ];
  it.each(cases)('is refused with %s', async (_, kept) => {
    await keep(kept);
    expect(await userOf(TOKEN)).toBe(401);
  });

  it('is refused in any other spelling', async () => {
    await keep({});
    for (const token of ['ABCDEF.0123456789abcdef', `${TOKEN}x`, `x${TOKEN}`, TOKEN.replace('.', ''), `${TOKEN}.`]) {
      expect(await userOf(token), token).toBe(401);
    }
  });

  it('counts only where the server was told so', async () => {
    const other = await startTestServer();
    onTestFinished(() => other.close());
    const stringData = GOOD;
    const metadata = { name: 'bootstrap-token-abcdef' };
    await other.admin.request('POST', SECRETS, { metadata, type: 'bootstrap.platform.io/token', stringData });
    expect(await userOf(TOKEN, other)).toBe(401);
  });
});
