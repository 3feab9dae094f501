import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { tidyCode } from './tidy-code.ts';

const NOW = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidy-code-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function put(name: string, ageMs: number): Promise<void> {
  await writeFile(join(folder, name), 'code');
  await utimes(join(folder, name), new Date(NOW - ageMs), new Date(NOW - ageMs));
}

const names = async (): Promise<string[]> => (await readdir(folder)).sort();

it('code that was kept long ago goes, and what is newer stays', async () => {
  await put('platformctl-quick.cjs-get-v20.19.0-x64', 31 * DAY);
  await put('platformctl-quick.cjs-get-v22.1.0-nightly-arm64', 40 * DAY);
  await put('platformctl-quick.cjs-any-v24.0.0-x64', 29 * DAY);
  tidyCode(folder, NOW);
  expect(await names()).toEqual(['platformctl-quick.cjs-any-v24.0.0-x64']);
});

it('of very many files the newest stay', async () => {
  for (let at = 0; at < 60; at++) await put(`program.cjs-any-v20.${at}.0-x64`, at * MINUTE);
  tidyCode(folder, NOW);
  expect(await names()).toEqual(Array.from({ length: 24 }, (_, at) => `program.cjs-any-v20.${at}.0-x64`).sort());
});

it('drafts go when nobody can be at work on them any more, and do not count', async () => {
  await put('program.cjs-any-v20.0.0-x64.123', 2 * 60 * MINUTE);
  for (let at = 0; at < 30; at++) await put(`program.cjs-any-v20.0.0-x64.${1000 + at}`, MINUTE);
  await put('program.cjs-any-v20.0.0-x64', DAY);
  tidyCode(folder, NOW);
  const left = await names();
  expect(left).toHaveLength(31);
  expect(left).toContain('program.cjs-any-v20.0.0-x64');
  expect(left).not.toContain('program.cjs-any-v20.0.0-x64.123');
});

it('what is not ours stays, whatever it is called', async () => {
  const old = 400 * DAY;
  for (const name of ['notes.txt', 'program.cjs', 'program.cjs-any', 'program.cjs-any-v20.0.0-x64.bak'])
    await put(name, old);
  await mkdir(join(folder, 'program.cjs-any-v20.0.0-x64'));
  await symlink('/etc/hostname', join(folder, 'program.cjs-get-v20.0.0-x64'));
  const before = await names();
  tidyCode(folder, NOW);
  expect(await names()).toEqual(before);
});

it('a folder that is not there is told of', () => {
  expect(() => tidyCode(join(folder, 'none'), NOW)).toThrow('ENOENT');
});

it('many at once do it without a word', async () => {
  for (let at = 0; at < 200; at++) await put(`program.cjs-any-v20.${at}.0-x64`, 40 * DAY + at);
  for (let at = 0; at < 40; at++) await put(`program.cjs-any-v22.${at}.0-x64`, at * MINUTE);
  const outfile = join(folder, 'tidy.cjs');
  const entry = fileURLToPath(new URL('./tidy-code.ts', import.meta.url));
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'cjs' });
  const line = `require(${JSON.stringify(outfile)}).tidyCode(${JSON.stringify(folder)}, ${NOW})`;
  const runs = Array.from({ length: 4 }, () => promisify(execFile)(process.execPath, ['-e', line]));
  for (const { stdout, stderr } of await Promise.all(runs)) expect(stdout + stderr).toBe('');
  expect((await names()).filter((name) => name !== 'tidy.cjs')).toHaveLength(24);
});
