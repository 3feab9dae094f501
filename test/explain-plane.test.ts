import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cacheGrowth } from './support/cache-growth.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** What the server tells of the last hour, held against what was really sent. */

interface Series {
  readonly topic: string;
  readonly figure: string;
  readonly labels?: Record<string, string>;
  readonly values: number[];
}

interface Figures {
  readonly times: number[];
  readonly series: Series[];
  readonly certificates: { readonly use: string; readonly subject: string; readonly notAfter: string }[];
}

const STEP_MS = 10_000;

describe.each(['platform', 'kubernetes'] as const)('figures of a plane that speaks %s', (vocabulary) => {
  const runtime = new ShiftableRuntime();
  const ROOT = `/apis/explain.${vocabulary === 'platform' ? 'platform.io' : 'k8s.io'}/v1alpha1/planefigures`;
  const SECRETS = '/api/v1/namespaces/default/secrets';
  let plane: TestServer;
  let figures: ReturnType<typeof cacheGrowth>;
  beforeAll(async () => {
    figures = cacheGrowth('plane figures');
    plane = await startTestServer({ vocabulary, runtime });
    runtime.advance(STEP_MS);
  });
  afterAll(() => plane.close());

  const figuresOf = async (name: string): Promise<Figures> => {
    const { status, text } = await plane.admin.request('GET', `${ROOT}/${name}`);
    expect(status).toBe(200);
    return JSON.parse(text);
  };

  const valuesOf = ({ series }: Figures, figure: string, wanted: Record<string, string> = {}): number[] => {
    const fits = ({ labels = {} }: Series): boolean =>
      Object.keys(labels).length === 0
        ? Object.keys(wanted).length === 0
        : Object.keys(wanted).length > 0 && Object.entries(wanted).every(([label, value]) => labels[label] === value);
    return series.find((one) => one.figure === figure && fits(one))?.values ?? [];
  };

  it('tell how many requests of each sort were answered, and how', async () => {
    const sent = { POST: 0, GET: 0, missing: 0 };
    for (let at = 0; at < 12; at++) {
      await plane.admin.request('POST', SECRETS, { metadata: { name: `${vocabulary}-${at}` } });
      sent.POST++;
      if (at % 2 === 0) {
        await plane.admin.request('GET', `${SECRETS}/${vocabulary}-${at}`);
        sent.GET++;
      }
      if (at % 3 === 0) {
        await plane.admin.request('GET', `${SECRETS}/nothing-${at}`);
        sent.GET++;
        sent.missing++;
      }
    }
    runtime.advance(STEP_MS);
    const requests = await figuresOf('requests');
    // Steps are of ten seconds, so that all rates together are a tenth of what was counted.
    const together = (values: readonly number[]): number => Math.round(10 * values.reduce((sum, one) => sum + one, 0));
    const countOf = (figure: string, verb: string): number =>
      together(valuesOf(requests, figure, { verb, resource: 'secrets' }));
    expect(countOf('rate', 'POST')).toBe(sent.POST);
    expect(countOf('rate', 'GET')).toBe(sent.GET);
    expect(countOf('refusals', 'GET')).toBe(sent.missing);
    expect(countOf('errors', 'GET')).toBe(0);
    const [mean, p99] = ['mean', 'p99'].map(
      (figure) => valuesOf(requests, figure, { verb: 'POST', resource: 'secrets' }).at(-1) ?? 0,
    );
    expect(mean).toBeGreaterThan(0);
    expect(p99).toBeGreaterThan(0);
    expect(together(valuesOf(requests, 'rate'))).toBeGreaterThanOrEqual(sent.POST + sent.GET);
    expect(together(valuesOf(await figuresOf('storage'), 'writes'))).toBeGreaterThanOrEqual(sent.POST);
  });

  it('tell of watches that are open, and of what they are sent', async () => {
    const watch = await plane.watch(`${SECRETS}?watch=true&resourceVersion=0`);
    await watch.next();
    runtime.advance(STEP_MS);
    const watches = await figuresOf('watches');
    expect(valuesOf(watches, 'open', { resource: 'secrets' }).at(-1)).toBe(1);
    expect(valuesOf(watches, 'events', { kind: 'Secret' }).at(-1)).toBeGreaterThan(0);
    watch.close();
  });

  it('tell of levels, loops and the process', async () => {
    const flow = await figuresOf('flow');
    expect(valuesOf(flow, 'limit', { level: 'global-default' }).at(-1)).toBeGreaterThan(1);
    const loops = await figuresOf('loops');
    expect(loops.series.filter(({ figure }) => figure === 'depth').length).toBeGreaterThan(5);
    const own = await figuresOf('process');
    expect(valuesOf(own, 'resident').at(-1)).toBeGreaterThan(10e6);
    expect(valuesOf(own, 'eventLoop').at(-1)).toBeLessThanOrEqual(1);
  });

  it('tell when certificates expire', async () => {
    const { certificates } = await figuresOf('certificates');
    const shown = certificates.find(({ use }) => use === 'own authority');
    const expected = new X509Certificate(String(plane.connection.ca));
    expect(Date.parse(shown?.notAfter ?? '')).toBe(Date.parse(expected.validTo));
    expect(certificates.map(({ notAfter }) => notAfter)).toEqual(
      certificates.map(({ notAfter }) => notAfter).toSorted(),
    );
  });

  it('are those of the last hour, and of the last minute under another name', async () => {
    for (let step = 0; step < 400; step++) runtime.advance(STEP_MS);
    const [hour, latest] = [await figuresOf('requests'), await figuresOf('latest')];
    expect([hour.times.length, latest.times.length]).toEqual([360, 6]);
    expect(hour.times.slice(-6)).toEqual(latest.times);
    expect(hour.times.every((time, at) => at === 0 || time - (hour.times[at - 1] ?? 0) >= 10)).toBe(true);
    expect(hour.series.every(({ values }) => values.length === 360)).toBe(true);
    expect(new Set(latest.series.map(({ topic }) => topic))).toContain('loops');
    expect(latest.series.some(({ labels }) => labels?.resource === 'secrets')).toBe(true);
  });

  it('are bounded, whatever is asked for', async () => {
    for (let at = 0; at < 60; at++) {
      const group = `/apis/made-up-${at}.example.com/v1/things-${at}`;
      await Promise.all([plane.admin.request('GET', group), plane.admin.request('POST', group, {})]);
      if (at % 20 === 0) runtime.advance(STEP_MS);
    }
    const { series } = await figuresOf('requests');
    expect(series.some(({ labels }) => labels?.resource?.startsWith('things'))).toBe(false);
    expect(series.length).toBeLessThanOrEqual(21 * 6);
    expect(figures().bytes).toBeLessThan(2 << 20);
  });

  it('are shown as a table, and to nobody who may not see them', async () => {
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1;g=meta.platform.io';
    const { text } = await plane.admin.request('GET', ROOT, undefined, { accept });
    const names = JSON.parse(text).rows.map(({ cells }: { cells: unknown[] }) => cells[0]);
    expect(names).toEqual([
      'certificates',
      'flow',
      'latest',
      'loops',
      'process',
      'requests',
      'storage',
      'watches',
      'webhooks',
    ]);
    const weak = { 'impersonate-user': 'alice', 'impersonate-group': 'system:authenticated' };
    for (const path of [ROOT, `${ROOT}/latest`]) {
      expect((await plane.admin.request('GET', path, undefined, weak)).status).toBe(403);
    }
    expect((await plane.admin.request('GET', `${ROOT}/nothing`)).status).toBe(404);
    expect((await plane.admin.request('POST', ROOT, {})).status).toBe(405);
  });
});
