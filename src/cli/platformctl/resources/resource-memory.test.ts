import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeDirectory, removeDirectory } from '../../../../test/support/temporary-directory.ts';
import { vocabularies } from '../../../vocabulary/vocabulary.ts';
import { ResourceMemory } from './resource-memory.ts';
import { ServedResources } from './served-resources.ts';

const SERVER = 'https://127.0.0.1:6443';
const resources = (plural: string): ServedResources =>
  new ServedResources(
    [
      {
        group: '',
        version: 'v1',
        plural,
        kind: 'Pod',
        namespaced: true,
        verbs: ['get'],
        singular: 'pod',
        shortNames: ['po'],
        categories: ['all'],
        subresources: [],
      },
    ],
    vocabularies.platform,
  );

let folder: string;
beforeEach(async () => {
  folder = await makeDirectory();
});
afterEach(() => removeDirectory(folder));

describe('what is remembered of a plane', () => {
  it('is what it served, for a while', async () => {
    const memory = new ResourceMemory(folder, SERVER);
    expect(await memory.read(0)).toBeUndefined();
    await memory.write(resources('pods'), 1000);
    expect((await memory.read(1000))?.named('po').plural).toBe('pods');
    expect(await memory.read(1000 + 10 * 60_000)).toBeUndefined();
    expect(await memory.read(0), 'a clock that was put back').toBeUndefined();
  });

  it('is not that of another plane', async () => {
    await new ResourceMemory(folder, SERVER).write(resources('pods'), 0);
    expect(await new ResourceMemory(folder, `${SERVER}/a`).read(0)).toBeUndefined();
    expect(await new ResourceMemory(folder, SERVER.replace('https', 'http')).read(0)).toBeUndefined();
  });

  it('is whole, however many write', async () => {
    const memory = new ResourceMemory(folder, SERVER);
    const writers = Array.from({ length: 20 }, (_, at) => memory.write(resources(`pods${at}`), 0));
    const readers = Array.from({ length: 20 }, () => memory.read(0));
    await Promise.all(writers);
    for (const read of await Promise.all(readers)) expect(read === undefined || read.all.length === 1).toBe(true);
    expect(await readdir(join(folder, 'discovery'))).toHaveLength(1);
  });

  it('is nothing where a file holds something else', async () => {
    const memory = new ResourceMemory(folder, SERVER);
    await memory.write(resources('pods'), 0);
    const [file = ''] = await readdir(join(folder, 'discovery'));
    for (const text of ['', '{', 'null', '[]', '{"format":1,"vocabulary":"constructor"}']) {
      await writeFile(join(folder, 'discovery', file), text);
      expect(await memory.read(0)).toBeUndefined();
    }
  });

  it('is of so many planes at most', async () => {
    for (let port = 1; port < 70; port++) {
      await new ResourceMemory(folder, `https://127.0.0.1:${port}`).write(resources('pods'), 0);
    }
    expect((await readdir(join(folder, 'discovery'))).length).toBeLessThanOrEqual(64);
  });

  it('is no failure where nothing can be written', async () => {
    await writeFile(join(folder, 'discovery'), '');
    await new ResourceMemory(folder, SERVER).write(resources('pods'), 0);
    expect(await new ResourceMemory(folder, SERVER).read(0)).toBeUndefined();
  });
});
