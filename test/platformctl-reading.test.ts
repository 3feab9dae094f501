import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { vocabularies } from '../src/vocabulary/vocabulary.ts';
import type { Run } from './support/kubectl.ts';
import { Platformctl } from './support/platformctl.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** Reading in the neutral vocabulary; beside kubectl, in the other, it is read in `beside-kubectl.test.ts`. */

const MAPS = '/api/v1/namespaces/default/configmaps';
const PATCH = { 'content-type': 'application/merge-patch+json' };
const RED = '\x1b[31m';
const YELLOW = '\x1b[33m';

let plane: TestServer;
let directory: string;
let ctl: Platformctl;

const post = async (path: string, object: object): Promise<void> => {
  expect((await plane.admin.request('POST', path, object)).status).toBe(201);
};

const pod = (name: string) => ({
  metadata: { name },
  spec: { automountServiceAccountToken: false, containers: [{ name: 'a', image: 'a' }] },
});

beforeAll(async () => {
  plane = await startTestServer();
  directory = await makeDirectory();
  const config = join(directory, 'config');
  await writeFile(config, plane.server.adminConfig);
  ctl = new Platformctl(directory, config);
  for (const name of ['a', 'b']) await post(MAPS, { metadata: { name, labels: { own: 'yes' } }, data: { x: name } });
  await post('/api/v1/namespaces', { metadata: { name: 'colors' } });
  for (const name of ['waits', 'fails']) await post('/api/v1/namespaces/colors/pods', pod(name));
  const failed = { metadata: { name: 'fails' }, status: { phase: 'Failed', reason: 'Evicted' } };
  const path = '/api/v1/namespaces/colors/pods/fails/status';
  expect((await plane.admin.request('PATCH', path, failed, PATCH)).status).toBe(200);
});

afterAll(async () => {
  await plane.close();
  await removeDirectory(directory);
});

describe('get', () => {
  it('shows what the plane makes of objects', async () => {
    expect(await ctl.succeed('get', 'ns', 'default')).toMatch(/^NAME {6}STATUS {3}AGE\ndefault {3}Active {3}\S+\n$/);
    expect(await ctl.succeed('get', 'cm', '-l', 'own', '-o', 'name')).toBe('configmap/a\nconfigmap/b\n');
    expect(await ctl.succeed('get', 'cm', '-l', 'own', '-o', 'jsonpath={.items[*].data.x}')).toBe('a b');
  });

  it('says the same in pieces and at once', async () => {
    const whole = await ctl.succeed('get', 'clusterroles', '-o', 'json', '--chunk-size=0');
    expect(await ctl.succeed('get', 'clusterroles', '-o', 'json', '--chunk-size=3')).toBe(whole);
  });

  it('finds a kind that came after what is remembered of the plane', async () => {
    await ctl.succeed('get', 'ns');
    expect(await readdir(join(directory, '.platform', 'cache', 'discovery'))).toHaveLength(1);
    expect(await ctl.run(['get', 'late'])).toMatchObject({ code: 1, stderr: /have a resource type "late"/ });
    const definitions = vocabularies.platform.groups.apiextensions;
    await post(`/apis/${definitions}/v1/customresourcedefinitions`, {
      metadata: { name: 'latecomers.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'latecomers', singular: 'latecomer', kind: 'Latecomer', shortNames: ['late'] },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    });
    await expect
      .poll(async () => (await ctl.run(['get', 'late'])).stderr)
      .toBe('No resources found in default namespace.\n');
  });
});

describe('get -w', () => {
  /** Changes an object again and again, until a line that watches it has seen enough. */
  async function changing(name: string, watching: Promise<Run>): Promise<Run> {
    let isOver = false;
    const watched = watching.finally(() => {
      isOver = true;
    });
    for (let count = 0; !isOver && count < 3000; count++) {
      await plane.admin.request('PATCH', `${MAPS}/${name}`, { data: { count: String(count) } }, PATCH);
    }
    return watched;
  }

  it('shows what there is, and goes on with what changes', async () => {
    await post(MAPS, { metadata: { name: 'watched', labels: { watch: 'table' } }, data: { count: '' } });
    const until = /watched.*\n(.*\n)*.*watched/;
    const { code, stdout, stderr } = await changing(
      'watched',
      ctl.run(['get', 'cm', '-l', 'watch=table', '-w'], { until }),
    );
    expect([code, stderr]).toEqual([0, '']);
    const [header, ...rows] = stdout.replaceAll(/\d+s/g, 'AGE').trimEnd().split('\n');
    expect(header).toBe('NAME      DATA   AGE');
    expect(rows.length).toBeGreaterThan(1);
    expect(new Set(rows)).toEqual(new Set(['watched   1      AGE']));
  });

  it('says what happened, where that is asked for', async () => {
    await post(MAPS, { metadata: { name: 'event', labels: { watch: 'events' } } });
    const format = 'jsonpath={.type} {.object.metadata.name}{"\\n"}';
    const line = ['get', 'cm', 'event', '--watch-only', '--output-watch-events', '-o', format];
    const { stdout } = await changing('event', ctl.run(line, { until: /\n/ }));
    expect(stdout).toMatch(/^MODIFIED event\n/);
  });

  it('draws a table in place that fits the terminal, and gives the cursor back', async () => {
    const { code, stdout } = await ctl.run(['get', 'cm', '-l', 'own', '-w', '--live'], {
      terminalColumns: 12,
      until: /\nb/,
    });
    expect(code).toBe(0);
    expect(stdout.startsWith('\x1b[?25l')).toBe(true);
    expect(stdout.endsWith('\x1b[?25h')).toBe(true);
    expect(stdout).toContain('NAME   DATA…');
    expect(stdout, 'drawn over itself at the end').toContain('\x1b[3A');
  });

  it('draws nothing in place where there is no terminal', async () => {
    expect(await ctl.run(['get', 'cm', '-w', '--live'])).toMatchObject({
      code: 1,
      stderr: 'error: --live needs a terminal\n',
    });
  });
});

describe('colours', () => {
  const pods = ['get', 'pods', '-n', 'colors'];

  it('draw attention to what is wrong, on a terminal', async () => {
    const { stdout } = await ctl.run(pods, { terminalColumns: 80 });
    expect(stdout).toContain(`${RED}Evicted`);
    expect(stdout).toContain(`${YELLOW}Pending`);
  });

  it.each([
    ['in a pipe', {}, []],
    ['where nobody wants them', { terminalColumns: 80, env: { NO_COLOR: '1' } }, []],
    ['on terminals that have none', { terminalColumns: 80, env: { TERM: 'dumb' } }, []],
    ['when they are switched off', { terminalColumns: 80 }, ['--color=never']],
  ])('are not there %s', async (_, settings, flags) => {
    const { stdout } = await ctl.run([...pods, ...flags], settings);
    expect(stdout).toContain('Evicted');
    expect(stdout).not.toContain('\x1b');
  });

  it('are there for those who insist', async () => {
    expect(await ctl.succeed(...pods, '--color=always')).toContain(RED);
  });
});

describe('completion', () => {
  const complete = async (...words: string[]): Promise<string[]> =>
    (await ctl.succeed('__complete', ...words)).split('\n').map((line) => line.split('\t')[0] ?? '');

  it.each([
    [['ap'], ['api-resources', 'api-versions', 'apply', ':done', '']],
    [
      ['cluster-info', 'd'],
      ['dump', ':done', ''],
    ],
    [
      ['get', 'configm'],
      ['configmaps', ':done', ''],
    ],
    [
      ['get', 'pods,configm'],
      ['pods,configmaps', ':done', ''],
    ],
    [
      ['get', 'cm', 'a'],
      ['a', ':done', ''],
    ],
    [
      ['get', 'cm/b'],
      ['cm/b', ':done', ''],
    ],
    [
      ['get', 'pods', '-n', 'colors', 'f'],
      ['fails', ':done', ''],
    ],
    [
      ['-n', 'colors', 'get', 'pods', 'w'],
      ['waits', ':done', ''],
    ],
    [
      ['get', 'pods', '-n', 'co'],
      ['colors', ':done', ''],
    ],
    [
      ['get', '--namespace=co'],
      ['--namespace=colors', ':done', ''],
    ],
    [
      ['get', 'pods', '-o', 'js'],
      ['json', 'jsonpath-file=', 'jsonpath=', ':open', ''],
    ],
    [
      ['get', '--color', 'al'],
      ['always', ':done', ''],
    ],
    [
      ['get', '--show-l'],
      ['--show-labels', ':done', ''],
    ],
    [
      ['get', '-f', ''],
      [':files', ''],
    ],
    [
      ['get', 'nonsense', ''],
      [':done', ''],
    ],
  ])('of %j is %j', async (words, expected) => {
    expect(await complete(...words)).toEqual(expected);
  });

  it('is the same where no plane is to be reached: nothing, and no failure', async () => {
    expect(await complete('--server=https://127.0.0.1:1', 'get', 'pods', '')).toEqual([':done', '']);
  });
});

describe('about the plane', () => {
  it('tells kinds, versions and where it is, in its own vocabulary', async () => {
    expect(await ctl.succeed('cluster-info')).toMatch(/^Platform control plane is running at https:/);
    expect(await ctl.succeed('version')).toMatch(/^Client Version: v\S+\nServer Version: v1\.25/);
    expect(await ctl.succeed('api-resources', '--api-group=apps', '-o', 'name')).toContain('deployments.apps\n');
    expect(await ctl.succeed('explain', 'pods.spec.restartPolicy')).toContain(
      'FIELD: restartPolicy <string>\nENUM:\n    Always\n',
    );
  });

  it('is dumped for whoever looks for what is wrong', async () => {
    const dump = await ctl.succeed('cluster-info', 'dump', '--namespaces=colors', '-o', 'name');
    expect(dump).toContain('pod/waits\n');
  });
});
