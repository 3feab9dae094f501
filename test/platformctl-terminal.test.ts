import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { COMMAND_FOLDER } from './support/command-folder.ts';
import { insist } from './support/patience.ts';
import { havePeer } from './support/peers.ts';
import { keepPicture } from './support/screen-picture.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';
import { Tmux } from './support/tmux.ts';

/**
 * platformctl in a terminal, as people see it. With `PICTURES=docs/images` what they see is kept as pictures there.
 */

const PODS = '/api/v1/namespaces/default/pods';
const PATCH = { 'content-type': 'application/merge-patch+json' };
const COLUMNS = 64;
const ROWS = 12;
const program = fileURLToPath(new URL(`../${COMMAND_FOLDER}/cli/platformctl.cjs`, import.meta.url));

let plane: TestServer;
let directory: string;
let terminal: Tmux;

beforeAll(async () => {
  plane = await startTestServer();
  directory = await makeDirectory();
  await writeFile(join(directory, 'config'), plane.server.adminConfig);
  await mkdir(join(directory, 'bin'));
  const script = `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`;
  await writeFile(join(directory, 'bin', 'platformctl'), script, { mode: 0o755 });
  for (const name of ['web-1', 'web-2', 'worker']) await createPod(name);
  await setStatus('web-1', { phase: 'Running' });
  await setStatus('worker', { phase: 'Failed', reason: 'Evicted' });
});

afterAll(async () => {
  await plane.close();
  await removeDirectory(directory);
});

afterEach(() => terminal.close());

async function createPod(name: string): Promise<void> {
  const spec = { automountServiceAccountToken: false, containers: [{ name: 'a', image: 'a' }] };
  expect((await plane.admin.request('POST', PODS, { metadata: { name }, spec })).status).toBe(201);
}

async function setStatus(name: string, status: object): Promise<void> {
  expect((await plane.admin.request('PATCH', `${PODS}/${name}/status`, { status }, PATCH)).status).toBe(200);
}

function open(shell: string): Tmux {
  return new Tmux(
    shell,
    { columns: COLUMNS, rows: ROWS },
    {
      PATH: `${join(directory, 'bin')}:${process.env.PATH}`,
      HOME: directory,
      PLATFORMCONFIG: join(directory, 'config'),
      PS1: '$ ',
      TERM: 'screen-256color',
    },
  );
}

const keep = (name: string, title: string): Promise<void> => keepPicture(name, title, terminal.screen(true), COLUMNS);

describe.runIf(havePeer('tmux', '-V'))('platformctl in a terminal', () => {
  it('shows a table in colours', async () => {
    terminal = open('bash --norc --noprofile');
    await terminal.shows(/\$/);
    terminal.type('clear; platformctl get pods');
    terminal.press('Enter');
    await terminal.shows(/worker +0\/1 +Evicted.*\n\$/);
    const screen = terminal.screen(true);
    expect(screen).toContain('\x1b[31mEvicted');
    expect(screen).toContain('\x1b[33mPending');
    expect(screen).toContain('\x1b[32mRunning');
    await keep('platformctl-get', 'A table in colours');
  });

  it('keeps a table up to date in place, whatever the size of the terminal', async () => {
    terminal = open('bash --norc --noprofile');
    await terminal.shows(/\$/);
    terminal.type('clear; platformctl get pods -w --live');
    terminal.press('Enter');
    await terminal.shows(/web-2 +0\/1 +Pending/);
    expect(terminal.isCursorShown).toBe(false);
    await createPod('web-3');
    await terminal.shows(/worker [\s\S]*web-3 +0\/1 +Pending/);
    await setStatus('web-2', { phase: 'Running' });
    const screen = await terminal.shows(/web-2 +0\/1 +Running/);
    expect(screen.match(/web-2/g), 'one row, not two').toHaveLength(1);
    await keep('platformctl-live', 'A table in place');
    expect((await plane.admin.request('DELETE', `${PODS}/web-3?gracePeriodSeconds=0`)).status).toBe(200);
    await insist(() => expect(terminal.screen()).not.toContain('web-3'));
    terminal.resize(30, 4);
    await terminal.shows(/… and 2 more/);
    terminal.resize(COLUMNS, ROWS);
    await terminal.shows(/worker/);
    terminal.press('C-c');
    await terminal.shows(/\$ *\n*$/);
    expect(terminal.isCursorShown).toBe(true);
  });

  it('completes lines in bash', async () => {
    terminal = open('bash --norc --noprofile');
    await terminal.shows(/\$/);
    terminal.type('source <(platformctl completion bash); clear');
    terminal.press('Enter');
    await terminal.shows(/^\$/);
    terminal.type('platformctl get pods wor');
    terminal.press('Tab');
    await terminal.shows(/get pods worker/);
    terminal.type('-o js');
    terminal.press('Tab');
    await terminal.shows(/-o json/);
    terminal.press('C-u');
    terminal.type('platformctl get --namespace=defau');
    terminal.press('Tab');
    await terminal.shows(/--namespace=default/);
    terminal.type('pod/web-');
    terminal.press('Tab');
    terminal.press('Tab');
    await terminal.shows(/pod\/web-1 +pod\/web-2/);
    await keep('platformctl-completion', 'Completion in bash');
  });

  it.runIf(havePeer('zsh', '--version'))('completes lines in zsh', async () => {
    terminal = open('zsh -f');
    await terminal.shows(/[$%#]/);
    terminal.type('autoload -U compinit; compinit -D; source <(platformctl completion zsh); clear');
    terminal.press('Enter');
    await insist(() => expect(terminal.screen()).not.toContain('compinit'));
    terminal.type('platformctl get pods wor');
    terminal.press('Tab');
    await terminal.shows(/get pods worker/);
  });

  it.runIf(havePeer('fish', '--version'))('completes lines in fish', async () => {
    terminal = open('fish --no-config');
    await terminal.shows(/[>#]/);
    terminal.type('platformctl completion fish | source; clear');
    terminal.press('Enter');
    await insist(() => expect(terminal.screen()).not.toContain('source'));
    terminal.type('platformctl get pods wor');
    terminal.press('Tab');
    await terminal.shows(/get pods worker/);
  });
});
