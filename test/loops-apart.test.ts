import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { eventually, policyFile } from './support/audit.ts';
import { type Client, http1Client } from './support/client.ts';
import { Command, endCommands, startCommand } from './support/command.ts';
import { PATIENCE_MS } from './support/patience.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';

const SECRETS = '/api/v1/namespaces/platform-system/secrets';
const LEASE = '/apis/coordination.platform.io/v1/namespaces/platform-system/leases/kube-controller-manager';
const endings: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

interface Plane {
  readonly directory: string;
  readonly admin: Client;
}

/** A server that runs no control loops itself. */
async function startPlane(...flags: string[]): Promise<Plane> {
  const directory = await makeDirectory();
  endings.push(() => removeDirectory(directory), endCommands);
  const server = startCommand(directory, '--controllers=-*', ...flags);
  await server.ready();
  const admin = http1Client(await server.connection());
  endings.push(() => admin.close());
  return { directory, admin };
}

const startLoops = ({ directory }: Plane, ...flags: string[]): Command =>
  new Command(
    ['controllers', '--kubeconfig=.platform/admin.conf', '--controllers=*,tokencleaner', ...flags],
    directory,
  );

/** The administrator's configuration, for someone who has no rights but those that the role of controller managers gives. */
function asControllerManager({ directory }: Plane): string {
  const config = readFileSync(join(directory, '.platform', 'admin.conf'), 'utf8');
  const file = join(directory, 'controllers.conf');
  writeFileSync(file, config.replace(/^ {4}client-cert/m, '    as: system:kube-controller-manager\n$&'));
  return file;
}

/** Ten seconds is what people would wait for: a test does not. */
const TIMES = process.env.LEADERSHIP_TIMES
  ? []
  : ['--leader-elect-lease-duration=5s', '--leader-elect-renew-deadline=4s', '--leader-elect-retry-period=250ms'];

async function expire({ admin }: Plane, id: string): Promise<void> {
  const stringData = { 'token-id': id, 'token-secret': '0123456789abcdef', expiration: '2020-01-01T00:00:00Z' };
  const metadata = { name: `bootstrap-token-${id}` };
  const { status } = await admin.request('POST', SECRETS, {
    metadata,
    type: 'bootstrap.platform.io/token',
    stringData,
  });
  expect(status).toBe(201);
}

const removed = ({ admin }: Plane, id: string): Promise<void> =>
  expect
    .poll(async () => (await admin.request('GET', `${SECRETS}/bootstrap-token-${id}`)).status, { timeout: PATIENCE_MS })
    .toBe(404);

const holder = async ({ admin }: Plane): Promise<unknown> =>
  (await admin.request('GET', LEASE)).body.spec?.holderIdentity;

it('loops in a process of their own act as service accounts of theirs, and end when they are told to', async () => {
  const directory = await makeDirectory();
  endings.push(() => removeDirectory(directory));
  const rules = [{ level: 'Metadata', verbs: ['delete'] }, { level: 'None' }];
  const log = join(directory, 'audit.log');
  const plane = await startPlane(
    `--audit-policy-file=${await policyFile(directory, rules)}`,
    `--audit-log-path=${log}`,
  );
  writeFileSync(log, '');
  const loops = startLoops(plane, `--kubeconfig=${asControllerManager(plane)}`);
  await expire(plane, 'aaaaaa');
  await removed(plane, 'aaaaaa');
  const events = readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.includes('bootstrap-token-aaaaaa'));
  expect(JSON.parse(events[0] ?? '{}').user.username).toBe('system:serviceaccount:platform-system:token-cleaner');
  loops.signal('SIGTERM');
  expect(await loops.exit).toMatchObject({ code: 0, stderr: '' });
  expect((await loops.exit).stdout).toMatch(/control loops have stopped \(SIGTERM\)\n$/);
  expect(await holder(plane)).toBe('');
});

it('health and metrics are served where they are asked for', async () => {
  const plane = await startPlane();
  const loops = startLoops(plane, '--metrics-bind-address=127.0.0.1:0');
  const place = await eventually(() => /health and metrics at (\S+)/.exec(loops.stdout)?.[1]);
  expect(await (await fetch(`${place}/healthz`)).text()).toBe('ok');
  expect((await fetch(`${place}/elsewhere`)).status).toBe(404);
  await expire(plane, 'aaaaaa');
  await removed(plane, 'aaaaaa');
  const metrics = await (await fetch(`${place}/metrics`)).text();
  expect(metrics).toMatch(/^workqueue_adds_total\{name="tokencleaner"\} [1-9]/m);
  expect(metrics).toMatch(/^process_resident_memory_bytes \d+/m);
});

it('claims are kept for pods, and namespaces emptied, from another process', { timeout: 2 * PATIENCE_MS }, async () => {
  const plane = await startPlane();
  const { admin } = plane;
  const loops = startLoops(plane);
  const made = await admin.request('POST', '/api/v1/namespaces', { metadata: { name: 'work' } });
  expect(made.status).toBe(201);
  // Pods are taken when there is an account for them.
  const account = '/api/v1/namespaces/work/serviceaccounts/default';
  await expect.poll(async () => (await admin.request('GET', account)).status, { timeout: PATIENCE_MS }).toBe(200);
  const claims = '/api/v1/namespaces/work/persistentvolumeclaims';
  const pods = '/api/v1/namespaces/work/pods';
  const resources = { requests: { storage: '1Gi' } };
  await admin.request('POST', claims, { metadata: { name: 'c' }, spec: { accessModes: ['ReadWriteOnce'], resources } });
  const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }];
  const spec = { nodeName: 'n', containers: [{ name: 'main', image: 'i' }], volumes };
  expect((await admin.request('POST', pods, { metadata: { name: 'p' }, spec })).status).toBe(201);
  await admin.request('DELETE', `${claims}/c`);
  // When this pod has gone, what was deleted before it has been looked at: one worker takes keys in order.
  await admin.request('POST', claims, { metadata: { name: 'd' }, spec: { accessModes: ['ReadWriteOnce'], resources } });
  await admin.request('DELETE', `${claims}/d`);
  const statusOf = async (path: string): Promise<number> => (await admin.request('GET', path)).status;
  await expect.poll(() => statusOf(`${claims}/d`), { timeout: PATIENCE_MS }).toBe(404);
  expect(await statusOf(`${claims}/c`)).toBe(200);
  await admin.request('DELETE', `${pods}/p?gracePeriodSeconds=0`);
  await expect.poll(() => statusOf(`${claims}/c`), { timeout: PATIENCE_MS }).toBe(404);
  await admin.request('DELETE', '/api/v1/namespaces/work');
  await expect.poll(() => statusOf('/api/v1/namespaces/work'), { timeout: PATIENCE_MS }).toBe(404);
  loops.signal('SIGTERM');
  expect(await loops.exit).toMatchObject({ code: 0, stderr: '' });
});

it('loops speak the original names to a plane that does', async () => {
  const plane = await startPlane('--vocabulary=kubernetes');
  startLoops(plane, '--vocabulary=kubernetes');
  await plane.admin.request('POST', '/api/v1/namespaces', { metadata: { name: 'work' } });
  const account = '/api/v1/namespaces/work/serviceaccounts/default';
  await expect.poll(async () => (await plane.admin.request('GET', account)).status, { timeout: PATIENCE_MS }).toBe(200);
  const lease = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-controller-manager';
  expect((await plane.admin.request('GET', lease)).body.spec.holderIdentity).toBeTruthy();
});

it('of two such processes one acts, and the other when it is killed', { timeout: 3 * PATIENCE_MS }, async () => {
  const plane = await startPlane();
  const first = startLoops(plane, ...TIMES);
  await expire(plane, 'aaaaaa');
  await removed(plane, 'aaaaaa');
  const leader = await holder(plane);
  startLoops(plane, ...TIMES);
  first.signal('SIGKILL');
  await first.exit;
  const begun = performance.now();
  await expire(plane, 'bbbbbb');
  await removed(plane, 'bbbbbb');
  expect(await holder(plane)).not.toBe(leader);
  if (process.env.LEADERSHIP_TIMES) console.info(`replaced after ${Math.round(performance.now() - begun)} ms`);
});

it('loops go on when their plane was away', { timeout: 3 * PATIENCE_MS }, async () => {
  const directory = await makeDirectory();
  endings.push(() => removeDirectory(directory), endCommands);
  const server = startCommand(directory, '--controllers=-*');
  await server.ready();
  const connection = await server.connection();
  const { port } = new URL(connection.server);
  const loops = startLoops({ directory, admin: http1Client(connection) }, '--leader-elect=false');
  await expect.poll(() => loops.stdout).toMatch(/control loops at/);
  server.signal('SIGKILL');
  await server.exit;
  const again = startCommand(directory, '--controllers=-*', `--secure-port=${port}`);
  await again.ready();
  const admin = http1Client(await again.connection());
  endings.push(() => admin.close());
  await expire({ directory, admin }, 'cccccc');
  await removed({ directory, admin }, 'cccccc');
});

it.each([
  [[], /needs --kubeconfig/],
  [['--kubeconfig=none.conf'], /none\.conf: cannot be read/],
  [['--kubeconfig=x', '--controllers=unknown'], /there is no control loop "unknown"/],
  [['--kubeconfig=x', '--leader-elect-renew-deadline=20s'], /must be above/],
])('wrong flags are one clear line: %j', async (flags, message) => {
  const directory = await makeDirectory();
  endings.push(() => removeDirectory(directory));
  const { code, stderr } = await new Command(['controllers', ...flags], directory).exit;
  expect([code, stderr.trim().split('\n').length]).toEqual([1, 1]);
  expect(stderr).toMatch(message);
});
