import { afterEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const planes: TestServer[] = [];

async function serve(runtimeConfig: readonly string[], options: object = {}): Promise<TestServer> {
  const plane = await startTestServer({ runtimeConfig, ...options });
  planes.push(plane);
  return plane;
}

afterEach(async () => {
  await Promise.all(planes.splice(0).map((plane) => plane.close()));
});

const autoscaler = {
  metadata: { name: 'a' },
  spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd' } },
};
const autoscalers = (version: string): string =>
  `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;

describe('a version that may vanish again', () => {
  const path = '/apis/networking.platform.io/v1alpha1/clustercidrs';
  const range = { metadata: { name: 'pods' }, spec: { perNodeHostBits: 8, ipv4: '10.0.0.0/8' } };

  it('is not served unless asked for', async () => {
    const { admin } = await serve([]);
    expect((await admin.request('GET', path)).status).toBe(404);
    expect((await admin.request('GET', '/apis/networking.platform.io')).text).not.toContain('v1alpha1');
  });

  it('is served and described when asked for', async () => {
    const { admin } = await serve(['networking.platform.io/v1alpha1', 'internal.apiserver.platform.io/v1alpha1']);
    const created = await admin.request('POST', path, range);
    expect(created.status, created.text).toBe(201);
    expect((await admin.request('GET', `${path}/pods`)).body.spec).toEqual({ ...range.spec, ipv6: '' });
    const group = JSON.parse((await admin.request('GET', '/apis/networking.platform.io')).text);
    expect(group.versions.map(({ version }: { version: string }) => version)).toEqual(['v1', 'v1alpha1']);
    const changed = await admin.request('PATCH', `${path}/pods`, { spec: { perNodeHostBits: 9 } });
    expect(changed.body).toMatchObject({ code: 422, details: { causes: [{ field: 'spec.perNodeHostBits' }] } });
    const internal = '/apis/internal.apiserver.platform.io/v1alpha1/storageversions';
    expect((await admin.request('POST', internal, { metadata: { name: 'apps.deployments' } })).status).toBe(201);
  });

  it.each([
    [{ perNodeHostBits: 8 }, 'spec'],
    [{ perNodeHostBits: 8, ipv4: 'fd00::/64' }, 'spec.ipv4'],
    [{ perNodeHostBits: 2, ipv4: '10.0.0.0/8' }, 'spec.perNodeHostBits'],
    [{ perNodeHostBits: 25, ipv4: '10.0.0.0/8' }, 'spec.perNodeHostBits'],
  ])('has rules: %j', async (spec, field) => {
    const { admin } = await serve(['api/alpha=true']);
    const { body } = await admin.request('POST', path, { metadata: { name: 'bad' }, spec });
    expect(body).toMatchObject({ code: 422, details: { causes: [{ field }] } });
  });
});

describe('a version that is switched off', () => {
  it('is gone, with its group if it was the last', async () => {
    const { admin } = await serve(['autoscaling/v1=false', 'batch/v1=false', 'apps/v1/daemonsets=false']);
    expect((await admin.request('GET', autoscalers('v1'))).body).toMatchObject({ kind: 'Status', code: 404 });
    expect((await admin.request('GET', autoscalers('v2'))).status).toBe(200);
    const batch = await admin.request('GET', '/apis/batch/v1/namespaces/default/jobs');
    expect([batch.status, batch.text]).toEqual([404, '404 page not found\n']);
    expect((await admin.request('GET', '/apis')).text).not.toContain('"batch"');
    const apps = '/apis/apps/v1/namespaces/default';
    const statuses = await Promise.all(
      ['daemonsets', 'deployments'].map(async (plural) => (await admin.request('GET', `${apps}/${plural}`)).status),
    );
    expect(statuses).toEqual([404, 200]);
  });

  it('leaves what was stored through it to the others, and to the end of the namespace', async () => {
    const dataDir = await temporaryDirectory();
    const store = { store: 'lmdb', dataDir };
    const before = await serve([], store);
    await before.admin.request('POST', autoscalers('v2'), autoscaler);
    await before.admin.request('POST', '/api/v1/namespaces', { metadata: { name: 'going' } });
    const job = {
      metadata: { name: 'j' },
      spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'i' }] } } },
    };
    const made = await before.admin.request('POST', '/apis/batch/v1/namespaces/going/jobs', job);
    expect(made.status, made.text).toBe(201);
    await before.close();

    const after = await serve(['autoscaling/v2=false', 'batch/v1=false'], store);
    expect((await after.admin.request('GET', `${autoscalers('v1')}/a`)).body.spec).toMatchObject({
      targetCPUUtilizationPercentage: 80,
    });
    await after.admin.request('DELETE', '/api/v1/namespaces/going');
    await expect.poll(async () => (await after.admin.request('GET', '/api/v1/namespaces/going')).status).toBe(404);
    await after.close();

    const { admin } = await serve([], store);
    await admin.request('POST', '/api/v1/namespaces', { metadata: { name: 'going' } });
    expect((await admin.request('GET', '/apis/batch/v1/namespaces/going/jobs')).body.items).toEqual([]);
  });

  it('may be any: the server itself goes on', async () => {
    const { admin } = await serve(['api/all=false', 'api/v1/configmaps']);
    const { body } = await admin.request('GET', '/api/v1');
    expect(body).toMatchObject({ resources: [{ name: 'configmaps' }] });
    await expect
      .poll(async () => (await admin.request('GET', '/api/v1/namespaces/default/configmaps')).body.items.length)
      .toBeGreaterThan(0);
  });
});

describe('a server', () => {
  it('does not start when asked for a version it does not have', async () => {
    await expect(serve(['batch/v1beta1'])).rejects.toThrow(/^--runtime-config: "batch\/v1beta1" is [^\n]*$/);
  });
});
