import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const PODS = '/api/v1/namespaces/default/pods';
let runtime: ShiftableRuntime;
let plane: TestServer;

beforeEach(async () => {
  runtime = new ShiftableRuntime();
  plane = await startTestServer({ runtime, terminatedPodGcThreshold: 2 });
});
afterEach(() => plane.close());

async function make(name: string, spec: object = {}, metadata: object = {}): Promise<void> {
  const containers = [{ name: 'main', image: 'i' }];
  const document = { metadata: { name, ...metadata }, spec: { containers, ...spec } };
  const { status, text } = await plane.admin.request('POST', PODS, document);
  expect(status, text).toBe(201);
}

async function become(name: string, phase: string): Promise<void> {
  expect((await plane.admin.request('PATCH', `${PODS}/${name}/status`, { status: { phase } })).status).toBe(200);
}

const names = async (): Promise<string[]> =>
  (await plane.admin.request('GET', PODS)).body.items.map(({ metadata }) => metadata.name);

async function makeNode(name: string): Promise<void> {
  expect((await plane.admin.request('POST', '/api/v1/nodes', { metadata: { name } })).status).toBe(201);
}

describe('pods that nobody else would delete', () => {
  it('are the oldest of those that have ended, beyond so many', async () => {
    await makeNode('n');
    for (const name of ['old', 'older', 'running', 'new', 'newer']) {
      await make(name, { nodeName: 'n' });
      runtime.advance(1_000);
    }
    await become('running', 'Running');
    for (const name of ['newer', 'new']) await become(name, 'Succeeded');
    runtime.advance(5_000);
    await become('older', 'Failed');
    await become('old', 'Succeeded');
    runtime.advance(5_000);
    await expect.poll(names).toEqual(['new', 'newer', 'running']);
  });

  it('are those on nodes that are gone for 40 seconds', async () => {
    await makeNode('stays');
    await makeNode('goes');
    await makeNode('returns');
    for (const nodeName of ['stays', 'goes', 'returns', 'missing']) await make(`on-${nodeName}`, { nodeName });
    for (const node of ['goes', 'returns']) await plane.admin.request('DELETE', `/api/v1/nodes/${node}`);
    runtime.advance(30_000);
    await makeNode('returns');
    expect(await names()).toHaveLength(4);
    runtime.advance(15_000);
    await expect.poll(names).toEqual(['on-returns', 'on-stays']);
    runtime.advance(100_000);
    expect(await names()).toEqual(['on-returns', 'on-stays']);
  });

  it('are those that are going and were never on a node', async () => {
    await make('held', {}, { finalizers: ['example.com/hold'] });
    await make('waiting');
    await plane.admin.request('DELETE', `${PODS}/held`);
    const seconds = async () =>
      Object.entries((await plane.admin.request('GET', `${PODS}/held`)).body.metadata).find(
        ([key]) => key === 'deletionGracePeriodSeconds',
      )?.[1];
    await expect.poll(seconds).toBe(0);
    await plane.admin.request('PATCH', `${PODS}/held`, { metadata: { finalizers: null } });
    await expect.poll(names).toEqual(['waiting']);
  });
});
