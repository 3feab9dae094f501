import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readdir, symlink } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PackedProject } from './support/packed-project.ts';
import { havePeer, kubectlPrograms } from './support/peers.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';

/**
 * Each folder of `examples/` is a project of a user. Its tests are run by its own `npm test`, in a copy beside which the
 * package of this checkout is installed as it would be published.
 */

const checkout = fileURLToPath(new URL('..', import.meta.url));
const folder = join(checkout, 'examples');

/** Compiling Go and loading everything anew, on a machine that does other things. */
const LONGEST_MS = 240_000;

interface Example {
  /** Whether what it needs beside Node is on this machine. */
  readonly possible: boolean;
  /** What is printed when its tests have run: how many there are, so that none is skipped unnoticed. */
  readonly says: RegExp;
}

const [kubectl] = kubectlPrograms();

const EXAMPLES: Readonly<Record<string, Example>> = {
  controller: { possible: true, says: /Tests +5 passed \(5\)/ },
  operator: { possible: havePeer('openssl', 'version'), says: /Tests +6 passed \(6\)/ },
  'kubectl-tool': { possible: kubectl !== undefined, says: /Tests +3 passed \(3\)/ },
  go: { possible: havePeer('go', 'version'), says: /^ok +\t?example\.com\/counter/m },
};

let directory: string;
let project: PackedProject;

beforeAll(async () => {
  directory = await makeDirectory();
  project = await PackedProject.make(directory);
  await project.link('vitest');
  await symlink(join(checkout, 'node_modules/.bin/vitest'), project.path('node_modules/.bin/vitest'));
}, LONGEST_MS);

afterAll(() => removeDirectory(directory));

/** Runs a program to its end; gives what it prints, also when it fails. */
const run = (program: string, args: readonly string[], cwd: string): Promise<string> =>
  promisify(execFile)(program, args, { cwd, env: environment(), timeout: LONGEST_MS, killSignal: 'SIGTERM' }).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `failed:\n${stdout}${stderr}`,
  );

function environment(): NodeJS.ProcessEnv {
  // Whoever runs this file is vitest too, and says so in variables that its children would believe.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST') && name !== 'NODE_ENV');
  const path = [dirname(process.execPath), kubectl && dirname(kubectl.path), process.env.PATH];
  return { ...Object.fromEntries(own), PATH: path.filter(Boolean).join(delimiter), NO_COLOR: '1' };
}

describe.each(Object.entries(EXAMPLES))('examples/%s', { timeout: 2 * LONGEST_MS }, (name, { possible, says }) => {
  it.skipIf(!possible)('is green by its own npm test, with the package installed', async () => {
    const copy = project.path(name);
    await cp(join(folder, name), copy, { recursive: true, filter: (path) => !path.includes('node_modules') });
    if (existsSync(join(copy, 'tsconfig.json'))) {
      expect(await run(process.execPath, [join(checkout, 'node_modules/typescript/bin/tsc'), '-p', copy], copy)).toBe(
        '',
      );
    }
    expect(await run('npm', ['test', '--silent'], copy)).toMatch(says);
  });
});

it('every example is run', async () => {
  const folders = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  expect(folders.map((entry) => entry.name).sort()).toEqual(Object.keys(EXAMPLES).sort());
});
