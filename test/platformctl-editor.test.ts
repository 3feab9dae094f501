import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { endCommands, startCommand } from './support/command.ts';
import { COMMAND_FOLDER } from './support/command-folder.ts';
import { havePeer } from './support/peers.ts';
import { Platformctl, type PlatformctlSettings } from './support/platformctl.ts';
import { keepPicture } from './support/screen-picture.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { Tmux } from './support/tmux.ts';

/** Editor sessions: with an editor that follows a script, and in a real terminal where keys are pressed. */

const PROGRAM = fileURLToPath(new URL(`../${COMMAND_FOLDER}/cli/platformctl.cjs`, import.meta.url));
const COLUMNS = 100;
const VI = ['/usr/bin/vim', '/usr/bin/vi'].find((path) => existsSync(path));

let directory: string;
let configFile: string;
let platformctl: Platformctl;

beforeAll(async () => {
  directory = await makeDirectory();
  await startCommand(directory).ready();
  configFile = join(directory, '.platform', 'admin.conf');
  platformctl = new Platformctl(directory, configFile);
});

afterAll(async () => {
  await endCommands();
  await removeDirectory(directory);
});

describe('an edit', () => {
  let folder: string;
  let namespace: string;
  let count = 0;

  beforeEach(async () => {
    namespace = `edits-${++count}`;
    folder = join(directory, namespace);
    await mkdir(folder);
    await platformctl.succeed('create', 'namespace', namespace);
  });

  const run = (line: string, settings?: PlatformctlSettings) =>
    platformctl.run(['-n', namespace, ...line.split(' ')], settings);

  async function succeed(line: string, settings?: PlatformctlSettings): Promise<string> {
    const { code, stdout, stderr } = await run(line, settings);
    expect({ line, code, stderr }).toEqual({ line, code: 0, stderr: '' });
    return stdout;
  }

  /** An object as the plane has it: a patch of nothing shows it. */
  const objectOf = async (name: string): Promise<unknown> =>
    JSON.parse(await succeed(`patch ${name} --type=merge -p {} -o json`));

  const file = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);

  /** An editor that does what a script of sed says, once for each round, and keeps what it was shown. */
  async function editor(...rounds: string[]): Promise<Record<string, string>> {
    const path = join(folder, 'editor.sh');
    for (const [at, script] of rounds.entries()) await file(`round-${at}`, script);
    await file(
      'editor.sh',
      `#!/bin/sh\nn=$(ls ${folder}/shown-* 2>/dev/null | wc -l)\ncp "$1" ${folder}/shown-$n\n[ -f ${folder}/round-$n ] && sed -i -f ${folder}/round-$n "$1"\nexit 0\n`,
    );
    await chmod(path, 0o755);
    return { PLATFORM_EDITOR: path, PATH: process.env.PATH ?? '' };
  }

  const shown = async (): Promise<string[]> => {
    const names = (await readdir(folder)).filter((name) => name.startsWith('shown-')).sort();
    return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  };

  it('stores what was changed', async () => {
    await succeed('create configmap a --from-literal=k=v');
    expect(await succeed('edit cm a', { env: await editor('s/k: v/k: other/') })).toBe('configmap/a edited\n');
    expect(await objectOf('cm/a')).toMatchObject({ data: { k: 'other' } });
  });

  it('comes back with the reason when it is refused, and is stored when that is mended', async () => {
    await succeed('create configmap a --from-literal=k=v');
    const env = await editor('s/k: v/k: 7/', 's/k: 7/k: "7"/');
    const { code, stdout, stderr } = await run('edit cm a', { env });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'configmap/a edited\n' });
    expect(stderr).toBe('error: configmaps "a" is invalid\n');
    const [, second = ''] = await shown();
    expect(second).toMatch(/^# configmaps "a" was not valid:\n# \* patch: Invalid value/m);
    expect(await objectOf('cm/a')).toMatchObject({ data: { k: '7' } });
  });

  it('without changes changes nothing', async () => {
    await succeed('create configmap a');
    expect(await run('edit cm a', { env: await editor() })).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Edit cancelled, no changes made.\n',
    });
  });

  it('of nothing at all is cancelled', async () => {
    await succeed('create configmap a');
    expect((await run('edit cm a', { env: await editor('d') })).stderr).toBe('Edit cancelled, saved file was empty.\n');
  });

  it('that is given up keeps a copy of what was written', async () => {
    await succeed('create configmap a --from-literal=k=v');
    const { code, stderr } = await run('edit cm a', { env: await editor('s/k: v/k: 7/') });
    expect(code).toBe(1);
    const [, copy = ''] = /A copy of your changes has been stored to "(.*)"/.exec(stderr) ?? [];
    expect(await readFile(copy, 'utf8')).toContain('k: 7');
    await removeDirectory(join(copy, '..'));
  });

  it('of several objects shows them as a list, and stores each that was changed', async () => {
    await succeed('create configmap a --from-literal=k=v');
    await succeed('create configmap b --from-literal=k=w');
    expect(await succeed('edit cm a b', { env: await editor('s/k: w/k: x/') })).toBe(
      'configmap/a skipped\nconfigmap/b edited\n',
    );
    expect((await shown())[0]).toMatch(/^kind: List$/m);
  });

  it('may come before creation', async () => {
    const manifest = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' }, data: { k: 'v' } };
    const env = await editor('s/k: v/k: edited/');
    expect(await succeed('create --edit -f -', { env, stdin: JSON.stringify(manifest) })).toBe('configmap/a created\n');
    expect(await objectOf('cm/a')).toMatchObject({ data: { k: 'edited' } });
  });
});

describe.runIf(havePeer('tmux', '-V') && VI !== undefined)('platformctl in a terminal', () => {
  let terminal: Tmux;

  afterEach(() => terminal.close());

  const begin = (line: string): void => {
    const environment = { PLATFORMCONFIG: configFile, EDITOR: `${VI} -u NONE -n`, HOME: directory };
    terminal = new Tmux('sh', { columns: COLUMNS, rows: 24 }, environment);
    typeLine(`cd ${directory}; ${process.execPath} ${PROGRAM} ${line}; echo "ended with $?"`);
  };

  const typeLine = (text: string): void => {
    terminal.type(text);
    terminal.press('Enter');
  };

  it('edits an object in vi, is told what is wrong, mends it, and stores it', async () => {
    await platformctl.succeed('create', 'configmap', 'edited', '--from-literal=k=before');
    begin('edit cm edited');
    await terminal.shows(/k: before/);
    typeLine(':%s/k: before/k: 7/');
    typeLine(':wq');
    await terminal.shows(/# configmaps "edited" was not valid:/);
    await keepPicture('platformctl-edit', 'An edit that was refused comes back', terminal.screen(true), COLUMNS);
    typeLine(':%s/k: 7/k: after/');
    typeLine(':wq');
    await terminal.shows(/configmap\/edited edited\nended with 0/);
    expect(await platformctl.succeed('patch', 'cm', 'edited', '-p', '{}', '-o', 'yaml')).toMatch(/k: after/);
  });

  it('shows the progress of long work, and what became of each object after it', async () => {
    const list = Array.from({ length: 60 }, (_, at) => ({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: `many-${at}` },
    }));
    const manifest = JSON.stringify({ kind: 'List', apiVersion: 'v1', items: list });
    await writeFile(join(directory, 'many.json'), manifest);
    begin('apply -f many.json');
    await terminal.shows(/configmap\/many-59 serverside-applied\nended with 0/);
    expect(terminal.screen()).not.toMatch(/applying \[/);
  });
});
