import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Platformctl } from './support/platformctl.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** What platformctl tells of admission, by `--explain-admission`. */

let plane: TestServer;
let directory: string;
let ctl: Platformctl;
beforeAll(async () => {
  directory = await makeDirectory();
  plane = await startTestServer();
  const config = join(directory, 'admin.conf');
  await writeFile(config, plane.server.adminConfig);
  await writeFile(join(directory, 'pod.yaml'), JSON.stringify(pod('default')));
  await writeFile(join(directory, 'lost.yaml'), JSON.stringify(pod('nowhere')));
  ctl = new Platformctl(directory, config);
});
afterAll(async () => {
  await plane.close();
  await removeDirectory(directory);
});

const pod = (namespace: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'tried', namespace },
  spec: { containers: [{ name: 'main', image: 'registry.example.com/main:1' }] },
});

const isThere = async (): Promise<number> =>
  (await plane.admin.request('GET', '/api/v1/namespaces/default/pods/tried')).status;

describe('platformctl --explain-admission', () => {
  it.each(['apply', 'create'])('tells what %s would meet, and writes nothing', async (verb) => {
    const text = await ctl.succeed(verb, '-f', 'pod.yaml', '--explain-admission');
    expect(text).toMatch(/^pod\/tried would be admitted \(201\)$/m);
    expect(text).toMatch(/^PHASE +TYPE +NAME +WITHIN +VERDICT +TIME +MESSAGE$/m);
    expect(text).toMatch(/^Mutating +Plugin +DefaultTolerationSeconds +<none> +Changed +[\d.]+ms/m);
    expect(text).toMatch(/^Changed by DefaultTolerationSeconds:\n {2}FIELD +BEFORE +AFTER\n {2}\.spec\.tolerations/m);
    expect(text).not.toContain('NotConcerned');
    expect(await isThere()).toBe(404);
    const told = JSON.parse(await ctl.succeed(verb, '-f', 'pod.yaml', '--explain-admission', '-o', 'json'));
    expect(told).toMatchObject({ kind: 'AdmissionExplanation', status: { allowed: true, operation: 'CREATE' } });
  });

  it('tells of a replacement', async () => {
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'there', namespace: 'default' } };
    await writeFile(join(directory, 'map.yaml'), JSON.stringify({ ...map, data: { a: 'b' } }));
    await plane.admin.request('POST', '/api/v1/namespaces/default/configmaps', map);
    const text = await ctl.succeed('replace', '-f', 'map.yaml', '--explain-admission');
    expect(text).toMatch(/^configmap\/there would be admitted \(200\)$/m);
    expect((await plane.admin.request('GET', '/api/v1/namespaces/default/configmaps/there')).body.data).toBeUndefined();
  });

  it('ends with 1 where a write would be refused, and says who refuses', async () => {
    const { code, stdout } = await ctl.run(['apply', '-f', 'lost.yaml', '--explain-admission']);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^pod\/tried would be refused by Plugin NamespaceLifecycle \(404\): namespaces "nowhere" not found$/m,
    );
  });

  it.each([
    [['apply', '-f', 'pod.yaml', '--explain-admission', '--dry-run=client'], '--dry-run=client does not'],
    [['apply', '-f', 'pod.yaml', '--explain-admission', '--client-side'], 'not with --client-side'],
    [['replace', '-f', 'pod.yaml', '--explain-admission', '--force'], 'not with --force'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await ctl.run(args);
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(await isThere()).toBe(404);
  });
});
