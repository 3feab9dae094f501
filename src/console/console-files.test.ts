import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { makeDirectory, removeDirectory } from '../../test/support/temporary-directory.ts';
import { ConsoleFiles } from './console-files.ts';

it('very many who take nothing compressed share one copy: whoever asks need not have logged in, nor read it', async () => {
  const folder = await makeDirectory();
  onTestFinished(() => removeDirectory(folder));
  await writeFile(join(folder, 'manifest.json'), JSON.stringify({ files: { 'a.js': { type: 'text/javascript' } } }));
  await writeFile(join(folder, 'a.js.gz'), gzipSync('x'.repeat(1_000_000)));
  const files = new ConsoleFiles(folder);
  const plain = async () => (await files.find('a.js'))?.plain();
  const [first, ...others] = await Promise.all(Array.from({ length: 100 }, plain));
  expect(first?.length).toBe(1_000_000);
  expect(others.every((one) => one === first)).toBe(true);
  expect(await plain()).toBe(first);
  expect(await files.find('__proto__')).toBeUndefined();
});
