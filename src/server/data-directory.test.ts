import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { prepareDataDirectory } from './data-directory.ts';

function place(): string {
  const directory = mkdtempSync(join(tmpdir(), 'data-directory-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

const full = () => ({ blocks: 1_000, bavail: 16, bsize: 4096 });

it('makes the directory and those above it, for their owner only', async () => {
  const path = join(place(), 'not', 'yet', 'there');
  prepareDataDirectory(path);
  prepareDataDirectory(path);
  for (const made of [path, join(path, '..')]) expect((await stat(made)).mode & 0o777).toBe(0o700);
});

it('refuses a file system without room for a store', () => {
  const path = place();
  const reason = `cannot use the data directory ${path}: its file system has 64 KiB left, 2048 KiB are needed`;
  expect(() => prepareDataDirectory(path, full)).toThrow(reason);
});

it('leaves a store that is there to find room inside, and file systems alone that do not count', async () => {
  prepareDataDirectory(place(), () => ({ blocks: 0, bavail: 0, bsize: 4096 }));
  const path = place();
  await mkdir(join(path, 'store'));
  await writeFile(join(path, 'store', 'data.mdb'), '');
  prepareDataDirectory(path, full);
});
