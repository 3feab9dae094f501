import { afterAll, beforeAll, expect, it } from 'vitest';
import { withToken } from './support/client.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';
import { openWatch } from './support/watch.ts';

const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';
const ROLES = '/apis/rbac.authorization.platform.io/v1/namespaces/default/roles';
const BINDINGS = '/apis/rbac.authorization.platform.io/v1/namespaces/default/rolebindings';
const WATCH = '/api/v1/namespaces/default/configmaps?watch=1';
/** More than a watch may go on without its right. */
const A_WHILE = 20_000;

const runtime = new ShiftableRuntime();
let plane: TestServer;

beforeAll(async () => {
  plane = await startTestServer({ runtime });
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['watch', 'list', 'get'] }];
  await plane.admin.request('POST', ROLES, { metadata: { name: 'reader' }, rules });
});

afterAll(() => plane.close());

/** An account that may watch, and a watch of its own that is open. */
async function watching(name: string) {
  await plane.admin.request('POST', ACCOUNTS, { metadata: { name } });
  await plane.admin.request('POST', BINDINGS, {
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.platform.io', kind: 'Role', name: 'reader' },
    subjects: [{ kind: 'ServiceAccount', name, namespace: 'default' }],
  });
  const spec = { expirationSeconds: 3600 };
  const { text } = await plane.admin.request('POST', `${ACCOUNTS}/${name}/token`, { spec });
  const { status }: { status: { token: string } } = JSON.parse(text);
  const watch = await openWatch(withToken(plane.connection, status.token), WATCH);
  await watch.next();
  return watch;
}

it('a watch ends when the right to it is taken away', async () => {
  const watch = await watching('bound');
  await plane.admin.request('DELETE', `${BINDINGS}/bound`);
  runtime.advance(A_WHILE);
  expect(await watch.ended).toBe('clean');
});

it('a watch ends when the account of its token is gone', async () => {
  const watch = await watching('gone');
  await plane.admin.request('DELETE', `${ACCOUNTS}/gone`);
  runtime.advance(A_WHILE);
  expect(await watch.ended).toBe('clean');
});

it('a watch whose right stays goes on', async () => {
  const watch = await watching('kept');
  runtime.advance(A_WHILE);
  await plane.admin.request('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'news' } });
  let event = await watch.next();
  while (event.object.metadata.name !== 'news') event = await watch.next();
  expect(event.type).toBe('ADDED');
  watch.close();
});
