import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cacheGrowth } from './support/cache-growth.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** Who writes what, as the server tells it. */

interface Counts {
  readonly writes: number;
  readonly overcounted: number;
  readonly noOps: number;
}

interface Activity {
  readonly since: string;
  readonly writes: number;
  readonly noOps: number;
  readonly writers: ({ user: string; manager: string; resource: string } & Counts)[];
  readonly objects: ({ resource: string; name: string; alternations: number } & Counts)[];
  readonly fights: { name: string; path: string; managers: string[]; changes: number }[];
}

/** Of one server: two sketches, of this period and the one before, of so many counters each. */
const MOST_COUNTERS = 2 * 2 * 128;

const APPLY = { 'content-type': 'application/apply-patch+yaml' };

describe.each(['platform', 'kubernetes'] as const)('the writes of a plane that speaks %s', (vocabulary) => {
  const ROOT = `/apis/explain.${vocabulary === 'platform' ? 'platform.io' : 'k8s.io'}/v1alpha1/writeactivities`;
  const MAPS = '/api/v1/namespaces/default/configmaps';
  let plane: TestServer;
  let counters: ReturnType<typeof cacheGrowth>;
  beforeAll(async () => {
    counters = cacheGrowth('write activity');
    plane = await startTestServer({ vocabulary });
  });
  afterAll(() => plane.close());

  const activity = async (): Promise<Activity> => {
    const { status, text } = await plane.admin.request('GET', `${ROOT}/recent`);
    expect(status, text).toBe(200);
    return JSON.parse(text).status;
  };

  const put = async (name: string, data: Record<string, string>, manager: string): Promise<void> => {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
    const path = `${MAPS}/${name}?fieldManager=${manager}&force=true`;
    expect((await plane.admin.request('PATCH', path, JSON.stringify(body), APPLY)).status).toBeLessThan(300);
  };

  it('are counted by writer and by object, with those that change nothing', async () => {
    for (let at = 0; at < 7; at++) await put('busy', { at: `${at}` }, 'counter');
    for (let at = 0; at < 5; at++) await put('busy', { at: '6' }, 'counter');
    await plane.admin.request('PATCH', `${MAPS}/busy?dryRun=All&fieldManager=trier`, { data: { b: 'c' } });
    const { writers, objects, noOps, writes } = await activity();
    const writer = writers.find(({ manager }) => manager === 'counter');
    const busy = objects.find(({ name }) => name === 'busy');
    expect(writer).toMatchObject({ resource: 'configmaps', noOps: 5 });
    expect(busy).toMatchObject({ noOps: 5, alternations: 0 });
    // That it was made is no write to what is there already.
    expect([writer?.writes, busy?.writes]).toEqual([12, 11]);
    expect(writers.map(({ manager }) => manager)).not.toContain('trier');
    expect(noOps).toBeGreaterThanOrEqual(5);
    expect(writes).toBeGreaterThanOrEqual(12);
  });

  it('of managers that set a field in turn are told as a fight over that field, and over no other', async () => {
    for (let at = 0; at < 6; at++) {
      await put(
        'contested',
        { replicas: at % 2 === 0 ? '3' : '5', shared: 'same' },
        at % 2 === 0 ? 'scaler' : 'deployer',
      );
    }
    const { fights } = await activity();
    expect(fights).toMatchObject([
      { name: 'contested', path: '.data.replicas', managers: ['deployer', 'scaler'], changes: 4 },
    ]);
  });

  it('of managers that set fields of their own are no fight', async () => {
    for (let at = 0; at < 6; at++) await put('peaceful', { [`own-${at % 2}`]: `${at}` }, `peaceful-${at % 2}`);
    const { fights, objects } = await activity();
    expect(objects.find(({ name }) => name === 'peaceful')?.alternations).toBe(4);
    expect(fights.map(({ name }) => name)).not.toContain('peaceful');
  });

  it('are bounded, however many write however much', async () => {
    const flood = (method: string) =>
      Array.from({ length: 300 }, (_, at) =>
        plane.server.inject({
          method,
          target: `${MAPS}${method === 'PUT' ? `/n-${at}` : ''}?fieldManager=${'m'.repeat(100)}${at}`,
          body: JSON.stringify({ metadata: { name: `n-${at}`, labels: { method } } }),
          as: { user: `${'u'.repeat(4000)}-${at}`, groups: ['system:masters'] },
        }),
      );
    for (const [method, code] of [
      ['POST', 201],
      ['PUT', 200],
    ] as const) {
      const answers = await Promise.all(flood(method));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([code]));
    }
    const { writers, objects } = await activity();
    expect([writers.length, objects.length]).toEqual([20, 20]);
    expect(counters().entries).toBeLessThanOrEqual(MOST_COUNTERS);
  });

  it('are told to nobody who may not ask', async () => {
    const weak = { 'impersonate-user': 'alice' };
    expect((await plane.admin.request('GET', ROOT, undefined, weak)).status).toBe(403);
    expect((await plane.admin.request('GET', `${ROOT}/recent`, undefined, weak)).status).toBe(403);
    expect((await plane.admin.request('GET', `${ROOT}/other`)).status).toBe(404);
  });
});
