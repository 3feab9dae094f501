import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HEALTH_ENDPOINTS } from '../src/handlers/health.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** Health checks have the names that dashboards and probes of the field ask for. */

const file = new URL('../../shared/reference/operations.json', import.meta.url);
const reference: Record<string, string[]> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).health : {};

const READINESS = [
  ...['ping', 'log', 'etcd', 'etcd-readiness', 'informer-sync'],
  'poststarthook/generic-apiserver-start-informers',
  'poststarthook/start-kube-apiserver-admission-initializer',
  'poststarthook/priority-and-fairness-config-consumer',
  'poststarthook/priority-and-fairness-filter',
  'poststarthook/bootstrap-controller',
  'poststarthook/rbac/bootstrap-roles',
  'poststarthook/scheduling/bootstrap-system-priority-classes',
  'poststarthook/priority-and-fairness-config-producer',
  ...['autoregister-completion', 'shutdown'],
];

let plane: TestServer;

beforeAll(async () => {
  plane = await startTestServer({ vocabulary: 'kubernetes' });
});

afterAll(() => plane.close());

async function checksOf(server: TestServer, endpoint: string): Promise<string[]> {
  const { status, text } = await server.admin.request('GET', `/${endpoint}?verbose`);
  expect(status, text).toBe(200);
  return [...text.matchAll(/^\[\+\](\S+) ok$/gm)].map(([, name]) => name ?? '');
}

describe('health checks', () => {
  it('of readiness are these, and each answers by itself', async () => {
    expect(await checksOf(plane, 'readyz')).toEqual(READINESS);
    for (const name of READINESS) {
      expect((await plane.admin.request('GET', `/readyz/${name}`)).text, name).toBe('ok');
    }
  });

  it('of fairness are there only when the server is fair', async () => {
    const unfair = await startTestServer({ enablePriorityAndFairness: false });
    const names = await checksOf(unfair, 'readyz');
    await unfair.close();
    expect(names.filter((name) => name.includes('fairness'))).toEqual([]);
    expect(names).toContain('poststarthook/start-apiserver-admission-initializer');
  });

  it.skipIf(!existsSync(file)).each(HEALTH_ENDPOINTS)(
    'of %s have no name that the original does not know',
    async (endpoint) => {
      const known = reference[endpoint] ?? [];
      expect((await checksOf(plane, endpoint)).filter((name) => !known.includes(name))).toEqual([]);
    },
  );
});
