import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';

const program = fileURLToPath(new URL('support/retained-texts.mjs', import.meta.url));
const run = promisify(execFile);

/** Each request has more than ten times as much in every text of its own. */
const MOST_KEPT = 100_000;

let directory: string;

beforeAll(async () => {
  directory = await makeDirectory();
});

afterAll(() => removeDirectory(directory));

it('what is stored or remembered of a request does not keep its texts', async () => {
  const tokens = join(directory, 'tokens.csv');
  await writeFile(tokens, 'admin,admin,1,system:masters\n');
  const { stdout } = await run(process.execPath, ['--expose-gc', program, tokens]);
  const kept: Record<string, number> = JSON.parse(stdout);
  expect(Object.keys(kept).length).toBe(5);
  for (const [form, bytes] of Object.entries(kept)) expect(bytes, form).toBeLessThan(MOST_KEPT);
});
