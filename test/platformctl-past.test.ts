import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Platformctl } from './support/platformctl.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** What platformctl shows of the past of objects. */

let plane: TestServer;
let directory: string;
let ctl: Platformctl;
beforeAll(async () => {
  directory = await makeDirectory();
  plane = await startTestServer();
  const file = join(directory, 'admin.conf');
  await writeFile(file, plane.server.adminConfig);
  ctl = new Platformctl(directory, file);
});
afterAll(async () => {
  await plane.close();
  await removeDirectory(directory);
});

const MAPS = '/api/v1/namespaces/default/configmaps';

/** A map that was changed once; its two versions. */
async function changedMap(name: string): Promise<[string, string]> {
  const made = await plane.admin.request('POST', `${MAPS}?fieldManager=maker`, {
    metadata: { name },
    data: { a: '1' },
  });
  const changed = await plane.admin.request('PATCH', `${MAPS}/${name}?fieldManager=changer`, { data: { a: '2' } });
  return [made.body.metadata.resourceVersion, changed.body.metadata.resourceVersion];
}

/** Lines as cells. */
const cells = (text: string): string[][] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));

describe('platformctl', () => {
  it('shows the history of an object, a version a line', async () => {
    const [first, second] = await changedMap('told');
    const [header, newest, oldest] = cells(await ctl.succeed('history', 'configmap/told'));
    expect(header).toEqual(['REVISION', 'TIME', 'EVENT', 'BY', 'VERB', 'MANAGER', 'AUDIT ID']);
    expect(newest).toEqual([
      second,
      expect.any(String),
      'Updated',
      'platform-admin',
      'patch',
      'changer',
      expect.any(String),
    ]);
    expect(oldest?.slice(0, 3)).toEqual([first, expect.any(String), 'Created']);
    expect(cells(await ctl.succeed('history', 'cm', 'told', '--limit=1', '--no-headers'))).toHaveLength(1);
    const answer = JSON.parse(await ctl.succeed('history', 'cm/told', '-o', 'json'));
    expect(answer).toMatchObject({ kind: 'ObjectHistory', status: { versions: [{}, {}], exists: true } });
  });

  it('blames whoever set a field', async () => {
    const [, second] = await changedMap('blamed');
    const rows = cells(await ctl.succeed('blame', 'configmap/blamed', '--field=.data'));
    expect(rows).toEqual([
      ['FIELD', 'VALUE', 'OWNERS', 'REVISION', 'SET', 'BY', 'BEFORE'],
      ['.data.a', '"2"', 'changer', second, expect.any(String), 'platform-admin', '"1"'],
    ]);
  });

  it('compares revisions, and tells by its exit code whether they differ', async () => {
    const [first, second] = await changedMap('compared');
    const { code, stdout } = await ctl.run(['diff', 'configmap/compared', `--revision=${first},${second}`]);
    expect([code, stdout]).toEqual([1, '.data.a\n- "1"\n+ "2"\n']);
    expect(await ctl.succeed('diff', 'configmap/compared', `--revision=${second}`)).toBe('');
    const bad = await ctl.run(['diff', 'configmap/compared', '--revision=1,2,3']);
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('--revision takes one resource version')]);
  });

  it('restores an old state, and what was deleted', async () => {
    const [first] = await changedMap('restored');
    const line = ['restore', 'configmap/restored'];
    expect(await ctl.succeed(...line, `--revision=${first}`, '--dry-run=server')).toBe(
      `configmaps/restored restored as of ${first} (server dry run)\n`,
    );
    expect(await ctl.succeed(...line, `--revision=${first}`)).toBe(`configmaps/restored restored as of ${first}\n`);
    expect(await ctl.succeed(...line, `--revision=${first}`)).toBe('configmaps/restored unchanged\n');
    await plane.admin.request('DELETE', `${MAPS}/restored`);
    expect(await ctl.succeed(...line, '--deleted')).toMatch(/^configmaps\/restored restored as of \d+\n$/);
    expect((await plane.admin.request('GET', `${MAPS}/restored`)).body.data).toEqual({ a: '1' });
    for (const wrong of [[], ['--deleted', '--revision=3']]) {
      const { code, stderr } = await ctl.run([...line, ...wrong]);
      expect([code, stderr]).toEqual([1, 'error: either --revision or --deleted is required\n']);
    }
    expect((await ctl.run([...line, '--deleted', '--dry-run=client'])).stderr).toContain('use --dry-run=server');
  });

  it('tells why something does not go', async () => {
    const metadata = { name: 'held', finalizers: ['example.com/hold'] };
    await plane.admin.request('POST', MAPS, { metadata });
    await plane.admin.request('DELETE', `${MAPS}/held`);
    const { code, stdout, stderr } = await ctl.run(['why-deleting', 'configmap/held']);
    expect([code, cells(stdout)[1]?.slice(0, 3)]).toEqual([0, ['Finalizer', 'example.com/hold', 'platform-admin']]);
    expect(stderr).toMatch(/^configmaps\/held is going since /);
    await changedMap('free');
    const free = await ctl.run(['why-deleting', 'configmap/free']);
    expect(free).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('is not being deleted') });
  });

  it('says what is wrong with a line, and what the plane refuses', async () => {
    expect((await ctl.run(['history', 'configmaps'])).stderr).toContain('no name was specified');
    expect((await ctl.run(['blame', 'cm/a', 'cm/b'])).stderr).toContain('exactly one object is expected');
    expect((await ctl.run(['blame', 'cm/absent'])).stderr).toContain('configmaps "absent" not found');
  });
});
