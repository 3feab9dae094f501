import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { eventually } from './support/audit.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const SECRETS = '/api/v1/namespaces/kube-system/secrets';
const INFO = '/api/v1/namespaces/kube-public/configmaps';
const KEY = 'jws-kubeconfig-aaaaaa';
const WINDOW_MS = 600_000;

let plane: TestServer;
let runtime: ShiftableRuntime;
beforeAll(async () => {
  runtime = new ShiftableRuntime();
  plane = await startTestServer({ vocabulary: 'kubernetes', enableBootstrapTokenAuth: true, runtime });
  await keep('aaaaaa', 'short');
});
afterAll(() => plane.close());
beforeEach(async () => {
  await plane.admin.request('DELETE', `${INFO}/cluster-info`);
  const metadata = { name: 'cluster-info' };
  await plane.admin.request('POST', INFO, { metadata, data: { kubeconfig: 'the truth' } });
  await eventually(async () => (await read())[KEY]);
});

async function keep(id: string, secret: string): Promise<void> {
  const stringData = { 'token-id': id, 'token-secret': secret, 'usage-bootstrap-signing': 'true' };
  const metadata = { name: `bootstrap-token-${id}` };
  const type = 'bootstrap.kubernetes.io/token';
  const { status } = await plane.admin.request('POST', SECRETS, { metadata, type, stringData });
  expect(status).toBe(201);
}

const read = async (): Promise<Record<string, string>> =>
  (await plane.admin.request('GET', `${INFO}/cluster-info`)).body.data ?? {};

const change = (data: Record<string, string | null>) => plane.admin.request('PATCH', `${INFO}/cluster-info`, { data });

const signature = (content: string, id: string, key: string): string => {
  const encoded = (text: string): string => Buffer.from(text).toString('base64url');
  const header = encoded(JSON.stringify({ alg: 'HS256', kid: id }));
  const mac = createHmac('sha256', key).update(`${header}.${encoded(content)}`);
  return `${header}..${mac.digest('base64url')}`;
};

it('with the original names the secret alone is the key, however short it is', async () => {
  expect((await read())[KEY]).toBe(signature('the truth', 'aaaaaa', 'short'));
});

it('what another signer writes over a signature stays until there is something else to sign', async () => {
  const theirs = signature('the truth', 'aaaaaa', 'aaaaaa.short');
  for (const id of ['bbbbbb', 'cccccc', 'dddddd']) {
    await change({ [KEY]: theirs });
    // Once the next token has signed, ours has seen what they wrote.
    await keep(id, 'secret');
    await eventually(async () => (await read())[`jws-kubeconfig-${id}`]);
    expect((await read())[KEY]).toBe(theirs);
  }
  await change({ kubeconfig: 'another' });
  const ours = signature('another', 'aaaaaa', 'short');
  await eventually(async () => (await read())[KEY] === ours || undefined);
});

it('what is no signature does not stay', async () => {
  await change({ [KEY]: 'a..b' });
  const ours = signature('the truth', 'aaaaaa', 'short');
  await eventually(async () => (await read())[KEY] === ours || undefined);
});

it('a signature that is taken away again and again comes back only now and then', async () => {
  runtime.advance(WINDOW_MS);
  let returns = 0;
  for (let round = 0; round < 20; round++) {
    await change({ [KEY]: null });
    for (let look = 0; look < 3; look++) {
      if (!(await read())[KEY]) continue;
      returns++;
      break;
    }
  }
  expect(returns).toBeGreaterThan(0);
  expect(returns).toBeLessThanOrEqual(5);
  await change({ [KEY]: null });
  runtime.advance(WINDOW_MS);
  await eventually(async () => (await read())[KEY]);
});
