import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { endCommands, startCommand } from './support/command.ts';
import { COMMAND_FOLDER } from './support/command-folder.ts';
import { PATIENCE_MS } from './support/patience.ts';
import { Platformctl } from './support/platformctl.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { Tmux } from './support/tmux.ts';

/** An editor session as people have it: a real terminal, a real editor, keys that are pressed. */

const PROGRAM = fileURLToPath(new URL(`../${COMMAND_FOLDER}/cli/platformctl.js`, import.meta.url));
const VI = ['/usr/bin/vim', '/usr/bin/vi'].find((path) => existsSync(path));
const hasTmux = await Tmux.isThere();

describe.skipIf(!hasTmux || VI === undefined)('platformctl in a terminal', () => {
  let directory: string;
  let configFile: string;
  let platformctl: Platformctl;
  let terminal: Tmux;

  beforeAll(async () => {
    directory = await makeDirectory();
    await startCommand(directory).ready();
    configFile = join(directory, '.platform', 'admin.conf');
    platformctl = new Platformctl(directory, configFile);
  });

  afterEach(() => terminal.end());

  afterAll(async () => {
    await endCommands();
    await removeDirectory(directory);
  });

  const begin = async (line: string): Promise<void> => {
    terminal = new Tmux();
    await terminal.start(`${process.execPath} ${PROGRAM} ${line}; echo "ended with $?"`, directory, {
      PLATFORMCONFIG: configFile,
      EDITOR: `${VI} -u NONE -n`,
      HOME: directory,
    });
  };

  const sees = (text: RegExp): Promise<void> =>
    expect.poll(() => terminal.screen(), { timeout: PATIENCE_MS, interval: 200 }).toMatch(text);

  it('edits an object in vi, is told what is wrong, mends it, and stores it', async () => {
    await platformctl.succeed('create', 'configmap', 'edited', '--from-literal=k=before');
    await begin('edit cm edited');
    await sees(/k: before/);
    await terminal.keys(':%s/k: before/k: 7/', 'Enter', ':wq', 'Enter');
    await sees(/# configmaps "edited" was not valid:/);
    await terminal.keys(':%s/k: 7/k: after/', 'Enter', ':wq', 'Enter');
    await sees(/configmap\/edited edited\nended with 0/);
    expect(await platformctl.succeed('patch', 'cm', 'edited', '-p', '{}', '-o', 'yaml')).toMatch(/k: after/);
  });

  it('shows the progress of long work, and what became of each object after it', async () => {
    const list = Array.from({ length: 60 }, (_, at) => ({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: `many-${at}` },
    }));
    const manifest = JSON.stringify({ kind: 'List', apiVersion: 'v1', items: list });
    const { writeFile } = await import('node:fs/promises');
    await writeFile(join(directory, 'many.json'), manifest);
    await begin('apply -f many.json');
    await sees(/configmap\/many-59 serverside-applied\nended with 0/);
    expect(await terminal.screen()).not.toMatch(/applying \[/);
  });
});
