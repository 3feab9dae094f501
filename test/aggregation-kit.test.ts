import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, http1Client, withToken } from './support/client.ts';
import { FrontAndExtension, GROUP } from './support/front-and-extension.ts';
import { insist } from './support/patience.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';

/** A second server of ours that serves a group behind the first one, over HTTPS. */

const FLUNDERS = `/apis/${GROUP}/v1/namespaces/default/flunders`;

const runtime = new ShiftableRuntime();
let both: FrontAndExtension;
let alice: Client;
let aliceDirectly: Client;

beforeAll(async () => {
  both = await FrontAndExtension.start('platform', { runtime });
  await both.make('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'alice' } });
  const path = '/api/v1/namespaces/default/serviceaccounts/alice/token';
  const { status } = (await both.front.admin.request('POST', path, { spec: {} })).body;
  const { token } = status as { token: string };
  alice = http1Client(withToken(both.front.connection, token));
  aliceDirectly = http1Client(withToken(directly(), token));
});

afterAll(async () => {
  for (const client of [alice, aliceDirectly]) client.close();
  await both.close();
});

/** The second server, without the first. */
const directly = () => ({ server: both.extension.url, ca: both.authority, insecureSkipTlsVerify: false });

const rolesOf = (verbs: readonly string[]) => ({
  metadata: { name: 'flunders' },
  rules: [{ apiGroups: [GROUP], resources: ['flunders'], verbs }],
});

const RBAC = '/apis/rbac.authorization.platform.io/v1/namespaces/default';

describe('a group behind a server', () => {
  it('is written, read, listed, watched, patched and deleted through it', async () => {
    const { admin } = both.front;
    const watch = await both.front.watch(`${FLUNDERS}?watch=1`);
    const made = await admin.request('POST', FLUNDERS, {
      apiVersion: `${GROUP}/v1`,
      kind: 'Flunder',
      metadata: { name: 'a' },
      spec: { size: 3 },
    });
    expect(made.status, made.text).toBe(201);
    expect(await watch.next()).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'a' } } });
    await watch.close();
    expect((await admin.request('GET', `${FLUNDERS}/a`)).body).toMatchObject({ kind: 'Flunder', spec: { size: 3 } });
    const wrong = await admin.request('PATCH', `${FLUNDERS}/a`, { spec: { size: 0 } });
    expect(wrong.body).toMatchObject({ code: 422, reason: 'Invalid' });
    expect((await admin.request('PATCH', `${FLUNDERS}/a`, { spec: { size: 4 } })).status).toBe(200);
    expect((await admin.request('GET', FLUNDERS)).body.items).toHaveLength(1);
    expect((await admin.request('DELETE', `${FLUNDERS}/a`)).status).toBe(200);
  });

  it('goes with its namespace', async () => {
    const { admin } = both.front;
    await both.make('/api/v1/namespaces', { metadata: { name: 'passing' } });
    const path = `/apis/${GROUP}/v1/namespaces/passing/flunders`;
    const flunder = { apiVersion: `${GROUP}/v1`, kind: 'Flunder', metadata: { name: 'a' }, spec: { size: 3 } };
    expect((await admin.request('POST', path, flunder)).status).toBe(201);
    const nowhere = await admin.request('POST', path.replace('passing', 'nowhere'), flunder);
    expect(nowhere.body).toMatchObject({ code: 404, message: 'namespaces "nowhere" not found' });
    await admin.request('DELETE', '/api/v1/namespaces/passing');
    await insist(async () => expect((await admin.request('GET', '/api/v1/namespaces/passing')).status).toBe(404));
    expect((await admin.request('GET', `${path}/a`)).status).toBe(404);
  });

  it('is not in the store of the first server', () => {
    expect(both.front.server.catalogue.hasGroup(GROUP)).toBe(false);
    expect(both.extension.catalogue.hasGroup(GROUP)).toBe(true);
  });

  it('is open to whom roles of the first server let in, whichever server they ask', async () => {
    expect((await alice.request('GET', FLUNDERS)).status).toBe(403);
    expect((await aliceDirectly.request('GET', FLUNDERS)).body).toMatchObject({
      code: 403,
      message: expect.stringContaining('User "system:serviceaccount:default:alice" cannot list'),
    });
    await both.make(`${RBAC}/roles`, rolesOf(['get', 'list']));
    await both.make(`${RBAC}/rolebindings`, {
      metadata: { name: 'flunders' },
      roleRef: { apiGroup: 'rbac.authorization.platform.io', kind: 'Role', name: 'flunders' },
      subjects: [{ kind: 'ServiceAccount', namespace: 'default', name: 'alice' }],
    });
    await insist(async () => expect((await alice.request('GET', FLUNDERS)).status).toBe(200));
    // What was refused is remembered for a while.
    runtime.advance(11_000);
    expect((await aliceDirectly.request('GET', FLUNDERS)).status).toBe(200);
    expect((await alice.request('POST', FLUNDERS, {})).status).toBe(403);
  });

  it('is all that the second server serves to those who connect', async () => {
    const { admin } = both.front;
    const own = http1Client({
      ...directly(),
      clientCertificate: both.front.connection.clientCertificate,
      clientKey: both.front.connection.clientKey,
    });
    const groups = (await own.request('GET', '/apis')).body as unknown as { groups: { name: string }[] };
    expect(groups.groups.map(({ name }) => name)).toEqual([GROUP]);
    expect((await own.request('GET', '/api/v1/namespaces/default/secrets')).status).toBe(404);
    expect((await own.request('GET', '/apis/apps/v1/deployments')).status).toBe(404);
    const { paths } = JSON.parse((await own.request('GET', '/openapi/v3')).text);
    expect(Object.keys(paths).filter((path) => path.includes('/v1'))).toEqual([`apis/${GROUP}/v1`]);
    own.close();
    expect((await admin.request('GET', '/api/v1/namespaces/default/secrets')).status).toBe(200);
  });

  it('believes nobody else who asks, and tells anyone that it is alive', async () => {
    const liar = http1Client(directly());
    expect(
      (await liar.request('GET', FLUNDERS, undefined, { 'x-remote-user': 'admin', 'x-remote-group': 'system:masters' }))
        .status,
    ).toBe(403);
    expect((await liar.request('GET', '/readyz')).text).toBe('ok');
    expect((await liar.request('GET', '/metrics')).status).toBe(403);
    liar.close();
  });
});

it('what it publishes is part of what the first server publishes', async () => {
  const { admin } = both.front;
  const kind = { group: GROUP, kind: 'Flunder', version: 'v1' };
  const v2 = JSON.parse((await admin.request('GET', '/openapi/v2')).text);
  const definition = v2.definitions[`com.example.flunders.v1.Flunder`];
  expect(definition).toMatchObject({
    description: 'Something of another server.',
    'x-platform-group-version-kind': [kind],
    properties: { metadata: { $ref: '#/definitions/io.platform.apimachinery.pkg.apis.meta.v1.ObjectMeta' } },
  });
  expect(Object.keys(v2.paths)).toContain(`/apis/${GROUP}/v1/namespaces/{namespace}/flunders`);
  expect(Object.keys(v2.definitions).filter((name) => name.endsWith('_v2'))).toEqual([]);
  const { paths } = JSON.parse((await admin.request('GET', '/openapi/v3')).text);
  const { serverRelativeURL } = paths[`apis/${GROUP}/v1`];
  const part = await admin.request('GET', serverRelativeURL);
  expect(part.headers['cache-control']).toBe('public, immutable');
  expect(Object.keys(JSON.parse(part.text).components.schemas)).toContain('com.example.flunders.v1.Flunder');
  const tag = String(part.headers.etag);
  expect((await admin.request('GET', serverRelativeURL, undefined, { 'if-none-match': tag })).status).toBe(304);
});
