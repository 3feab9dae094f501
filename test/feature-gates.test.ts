import { afterEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const planes: TestServer[] = [];

async function serve(featureGates: readonly string[], options: object = {}): Promise<TestServer> {
  const plane = await startTestServer({ featureGates, ...options });
  planes.push(plane);
  return plane;
}

afterEach(async () => {
  await Promise.all(planes.splice(0).map((plane) => plane.close()));
});

const jobs = '/apis/batch/v1/namespaces/default/jobs';
const job = (name: string) => ({
  metadata: { name },
  spec: {
    podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [1] } }] },
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
  },
});

describe('a field of a feature', () => {
  it('is dropped while the feature is off, and kept and checked while it is on', async () => {
    const { admin: off } = await serve([]);
    const dropped = await off.request('POST', jobs, job('a'));
    expect(dropped.status, dropped.text).toBe(201);
    expect(dropped.body.spec).not.toHaveProperty('podFailurePolicy');
    const { admin: on } = await serve(['JobPodFailurePolicy=true']);
    expect((await on.request('POST', jobs, job('a'))).body.spec).toMatchObject({
      podFailurePolicy: { rules: [{ action: 'FailJob' }] },
    });
    const wrong = { ...job('b'), spec: { ...job('b').spec, podFailurePolicy: { rules: [{ action: 'Odd' }] } } };
    expect((await on.request('POST', jobs, wrong)).status).toBe(422);
  });

  it('stays in objects that have it when the feature is switched off, until somebody takes it out', async () => {
    const kept = { store: 'lmdb', dataDir: await temporaryDirectory() };
    const before = await serve(['JobPodFailurePolicy=true'], kept);
    await before.admin.request('POST', jobs, job('a'));
    await before.close();
    planes.length = 0;
    const { admin } = await serve([], kept);
    const { body } = await admin.request('PATCH', `${jobs}/a`, { metadata: { labels: { seen: 'yes' } } });
    expect(body).toMatchObject({ metadata: { labels: { seen: 'yes' } }, spec: { podFailurePolicy: {} } });
  });
});

describe('a part of the server', () => {
  it('can be switched off with its feature', async () => {
    const gates = [
      'APIListChunking=false',
      'RemainingItemCount=false',
      'OpenAPIV3=false',
      'APIPriorityAndFairness=false',
    ];
    const { admin } = await serve(gates);
    const list = await admin.request('GET', '/api/v1/namespaces?limit=1');
    expect(list.body.items.length).toBeGreaterThan(1);
    expect(list.body.metadata.continue).toBe('');
    expect((await admin.request('GET', '/openapi/v3')).status).toBe(404);
    expect((await admin.request('GET', '/openapi/v2')).status).toBe(200);
    expect(list.headers).not.toHaveProperty('x-platform-pf-flowschema-uid');
  });

  it('counts what is left in a list only with its feature', async () => {
    const counted = await serve([]);
    const uncounted = await serve(['RemainingItemCount=false']);
    const page = async ({ admin }: TestServer) =>
      (await admin.request('GET', '/api/v1/namespaces?limit=1')).body.metadata;
    expect(await page(counted)).toHaveProperty('remainingItemCount');
    expect(await page(uncounted)).not.toHaveProperty('remainingItemCount');
  });

  it('lets a scaler go down to nothing with its feature', async () => {
    const path = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
    const scaler = {
      metadata: { name: 'a' },
      spec: { minReplicas: 0, maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd' } },
    };
    const { admin: off } = await serve([]);
    expect((await off.request('POST', path, scaler)).status).toBe(422);
    const { admin: on } = await serve(['HPAScaleToZero=true']);
    expect((await on.request('POST', path, scaler)).status).toBe(201);
  });
});

it('every feature is in the metrics, with its stage', async () => {
  const { admin } = await serve(['HPAScaleToZero=true', 'CronJobTimeZone=false']);
  const { text } = await admin.request('GET', '/metrics');
  expect(text).toContain('platform_feature_enabled{name="HPAScaleToZero",stage="ALPHA"} 1');
  expect(text).toContain('platform_feature_enabled{name="CronJobTimeZone",stage="BETA"} 0');
  expect(text).toContain('platform_feature_enabled{name="ServerSideApply",stage=""} 1');
});

it('a server does not start with a switch that is none', async () => {
  await expect(startTestServer({ featureGates: ['Nope=true'] })).rejects.toThrow('unrecognized feature gate: Nope');
});
