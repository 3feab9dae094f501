import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ApiError, ConfigMap, Pod } from 'platform-apiserver/client';
import { startTestPlane, type TestNamespace, type TestPlane } from 'platform-apiserver/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const haveKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
const program = fileURLToPath(new URL('../src/unused-config-maps.mjs', import.meta.url));

let plane: TestPlane;
let namespace: TestNamespace;

beforeAll(async () => {
  // kubectl knows the original names alone.
  plane = await startTestPlane({ vocabulary: 'kubernetes' });
});
afterAll(() => plane.stop());

/** Runs the tool as a user does; gives the lines that it prints. */
async function run(...args: string[]): Promise<string[]> {
  const env = { ...process.env, KUBECONFIG: plane.configFile };
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { env });
  return stdout.split('\n').filter(Boolean).sort();
}

beforeEach(async () => {
  namespace = await plane.namespace();
  const maps = plane.client.of(ConfigMap).inNamespace(namespace.name);
  for (const name of ['mounted', 'projected', 'read', 'key', 'old', 'older']) await maps.create({ metadata: { name } });
  const env = [{ name: 'KEY', valueFrom: { configMapKeyRef: { name: 'key', key: 'a' } } }];
  const container = { name: 'web', image: 'web:1', env, envFrom: [{ configMapRef: { name: 'read' } }] };
  const volumes = [
    { name: 'a', configMap: { name: 'mounted' } },
    { name: 'b', projected: { sources: [{ configMap: { name: 'projected' } }] } },
  ];
  const pods = plane.client.of(Pod).inNamespace(namespace.name);
  await pods.create({ metadata: { name: 'web' }, spec: { containers: [container], volumes } });
});

const remaining = async () =>
  (await plane.client.of(ConfigMap).inNamespace(namespace.name).list()).items.map(({ metadata }) => metadata.name);

describe.skipIf(!haveKubectl)('unused-config-maps', () => {
  it('prints what no pod mounts or reads', async () => {
    expect(await run(namespace.name)).toEqual(['old', 'older']);
    expect(await remaining()).toContain('old');
  });

  it('deletes that, and nothing else, when told to', async () => {
    await run(namespace.name, '--delete');
    expect(await remaining()).toEqual(['key', 'kube-root-ca.crt', 'mounted', 'projected', 'read']);
    expect(await run(namespace.name, '--delete')).toEqual([]);
  });

  it('says what the plane says when it is refused', async () => {
    const refused = { code: 1, stderr: expect.stringContaining('not for you') };
    using _ = plane.intercept(
      { agent: 'kubectl', kind: 'Pod' },
      {
        before() {
          throw new ApiError('Forbidden', 'not for you');
        },
      },
    );
    await expect(run(namespace.name)).rejects.toMatchObject(refused);
  });
});
