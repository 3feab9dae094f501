import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { COMMAND_FOLDER } from '../support/command-folder.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import type { ManyPlanes } from './many-planes.mjs';

/** The short form of many-planes.mjs, in a process of its own: other tests have ports and memory too. */

const PLANES = 40;
const root = new URL('../..', import.meta.url);

/** What a plane that has stopped may leave behind, in bytes: code that is compiled later, and growing tables of the engine. */
const LEFT_BY_EACH = 100_000;

it('many planes in one process leave neither ports, connections nor memory behind', async () => {
  const moduleIn = (path: string) => JSON.stringify(new URL(path, root).href);
  const bundled = (path: string) => JSON.stringify(pathToFileURL(join(COMMAND_FOLDER, path)).href);
  const program = `
    const { startMany } = await import(${moduleIn('test/testing/many-planes.mjs')});
    const testing = await import(${bundled('testing/index.js')});
    const client = await import(${bundled('client/index.js')});
    console.log(JSON.stringify(await startMany(${PLANES}, [${PLANES / 2}, ${PLANES}], { testing, client })));
  `;
  const file = join(await temporaryDirectory(), 'program.mjs');
  await writeFile(file, program);
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', file]);
  const { held, before, after }: ManyPlanes = JSON.parse(stdout);
  expect([before, after]).toEqual([[], []]);
  const [half = 0, all = 0] = held;
  expect(half).toBeGreaterThan(0);
  expect(all - half).toBeLessThan((PLANES / 2) * LEFT_BY_EACH);
});
