import { beforeEach, describe, expect, it } from 'vitest';
import { BoundedCache } from '../../bounds/bounded-cache.ts';
import { versionInfo } from '../../discovery/version.ts';
import { contextFor } from '../../handlers/test-context.ts';
import { type BodyStream, isStream, type Reply } from '../../http/message.ts';
import { ConfigMap } from '../../kinds/core/config/config-map.ts';
import { Catalogue } from '../../registry/catalogue.ts';
import { Kind, kindsOf } from '../../registry/kind.ts';
import { type ApiObject, type ResourceType, resourceType, statusSubresource } from '../../registry/resource-type.ts';
import { MemoryBackend } from '../../storage/backends/memory/memory-backend.ts';
import { VersionLog } from '../../storage/log/version-log.ts';
import { ManualRuntime } from '../../storage/manual-runtime.ts';
import { vocabularies } from '../../vocabulary/vocabulary.ts';
import { metricsHandler, ServerMetrics } from './server-metrics.ts';

const typeOf = (group: string, version: string, plural: string, rest: Partial<ResourceType> = {}): ResourceType =>
  resourceType<ApiObject>({
    ...{ group, version, plural, kind: 'Thing', namespaced: true, nameRule: () => undefined, schema: ConfigMap },
    subresources: { status: statusSubresource({}) },
    ...rest,
  });

const replyOf = (status: number): Reply => ({ status, headers: [], body: Buffer.alloc(0) });

/** Bytes of history that the log may hold. */
const HISTORY_MEMORY = 2_000;

let runtime: ManualRuntime;
let log: VersionLog;
let metrics: ServerMetrics;

beforeEach(async () => {
  runtime = new ManualRuntime();
  log = await VersionLog.open(new MemoryBackend({ runtime }), { runtime, historyMemory: HISTORY_MEMORY });
  const catalogue = new Catalogue();
  const deployments = typeOf('apps', 'v1', 'deployments');
  catalogue.add(
    ...kindsOf([typeOf('', 'v1', 'pods'), typeOf('', 'v1', 'bindings', { verbs: ['create'] })]),
    new Kind({ storage: deployments, versions: [deployments, typeOf('apps', 'v2', 'deployments')] }),
  );
  metrics = new ServerMetrics({ catalogue, runtime, vocabulary: vocabularies.platform, build: versionInfo });
  metrics.watchStorage(log);
});

function request(method: string, target: string, status = 200, headers: Record<string, string> = {}): void {
  const context = contextFor(method, target, headers);
  metrics.began(context);
  metrics.ended(context, replyOf(status));
}

/** The value of every line of a metric, by its labels that are not empty. */
async function readingsOf(name: string): Promise<Record<string, number>> {
  const { parts } = await metrics.expose();
  const lines = String(Buffer.concat(parts))
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return Object.fromEntries(
    lines.map((line) => {
      const [, labels = '', value] = /^\w+(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      const said = labels.replaceAll(/,?\w+=""/g, '').replaceAll(/,?component="apiserver"/g, '');
      return [said.replace(/^,/, ''), Number(value)];
    }),
  );
}

describe('requests', () => {
  it.each([
    ['GET', '/api/v1/pods', 'verb="LIST",version="v1",resource="pods",scope="cluster",code="200"'],
    ['GET', '/api/v1/namespaces/a/pods/b', 'verb="GET",version="v1",resource="pods",scope="resource",code="200"'],
    [
      'DELETE',
      '/apis/apps/v1/namespaces/a/deployments',
      'verb="DELETECOLLECTION",group="apps",version="v1",resource="deployments",scope="namespace",code="200"',
    ],
    [
      'POST',
      '/api/v1/namespaces/a/pods?dryRun=All',
      'verb="POST",dry_run="All",version="v1",resource="pods",scope="resource",code="200"',
    ],
    [
      'PUT',
      '/api/v1/namespaces/a/pods/b/status?dryRun=some',
      'verb="PUT",dry_run="invalid",version="v1",resource="pods",subresource="status",scope="resource",code="200"',
    ],
    ['PATCH', '/api/v1/namespaces/a/pods/b', 'verb="PATCH",version="v1",resource="pods",scope="resource",code="200"'],
    ['GET', '/readyz/ping?verbose', 'verb="GET",subresource="/readyz",code="200"'],
    ['POST', '/version', 'verb="POST",subresource="/version",code="200"'],
  ])('%s %s counts as %s', async (method, target, labels) => {
    request(method, target);
    request(method, target);
    expect(await readingsOf('apiserver_request_total')).toEqual({ [labels]: 2 });
  });

  it('that apply count apart from other patches', async () => {
    request('PATCH', '/api/v1/namespaces/a/pods/b', 201, { 'content-type': 'application/apply-patch+yaml' });
    expect(Object.keys(await readingsOf('apiserver_request_total'))).toEqual([
      'verb="APPLY",version="v1",resource="pods",scope="resource",code="201"',
    ]);
  });

  it('for what the server does not have cannot make up labels', async () => {
    for (let i = 0; i < 100; i++) {
      request('GET', `/apis/group${i}/v${i}/things${i}/name`, 404);
      request('GET', `/api/v1/namespaces/a/pods/b/sub${i}`, 404);
      request(`METHOD${i}`, `/path${i}`, 404);
      request('POST', `/api/v1/namespaces/a/pods?dryRun=${i}`, 400);
    }
    expect(await readingsOf('apiserver_request_total')).toEqual({
      'verb="GET",scope="resource",code="404"': 100,
      'verb="GET",version="v1",resource="pods",scope="resource",code="404"': 100,
      'verb="OTHER",code="404"': 100,
      'verb="POST",dry_run="invalid",version="v1",resource="pods",scope="resource",code="400"': 100,
    });
  });

  it('take as long as from their arrival to their answer', async () => {
    runtime.monotonic = () => 30;
    request('GET', '/api/v1/pods');
    const buckets = await readingsOf('apiserver_request_duration_seconds_bucket');
    const bounds = Object.entries(buckets).filter(([, count]) => count === 0);
    expect(bounds.map(([labels]) => /le="([^"]*)"/.exec(labels)?.[1])).toEqual(['0.005', '0.025']);
    expect(Object.values(await readingsOf('apiserver_request_duration_seconds_sum'))).toEqual([0.03]);
  });

  it('are in flight until they are answered, watches aside', async () => {
    const [list, create, watch] = [
      contextFor('GET', '/api/v1/pods'),
      contextFor('POST', '/api/v1/namespaces/a/pods'),
      contextFor('GET', '/api/v1/pods?watch=1'),
    ];
    for (const context of [list, create, watch]) metrics.began(context);
    const inFlight = () => readingsOf('apiserver_current_inflight_requests');
    expect(await inFlight()).toEqual({ 'request_kind="readOnly"': 1, 'request_kind="mutating"': 1 });
    metrics.ended(list, replyOf(200));
    metrics.ended(watch, replyOf(410));
    expect(await inFlight()).toEqual({ 'request_kind="readOnly"': 0, 'request_kind="mutating"': 1 });
  });
});

describe('a watch', () => {
  const labels = 'verb="WATCH",version="v1",resource="pods",scope="cluster"';
  const sink = { write: () => true, buffered: 0, end: () => {}, abort: () => {} };
  let calls: string[];
  let stream: BodyStream;

  beforeEach(() => {
    calls = [];
    const note = (name: string) => () => void calls.push(name);
    const body: BodyStream = {
      ...{ start: note('start'), onDrain: note('drain') },
      ...{ onClose: note('close'), onShutdown: note('shutdown') },
    };
    const context = contextFor('GET', '/api/v1/pods?watch=true');
    metrics.began(context);
    const reply = metrics.ended(context, { status: 200, headers: [], body });
    if (!isStream(reply.body)) throw new Error('a stream stays a stream');
    stream = reply.body;
  });

  it('is open from its start to its end, and has taken that long', async () => {
    expect(await readingsOf('apiserver_longrunning_requests')).toEqual({});
    stream.start(sink);
    expect(await readingsOf('apiserver_longrunning_requests')).toEqual({ [labels]: 1 });
    expect(await readingsOf('apiserver_request_duration_seconds_count')).toEqual({ [labels]: 0 });
    stream.onDrain();
    stream.onShutdown();
    stream.onClose();
    expect(await readingsOf('apiserver_longrunning_requests')).toEqual({ [labels]: 0 });
    expect(await readingsOf('apiserver_request_duration_seconds_count')).toEqual({ [labels]: 1 });
    expect(calls).toEqual(['start', 'drain', 'shutdown', 'close']);
  });

  it('whose client left before it started was never open', async () => {
    stream.onClose();
    expect(await readingsOf('apiserver_longrunning_requests')).toEqual({});
    expect(calls).toEqual(['close']);
  });
});

describe('storage', () => {
  it('is counted by resource, once for all versions of a kind', async () => {
    const value = { head: '{"revision":', tail: '}' };
    for (const name of ['a', 'b']) {
      await log.commit({ key: `/pods/default/${name}`, expected: 0, value });
    }
    expect(await readingsOf('apiserver_storage_objects')).toEqual({
      'resource="pods"': 2,
      'resource="deployments.apps"': 0,
    });
    expect(await readingsOf('apiserver_version_log_versions')).toEqual({ '': 2 });
  });

  it('tells when the cap on history was reached', async () => {
    const replace = async (bytes: number): Promise<void> => {
      const value = { head: '{"revision":', tail: `,"filler":"${'x'.repeat(bytes)}"}` };
      await log.commit({ key: '/pods/default/a', expected: log.get('/pods/default/a')?.revision ?? 0, value });
    };
    await replace(1);
    await replace(1);
    runtime.advance(400_000);
    expect(await readingsOf('apiserver_version_log_compactions_total')).toEqual({ '': 1 });
    expect(await readingsOf('apiserver_version_log_cap_reached_total')).toEqual({ '': 0 });
    await replace(HISTORY_MEMORY);
    await replace(1);
    expect(await readingsOf('apiserver_version_log_compactions_total')).toEqual({ '': 2 });
    expect(await readingsOf('apiserver_version_log_cap_reached_total')).toEqual({ '': 1 });
  });
});

describe('the time of a request', () => {
  it('is told with and without what webhooks took of it', async () => {
    const context = contextFor('POST', '/api/v1/namespaces/a/pods');
    metrics.began(context);
    runtime.monotonic = () => 500;
    context.waited(300);
    context.waited(100);
    metrics.ended(context, replyOf(201));
    const labels = 'verb="POST",version="v1",resource="pods",scope="resource"';
    const whole = await readingsOf('apiserver_request_duration_seconds_sum');
    const own = await readingsOf('apiserver_request_slo_duration_seconds_sum');
    expect(whole[labels]).toBeCloseTo(0.5);
    expect(own[labels]).toBeCloseTo(0.1);
  });
});

describe('caches', () => {
  it('are shown by name', async () => {
    const cache = new BoundedCache<string, string>({ name: 'shown', capacity: 10_000, sizeOf: () => 100 });
    cache.set('key', 'value');
    expect(await readingsOf('apiserver_cache_bytes')).toMatchObject({ 'cache="shown"': cache.bytes });
    expect(await readingsOf('apiserver_cache_entries')).toMatchObject({ 'cache="shown"': 1 });
  });
});

describe('/metrics', () => {
  it('is text that says what each metric is and how stable', async () => {
    const reply = await metricsHandler(metrics, false)(contextFor('GET', '/metrics'));
    expect(reply?.headers).toContain('text/plain; version=0.0.4; charset=utf-8');
    const text = String(reply?.body);
    expect(text).toMatch(/^# HELP apiserver_request_total \[STABLE\] \w.*\n# TYPE apiserver_request_total counter$/m);
    expect(text).toMatch(/^# TYPE apiserver_request_duration_seconds histogram$/m);
    expect(text).toMatch(/^# HELP process_cpu_seconds_total /m);
    expect(text).toMatch(/^process_resident_memory_bytes [1-9]\d+$/m);
  });

  it('can be read only, and leaves other paths to others', () => {
    const handler = metricsHandler(metrics, false);
    expect(() => handler(contextFor('POST', '/metrics'))).toThrow('does not allow this method');
    expect(handler(contextFor('GET', '/metrics/x'))).toBeUndefined();
  });
});
