import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Histogram } from '../src/observe/metrics/distributions.ts';
import type { MetricSpec } from '../src/observe/metrics/metric-spec.ts';
import { METRICS } from '../src/observe/metrics/metrics.ts';
import { vocabularies } from '../src/vocabulary/vocabulary.ts';
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

describe('metrics of how requests are dealt with', () => {
  it('say how long each stage took of a request', async () => {
    const before = await readingOf('apiserver_request_filter_duration_seconds_count{filter="authorization"}');
    await plane.admin.request('GET', PATH);
    for (const filter of ['authentication', 'authorization', 'priorityandfairness']) {
      const count = await readingOf(`apiserver_request_filter_duration_seconds_count{filter="${filter}"}`);
      expect(count, filter).toBeGreaterThan(before);
    }
  });

  it('count a request that took too long, and what came of it afterwards', async () => {
    const late = 'apiserver_request_post_timeout_total{source="rest-handler"';
    const labels = 'verb="GET",group="",version="v1",resource="configmaps",subresource="",scope="resource"';
    const ended = `apiserver_request_terminations_total{${labels},component="apiserver",code="504"}`;
    // The version is in the future: it is waited for.
    const target = `${PATH}/nothing?resourceVersion=999999999&timeout=50ms`;
    expect((await plane.admin.request('GET', target)).status).toBe(504);
    expect(await readingOf(ended)).toBe(1);
    await expect.poll(async () => (await linesOf(late)).filter((line) => line.endsWith(' 1'))).toHaveLength(1);
  });

  it('tell writes by what they want of fields that nobody knows', async () => {
    const start = 'field_validation_request_duration_seconds_count{field_validation=';
    const counts = async () =>
      Promise.all(['Ignore', 'Warn', 'Strict', 'invalid'].map((one) => readingOf(`${start}"${one}",enabled="true"}`)));
    const before = await counts();
    for (const query of ['?fieldValidation=Strict', '?fieldValidation=Odd', '']) {
      await plane.admin.request('POST', `${PATH}${query}`, { metadata: { generateName: 'validated-' } });
    }
    const [ignored, warned, strict, invalid] = (await counts()).map((count, at) => count - (before[at] ?? 0));
    // Loops of the server write too.
    expect([ignored, strict, invalid]).toEqual([0, 1, 1]);
    expect(warned).toBeGreaterThanOrEqual(1);
  });

  it('tell apart few users, whoever comes', async () => {
    const lines = (await linesOf('authenticated_user_requests{')).map((line) => line.split('"')[1]);
    expect(lines).toEqual(['admin', 'client', 'email_id', 'other']);
  });

  it('count the requests of control loops', async () => {
    expect((await linesOf('apiserver_selfrequest_total{verb=')).length).toBeGreaterThan(0);
  });

  it('know how long the certificates of clients are still good', async () => {
    const before = await readingOf('apiserver_client_certificate_expiration_seconds_count');
    await plane.admin.request('GET', '/version');
    expect(await readingOf('apiserver_client_certificate_expiration_seconds_count')).toBeGreaterThan(before);
    expect(await readingOf('apiserver_client_certificate_expiration_seconds_bucket{le="0"}')).toBe(0);
  });

  it('count time, not requests, where they say how much of a priority level is in use', async () => {
    const count =
      'apiserver_flowcontrol_priority_level_seat_utilization_count{phase="executing",priority_level="exempt"}';
    const before = await readingOf(count);
    await expect.poll(() => readingOf(count)).toBeGreaterThan(before);
    expect(await linesOf('apiserver_current_inqueue_requests{')).toEqual([
      'apiserver_current_inqueue_requests{request_kind="readOnly"} 0',
      'apiserver_current_inqueue_requests{request_kind="mutating"} 0',
    ]);
  });
});

describe('metrics of what is stored', () => {
  it('count lists, the objects that were looked at for them, and those that they gave', async () => {
    const counts = async () =>
      Promise.all(
        ['', '_fetched_objects', '_evaluated_objects', '_returned_objects'].map((what) =>
          readingOf(`apiserver_storage_list${what}_total{resource="configmaps"}`),
        ),
      );
    for (const name of ['one', 'two', 'three']) {
      await plane.admin.request('POST', PATH, { metadata: { name, labels: { listed: name } } });
    }
    await plane.admin.request('GET', PATH);
    const before = await counts();
    const { items } = (await plane.admin.request('GET', PATH)).body as unknown as { items: unknown[] };
    await plane.admin.request('GET', `${PATH}?labelSelector=listed%3Dtwo`);
    const all = items.length;
    expect((await counts()).map((count, at) => count - (before[at] ?? 0))).toEqual([2, 2 * all, 2 * all, all + 1]);
  });

  it('time every write until it is durable', async () => {
    const countOf = (operation: string) =>
      readingOf(`etcd_request_duration_seconds_count{operation="${operation}",type="configmaps"}`);
    const target = `${PATH}/durable`;
    await plane.admin.request('POST', PATH, { metadata: { name: 'durable' } });
    const before = await Promise.all([countOf('create'), countOf('update'), countOf('delete')]);
    await plane.admin.request('PATCH', target, { data: { a: 'b' } });
    await plane.admin.request('DELETE', target);
    await plane.admin.request('POST', PATH, { metadata: { name: 'durable' } });
    const after = await Promise.all([countOf('create'), countOf('update'), countOf('delete')]);
    expect(after.map((count, at) => count - (before[at] ?? 0))).toEqual([1, 1, 1]);
  });

  it('count every change that watchers could be told of', async () => {
    const name = 'apiserver_watch_cache_events_dispatched_total{resource="configmaps"}';
    const before = await readingOf(name);
    await plane.admin.request('POST', PATH, { metadata: { name: 'dispatched' } });
    expect(await readingOf(name)).toBe(before + 1);
    expect(await readingOf('apiserver_watch_cache_initializations_total{resource="configmaps"}')).toBe(1);
  });

  it('count the addresses of services', async () => {
    const read = (what: string) => readingOf(`kube_apiserver_clusterip_allocator_${what}`);
    const range = '{cidr="10.0.0.0/24"';
    const [held, given] = [
      await read(`allocated_ips${range}}`),
      await read(`allocation_total${range},scope="dynamic"}`),
    ];
    const service = { metadata: { name: 'counted' }, spec: { ports: [{ port: 80 }] } };
    await plane.admin.request('POST', '/api/v1/namespaces/default/services', service);
    expect(await read(`allocated_ips${range}}`)).toBe(held + 1);
    expect(await read(`allocation_total${range},scope="dynamic"}`)).toBe(given + 1);
  });

  it('count what pods are held to', async () => {
    const pods = '/api/v1/namespaces/default/pods';
    const pod = { metadata: { name: 'held' }, spec: { containers: [{ name: 'a', image: 'b' }] } };
    expect((await plane.admin.request('POST', pods, pod)).status).toBe(201);
    const labels = 'decision="allow",policy_level="privileged",policy_version="latest",mode="enforce"';
    const target = 'request_operation="create",resource="pod",subresource=""';
    expect(await readingOf(`pod_security_evaluations_total{${labels},${target}}`)).toBe(1);
  });
});

const file = new URL('../../shared/reference/operations.json', import.meta.url);

interface Known {
  readonly type: string;
  readonly labels: readonly string[];
  readonly buckets?: readonly string[];
  readonly stability: 'alpha' | 'stable' | 'none';
}

const STABILITIES = { alpha: 'ALPHA', stable: 'STABLE', none: 'UNSTATED' } as const;

describe.skipIf(!existsSync(file))('a metric that the original has too', () => {
  const known: Record<string, Known> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).metrics : {};
  const names = vocabularies.kubernetes.metrics;
  const all: [string, MetricSpec][] = Object.entries(METRICS);
  const shared = all
    .map(([key, spec]): [string, MetricSpec] => [spec.named ? names[spec.named] : key, spec])
    .filter(([name]) => known[name] !== undefined);

  it.each(shared)(
    '%s has the same type, labels, stability and bounds',
    (name, { type, labels, stability, buckets }) => {
      const original = known[name] ?? expect.unreachable();
      expect(type).toBe(original.type);
      expect([...labels].sort()).toEqual([...original.labels].sort());
      expect(stability).toBe(STABILITIES[original.stability]);
      const readings = new Histogram(buckets ?? []).readings({});
      const bounds = readings.flatMap(({ place }) => (place ? [place[1]] : []));
      if (original.buckets) expect(bounds).toEqual(original.buckets);
    },
  );

  it('is in docs/metrics.md, and so is why others are not there', () => {
    const rows = [...METRICS_PAGE.matchAll(/^\| `(\w+)` \| (yes|no) \|(.*)\|$/gm)];
    const listed = new Map(rows.map(([, name = '', isThere, why]) => [name, { isThere: isThere === 'yes', why }]));
    expect([...listed.keys()].sort()).toEqual(Object.keys(known).sort());
    const there = new Set(shared.map(([name]) => name));
    for (const [name, { isThere, why }] of listed) {
      expect(isThere, name).toBe(there.has(name));
      if (!isThere) expect(why?.length, name).toBeGreaterThan(20);
    }
  });
});

const METRICS_PAGE = readFileSync(new URL('../docs/metrics.md', import.meta.url), 'utf8');

describe('docs/metrics.md', () => {
  it('has every metric that later releases add or give up', () => {
    const all: [string, MetricSpec][] = Object.entries(METRICS);
    const names = vocabularies.platform.metrics;
    const changing = all
      .filter(([, { addedIn, deprecatedIn }]) => addedIn ?? deprecatedIn)
      .map(([key, { named, addedIn = '', deprecatedIn = '' }]) => [named ? names[named] : key, addedIn, deprecatedIn]);
    const rows = [...METRICS_PAGE.matchAll(/^\| `(\w+)` \| ([\d.]*) \| ([\d.]*) \|$/gm)];
    expect(changing.length).toBeGreaterThan(3);
    expect(rows.map(([, name, added, deprecated]) => [name, added, deprecated])).toEqual(changing);
  });
});
