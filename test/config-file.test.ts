import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readConfigFile } from '../src/settings/config-file.ts';
import { DEFAULT_SETTINGS } from '../src/settings/settings.ts';
import { Command, endCommands, runCommand } from './support/command.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';

/** `--config` and `--print-config` of the command. */

let directory: string;

beforeEach(async () => {
  directory = await temporaryDirectory();
});

afterEach(endCommands);

it('a server starts with the settings of a file', async () => {
  await writeFile(join(directory, 'config.yaml'), 'secure-port: 0\nstorage: memory\ndata-dir: here\n');
  const command = new Command(['--config=config.yaml'], directory);
  await command.ready();
  expect(command.stdout).toContain('(objects in memory only)');
  expect((await readdir(directory)).sort()).toEqual(['config.yaml', 'here']);
  command.signal('SIGTERM');
  expect((await command.exit).code).toBe(0);
});

it('--print-config shows what would count, as a file that says the same, and starts nothing', async () => {
  await writeFile(join(directory, 'config.yaml'), 'secure-port: 1\nfeature-gates: { AllAlpha: false }\n');
  const { code, stdout, stderr } = await runCommand(
    directory,
    '--config=config.yaml',
    '--secure-port=2',
    '--print-config',
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(await readdir(directory)).toEqual(['config.yaml']);
  await writeFile(join(directory, 'shown.yaml'), stdout);
  expect({ ...DEFAULT_SETTINGS, ...(await readConfigFile(join(directory, 'shown.yaml'))) }).toEqual({
    ...DEFAULT_SETTINGS,
    securePort: 2,
    featureGates: ['AllAlpha=false'],
  });
});

it('a file that is wrong starts nothing, and is named', async () => {
  await writeFile(join(directory, 'config.yaml'), 'secure-prot: 1\n');
  const { code, stderr } = await runCommand(directory, '--config=config.yaml');
  expect(code).toBe(1);
  expect(stderr).toBe('platform-apiserver: config.yaml: there is no flag --secure-prot; --help lists all\n');
  expect(await readdir(directory)).toEqual(['config.yaml']);
});
