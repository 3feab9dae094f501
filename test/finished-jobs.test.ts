import { afterAll, beforeAll, expect, it } from 'vitest';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const JOBS = '/apis/batch/v1/namespaces/default/jobs';
const runtime = new ShiftableRuntime();
let plane: TestServer;

beforeAll(async () => {
  plane = await startTestServer({ runtime });
});
afterAll(() => plane.close());

async function make(name: string, ttlSecondsAfterFinished?: number): Promise<void> {
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'i' }] } };
  const spec = { template, ...(ttlSecondsAfterFinished === undefined ? {} : { ttlSecondsAfterFinished }) };
  const { status, text } = await plane.admin.request('POST', JOBS, { metadata: { name }, spec });
  expect(status, text).toBe(201);
}

async function end(name: string, type = 'Complete'): Promise<void> {
  const now = new Date(runtime.now()).toISOString().replace(/\.\d+/, '');
  const conditions = [{ type, status: 'True', lastTransitionTime: now }];
  const times = { startTime: now, ...(type === 'Complete' ? { completionTime: now } : {}) };
  const { status, text } = await plane.admin.request('PATCH', `${JOBS}/${name}/status`, {
    status: { conditions, ...times },
  });
  expect(status, text).toBe(200);
}

/** There is nobody who deletes what a job leaves behind: foreground deletion waits for that. */
async function isGoing(name: string): Promise<boolean> {
  const { status, body } = await plane.admin.request('GET', `${JOBS}/${name}`);
  return status === 404 || 'deletionTimestamp' in body.metadata;
}

const going = (name: string): Promise<void> => expect.poll(() => isGoing(name)).toBe(true);

it('a job goes so long after its end as it says, however it ended, and not before', async () => {
  await make('soon', 60);
  await make('failed', 60);
  await make('late', 7200);
  await make('never');
  await make('running', 0);
  for (const name of ['soon', 'late', 'never']) await end(name);
  await end('failed', 'Failed');
  runtime.advance(50_000);
  expect(await isGoing('soon')).toBe(false);
  runtime.advance(15_000);
  await going('soon');
  await going('failed');
  expect(await Promise.all(['late', 'never', 'running'].map(isGoing))).toEqual([false, false, false]);
  await end('running');
  await going('running');
  runtime.advance(7_200_000);
  await going('late');
  expect(await isGoing('never')).toBe(false);
});

it('a job that is told to stay longer stays', async () => {
  await make('kept', 60);
  await end('kept');
  const { status } = await plane.admin.request('PATCH', `${JOBS}/kept`, { spec: { ttlSecondsAfterFinished: 600 } });
  expect(status).toBe(200);
  await make('probe', 61);
  await end('probe');
  runtime.advance(100_000);
  await going('probe');
  expect(await isGoing('kept')).toBe(false);
  runtime.advance(600_000);
  await going('kept');
});
