import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { eventually } from './support/audit.ts';
import type { Answer } from './support/client.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const SECRETS = '/api/v1/namespaces/platform-system/secrets';
const INFO = '/api/v1/namespaces/platform-public/configmaps';
const HOUR_MS = 3_600_000;
const runtime = new ShiftableRuntime();

let plane: TestServer;
beforeAll(async () => {
  plane = await startTestServer({ enableBootstrapTokenAuth: true, runtime });
});
afterAll(() => plane.close());

async function keep(id: string, more: Record<string, string>): Promise<void> {
  const stringData = { 'token-id': id, 'token-secret': '0123456789abcdef', ...more };
  const metadata = { name: `bootstrap-token-${id}` };
  await plane.admin.request('POST', SECRETS, { metadata, type: 'bootstrap.platform.io/token', stringData });
  onTestFinished(async () => {
    await plane.admin.request('DELETE', `${SECRETS}/bootstrap-token-${id}`);
  });
}

const has = async (id: string): Promise<boolean> =>
  (await plane.admin.request('GET', `${SECRETS}/bootstrap-token-${id}`)).status === 200;
const later = (milliseconds: number): string => new Date(runtime.now() + milliseconds).toISOString();

it('a token is removed when its time has come, or cannot be read, and not before', async () => {
  await keep('aaaaaa', { expiration: later(HOUR_MS) });
  await keep('bbbbbb', { expiration: later(3 * HOUR_MS) });
  await keep('cccccc', {});
  await keep('dddddd', { expiration: later(-HOUR_MS) });
  await keep('eeeeee', { expiration: 'tomorrow' });
  await eventually(async () => ((await has('dddddd')) || (await has('eeeeee')) ? undefined : true));
  expect(await has('aaaaaa')).toBe(true);
  runtime.advance(2 * HOUR_MS);
  await eventually(async () => ((await has('aaaaaa')) ? undefined : true));
  expect([await has('bbbbbb'), await has('cccccc')]).toEqual([true, true]);
});

/** What a machine does that knows the token and nothing else. */
function isGenuine(content: string, signature: string, token: string): boolean {
  const [header = '', payload, mac] = signature.split('.');
  expect(payload).toBe('');
  expect(JSON.parse(Buffer.from(header, 'base64url').toString()).alg).toBe('HS256');
  const signed = `${header}.${Buffer.from(content).toString('base64url')}`;
  return createHmac('sha256', token).update(signed).digest('base64url') === mac;
}

it('what the public may know is signed with every token that may, as long as it may', async () => {
  const read = async (): Promise<Record<string, string>> =>
    (await plane.admin.request('GET', `${INFO}/cluster-info`)).body.data ?? {};
  const keys = async (): Promise<string[]> => Object.keys(await read()).sort();
  const settled = (expected: readonly string[]): Promise<Record<string, string>> =>
    eventually(async () => (String(await keys()) === String(expected) ? read() : undefined));

  await keep('aaaaaa', { 'usage-bootstrap-signing': 'true', expiration: later(HOUR_MS) });
  await keep('bbbbbb', { 'usage-bootstrap-signing': 'true' });
  await keep('cccccc', { 'usage-bootstrap-signing': 'no' });
  const created: Answer = await plane.admin.request('POST', INFO, {
    metadata: { name: 'cluster-info' },
    data: { kubeconfig: 'the truth', 'jws-kubeconfig-zzzzzz': 'stale', other: 'kept' },
  });
  expect(created.status).toBe(201);
  const data = await settled(['jws-kubeconfig-aaaaaa', 'jws-kubeconfig-bbbbbb', 'kubeconfig', 'other']);
  expect(isGenuine('the truth', data['jws-kubeconfig-aaaaaa'] ?? '', 'aaaaaa.0123456789abcdef')).toBe(true);
  expect(isGenuine('the truth', data['jws-kubeconfig-bbbbbb'] ?? '', 'aaaaaa.0123456789abcdef')).toBe(false);

  await plane.admin.request('PATCH', `${INFO}/cluster-info`, { data: { kubeconfig: 'another' } });
  await eventually(async () =>
    isGenuine('another', (await read())['jws-kubeconfig-bbbbbb'] ?? '', 'bbbbbb.0123456789abcdef') ? true : undefined,
  );
  runtime.advance(2 * HOUR_MS);
  await settled(['jws-kubeconfig-bbbbbb', 'kubeconfig', 'other']);
  await plane.admin.request('PATCH', `${INFO}/cluster-info`, { data: { kubeconfig: null } });
  await settled(['other']);
});
