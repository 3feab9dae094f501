import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConsoleFiles } from './console-files.ts';

let folder = '';
let files: ConsoleFiles;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'console-files-'));
  files = new ConsoleFiles(folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const addManifest = () =>
  writeFile(join(folder, 'manifest.json'), JSON.stringify({ files: { 'a.js': { type: 'text/javascript' } } }));
const addFile = () => writeFile(join(folder, 'a.js.gz'), gzipSync('text'));

describe('a file of the console', () => {
  it('is read once', async () => {
    await addManifest();
    await addFile();
    const [one, other] = await Promise.all([files.find('a.js'), files.find('a.js')]);
    await rm(join(folder, 'a.js.gz'));
    expect(one?.compressed).toBe(other?.compressed);
    expect((await files.find('a.js'))?.compressed).toBe(one?.compressed);
    expect(String(await one?.plain())).toBe('text');
  });

  it('that could not be read is read once it can be', async () => {
    await expect(files.find('a.js')).rejects.toThrow('ENOENT');
    await addManifest();
    await expect(files.find('a.js')).rejects.toThrow('ENOENT');
    await addFile();
    expect(await files.find('a.js')).toMatchObject({ type: 'text/javascript' });
  });

  it('is none that the manifest does not name, whatever is in the folder or every object has', async () => {
    await addManifest();
    await writeFile(join(folder, 'b.js.gz'), gzipSync('text'));
    for (const name of ['b.js', 'constructor', '__proto__', '']) expect(await files.find(name)).toBeUndefined();
  });

  it('that very many take who take nothing compressed is there once: who asks need not have logged in, nor read it', async () => {
    await addManifest();
    await writeFile(join(folder, 'a.js.gz'), gzipSync('x'.repeat(1_000_000)));
    const plain = async () => (await files.find('a.js'))?.plain();
    const [first, ...others] = await Promise.all(Array.from({ length: 100 }, plain));
    expect(first?.length).toBe(1_000_000);
    expect(others.every((one) => one === first)).toBe(true);
    expect(await plain()).toBe(first);
  });
});
