import { afterEach, describe, expect, it } from 'vitest';
import { insist } from './support/patience.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** What of the metrics is served, by release and by flags. */

const planes: TestServer[] = [];

afterEach(async () => {
  await Promise.all(planes.splice(0).map((plane) => plane.close()));
});

/** A server that has answered a request, and counted it: without any, metrics of requests are not shown. */
async function serve(options: object): Promise<TestServer> {
  const plane = await startTestServer(options);
  planes.push(plane);
  await insist(async () => expect(await metricsOf(plane)).toMatch(COUNTED));
  return plane;
}

const metricsOf = async ({ admin }: TestServer): Promise<string> => (await admin.request('GET', '/metrics')).text;

const COUNTED = /^apiserver_request_duration_seconds_count\{.*verb="GET"/m;

const SLO = /^# HELP apiserver_request_slo_duration_seconds (.*)$/m;
const SLI = /^apiserver_request_sli_duration_seconds_count\{/m;

describe('a metric', () => {
  it('comes with its release, and the one that it replaces says so', async () => {
    const [first, last] = await Promise.all([serve({}), serve({ emulatedVersion: '1.27' })]);
    const [before, after] = await Promise.all([metricsOf(first), metricsOf(last)]);
    expect([SLI.test(before), SLI.test(after)]).toEqual([false, true]);
    expect(SLO.exec(before)?.[1]).toMatch(/^\[ALPHA\] Seconds/);
    expect(SLO.exec(after)?.[1]).toMatch(/^\[ALPHA\] \(Deprecated since 1\.27\.0\) Seconds/);
  });

  it('that flags disable is not shown', async () => {
    const plane = await serve({ disabledMetrics: ['apiserver_request_total'] });
    const text = await metricsOf(plane);
    expect(text).not.toContain('apiserver_request_total');
    expect(text).toContain('apiserver_request_duration_seconds_count');
  });

  it('shows values that flags do not allow as one, which counts what they count', async () => {
    const plane = await serve({ allowMetricLabels: ["apiserver_request_total,verb='LIST,GET'"] });
    const path = '/api/v1/namespaces/default/configmaps';
    await plane.admin.request('GET', path);
    for (const name of ['a', 'b']) await plane.admin.request('POST', path, { metadata: { name } });
    await plane.admin.request('PUT', `${path}/a`, { metadata: { name: 'a' }, data: { b: 'c' } });
    const lines = (await metricsOf(plane))
      .split('\n')
      .filter((line) => line.startsWith('apiserver_request_total{') && line.includes('resource="configmaps"'))
      .map((line) => [/verb="(\w+)"/.exec(line)?.[1], /scope="(\w*)"/.exec(line)?.[1], Number(line.split(' ').at(-1))]);
    // Two were made, and one was changed: their codes differ, their verbs no longer do.
    expect(lines.filter(([verb, , count]) => verb === 'unexpected' && Number(count) > 0).length).toBeGreaterThan(0);
    expect(lines.map(([verb]) => verb)).not.toContain('POST');
    expect(lines.map(([verb]) => verb)).not.toContain('PUT');
    expect(lines.map(([verb]) => verb)).toContain('LIST');
  });

  it.each(['verb=a', 'metric,verb', 'metric,verb,more=a', ',verb=a'])(
    'refuses values of labels that make no sense: %j',
    async (text) => {
      await expect(startTestServer({ allowMetricLabels: [text] })).rejects.toThrow("METRIC,LABEL='VALUE,...'");
    },
  );
});

describe('/metrics/slis', () => {
  it('tells the outcome of health checks where its feature is on', async () => {
    const plane = await serve({ emulatedVersion: '1.27', vocabulary: 'kubernetes' });
    await plane.admin.request('GET', '/readyz');
    await plane.admin.request('GET', '/readyz');
    const { status, text } = await plane.admin.request('GET', '/metrics/slis');
    expect(status).toBe(200);
    expect(text).toContain('kubernetes_healthcheck{name="ping",type="readyz"} 1');
    const count = /kubernetes_healthchecks_total\{name="ping",status="success",type="readyz"\} (\d+)/.exec(text)?.[1];
    expect(Number(count)).toBeGreaterThanOrEqual(2);
    expect(text).not.toContain('apiserver_request_total');
    expect(await metricsOf(plane)).not.toContain('kubernetes_healthcheck');
  });

  it('is not there where its feature is off, or not yet known', async () => {
    const [first, second] = await Promise.all([serve({}), serve({ emulatedVersion: '1.26' })]);
    expect((await first.admin.request('GET', '/metrics/slis')).status).toBe(404);
    expect((await second.admin.request('GET', '/metrics/slis')).status).toBe(404);
    await expect(startTestServer({ featureGates: ['ComponentSLIs=true'] })).rejects.toThrow(
      'unrecognized feature gate',
    );
  });
});
