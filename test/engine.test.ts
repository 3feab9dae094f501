import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Command } from './support/command.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';

const probe = fileURLToPath(new URL('support/made-young.cjs', import.meta.url));

let directory: string;

beforeAll(async () => {
  directory = await makeDirectory();
});

afterAll(() => removeDirectory(directory));

it('in a server nothing is made old because what was made before it survived', async () => {
  const engine = ['--require', probe];
  const server = new Command(['--storage=memory', '--secure-port=0'], directory, undefined, engine);
  await server.ready();
  server.signal('SIGUSR2');
  await expect.poll(() => server.stdout).toMatch(/made old: \d+ MB/);
  server.signal('SIGTERM');
  const { stdout } = await server.exit;
  expect(Number(/made old: (\d+) MB/.exec(stdout)?.[1])).toBeLessThan(2);
});
