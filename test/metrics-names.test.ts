import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { METRICS } from '../src/observe/metrics/metrics.ts';
import { asNobody, http1Client, withToken } from './support/client.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** The metrics that dashboards of the field are made of, from a server that has something to count. */

const PATH = '/api/v1/namespaces/default/configmaps';
let plane: TestServer;

beforeAll(async () => {
  plane = await startTestServer({ vocabulary: 'kubernetes' });
});

afterAll(() => plane.close());

/** The lines of a metric, suffixes included. */
async function linesOf(name: string): Promise<string[]> {
  const { text } = await plane.admin.request('GET', '/metrics');
  return text.split('\n').filter((line) => line.startsWith(name));
}

async function readingOf(start: string): Promise<number> {
  const lines = await linesOf(start);
  expect(lines, start).toHaveLength(1);
  return Number(lines[0]?.split(' ').at(-1));
}

describe('metrics', () => {
  it('say what was built', async () => {
    const [line] = await linesOf('kubernetes_build_info{');
    expect(line).toMatch(/major="1",minor="25",git_version="v1\.25\.\d+\+platform",.*compiler="v8".* 1$/);
  });

  it('count who could be told apart and who could not', async () => {
    const bad = http1Client(withToken(plane.connection, 'nonsense'));
    const nobody = http1Client(asNobody(plane.connection));
    const before = await readingOf('authentication_attempts{result="error"}');
    expect((await bad.request('GET', '/version')).status).toBe(401);
    expect((await nobody.request('GET', '/version')).status).toBe(200);
    bad.close();
    nobody.close();
    expect(await readingOf('authentication_attempts{result="error"}')).toBe(before + 1);
    const successes = await readingOf('authentication_attempts{result="success"}');
    expect(await readingOf('authentication_duration_seconds_count{result="success"}')).toBe(successes + 1);
  });

  it('count every event that a watcher is sent, selected or not, and its size', async () => {
    const labels = '{group="",version="v1",kind="ConfigMap"}';
    const all = await plane.watch(`${PATH}?watch=1&resourceVersion=0`);
    const some = await plane.watch(`${PATH}?watch=1&resourceVersion=0&labelSelector=own`);
    await all.next();
    const countOf = (suffix: string) => readingOf(`apiserver_watch_events_${suffix}${labels}`);
    const [events, bytes] = [await countOf('total'), await countOf('sizes_sum')];
    const text = 'x'.repeat(10_000);
    await plane.admin.request('POST', PATH, { metadata: { name: 'a', labels: { own: 'yes' } }, data: { text } });
    await plane.admin.request('POST', PATH, { metadata: { name: 'b' } });
    await all.take(2);
    await some.next();
    expect(await countOf('total')).toBe(events + 3);
    expect(await countOf('sizes_count')).toBe(events + 3);
    expect((await countOf('sizes_sum')) - bytes).toBeGreaterThan(20_000);
    all.close();
    some.close();
  });

  it('count the work of control loops', async () => {
    const added = await readingOf('workqueue_adds_total{name="namespace"}');
    await plane.admin.request('POST', '/api/v1/namespaces', { metadata: { name: 'gone' } });
    await plane.admin.request('DELETE', '/api/v1/namespaces/gone');
    await expect.poll(() => readingOf('workqueue_adds_total{name="namespace"}')).toBeGreaterThan(added);
    await expect.poll(() => readingOf('workqueue_depth{name="namespace"}')).toBe(0);
    await expect.poll(() => readingOf('workqueue_work_duration_seconds_count{name="namespace"}')).toBeGreaterThan(0);
    expect(await linesOf('workqueue_unfinished_work_seconds{name="namespace"}')).toHaveLength(1);
  });

  it('know the sizes of answers to reads', async () => {
    await plane.admin.request('GET', '/api/v1/namespaces/default');
    const labels = 'verb="GET",group="",version="v1",resource="namespaces",subresource="",scope="resource"';
    expect(await readingOf(`apiserver_response_sizes_count{${labels},component="apiserver"}`)).toBeGreaterThan(0);
    expect(await linesOf('apiserver_response_sizes_count{verb="POST"')).toEqual([]);
  });
});

const file = new URL('../../shared/reference/operations.json', import.meta.url);

interface Known {
  readonly type: string;
  readonly labels: readonly string[];
  readonly buckets?: readonly string[];
}

describe.skipIf(!existsSync(file))('a metric that the original has too', () => {
  const known: Record<string, Known> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).metrics : {};
  const shared = Object.entries(METRICS).filter(([name]) => known[name] !== undefined);

  it.each(shared)('%s is of the same type and has the same labels', (name, { type, labels }) => {
    expect(type).toBe(known[name]?.type);
    expect([...labels].sort()).toEqual([...(known[name]?.labels ?? [])].sort());
  });
});
