import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ShiftableRuntime } from '../../../test/support/shiftable-runtime.ts';
import { makeDirectory, removeDirectory, temporaryDirectory } from '../../../test/support/temporary-directory.ts';
import type { Fields } from '../../outbound/config-fields.ts';
import { systemRuntime } from '../../runtime/runtime.ts';
import { type ConfigEdit, changeConfig } from './config-edit.ts';
import type { ConfigSources } from './config-sources.ts';
import { loadConfig } from './merged-config.ts';

const toJson = (document: Fields): string => JSON.stringify(document);
const readJson = async (file: string) => JSON.parse(await readFile(file, 'utf8'));

const change = (files: readonly string[], edit: (edit: ConfigEdit) => void, isExplicit = false) =>
  changeConfig({ files, isExplicit }, systemRuntime, toJson, edit);

describe('a configuration that is changed', () => {
  it('is for its owner alone, in a folder that is made for it', async () => {
    const file = join(await temporaryDirectory(), 'home', '.platform', 'config');
    await change([file], (edit) => edit.set('users', 'u', { token: 'secret' }));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await chmod(file, 0o644);
    await change([file], (edit) => edit.set('users', 'u', { token: 'other' }));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('leaves nothing beside it, and a link to it is one afterwards', async () => {
    const directory = await temporaryDirectory();
    await mkdir(join(directory, 'real'));
    await writeFile(join(directory, 'real', 'config'), '{}');
    await symlink(join('real', 'config'), join(directory, 'config'));
    await change([join(directory, 'config')], (edit) => edit.setCurrentContext('x'));
    expect((await lstat(join(directory, 'config'))).isSymbolicLink()).toBe(true);
    expect(await readJson(join(directory, 'real', 'config'))).toMatchObject({ 'current-context': 'x' });
    expect(await readdir(directory)).toEqual(['config', 'real']);
    expect(await readdir(join(directory, 'real'))).toEqual(['config']);
  });

  it('keeps what nobody here knows, wherever it stands', async () => {
    const file = join(await temporaryDirectory(), 'config');
    const strange = { b: { d: 1, c: 2 } };
    const document = {
      top: strange,
      preferences: { size: 3 },
      clusters: [{ name: 'c', note: 'n', cluster: { server: 's', strange } }],
      users: [{ name: 'u', user: { exec: { command: 'x', strange } } }],
    };
    await writeFile(file, JSON.stringify(document));
    await change([file], (edit) => edit.set('clusters', 'c', { ...edit.entry('clusters', 'c'), server: 't' }));
    expect(await readJson(file)).toMatchObject({
      ...document,
      clusters: [{ name: 'c', note: 'n', cluster: { server: 't', strange } }],
    });
  });

  it('is not written when nothing was changed, or the change failed', async () => {
    const file = join(await temporaryDirectory(), 'config');
    const text = '# mine\nusers: [{name: u, user: {token: t}}]\n';
    await writeFile(file, text);
    await change([file], (edit) => edit.set('users', 'u', { token: 't' }));
    const failing = change([file], (edit) => {
      edit.set('users', 'u', { token: 'other' });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  it('is changed by many at once, one after the other', async () => {
    const directory = await temporaryDirectory();
    const file = join(directory, 'config');
    const names = Array.from({ length: 12 }, (_, index) => `u${index}`);
    await Promise.all(names.map((name) => change([file], (edit) => edit.set('users', name, { token: name }))));
    const { merged } = await loadConfig({ files: [file], isExplicit: true });
    expect([...merged.users.keys()].sort()).toEqual([...names].sort());
    expect(await readdir(directory)).toEqual(['config']);
  });

  it('waits for the lock of another program, and then says which it is', async () => {
    const directory = await temporaryDirectory();
    const file = join(directory, 'config');
    await writeFile(`${file}.lock`, '');
    const runtime = new ShiftableRuntime();
    const sources: ConfigSources = { files: [file], isExplicit: false };
    const waiting = changeConfig(sources, runtime, toJson, (edit) => edit.setCurrentContext('x'));
    const failed = expect(waiting).rejects.toThrow(
      `open ${file}.lock: file exists; another program changes the configuration, or one has left it behind`,
    );
    let isOver = false;
    void failed.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      runtime.advance(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await failed;
    expect(await readdir(directory)).toEqual(['config.lock']);
  });
});

describe('of several files', () => {
  it('each entry is changed in the file that decides about it, and the others stay as they are', async () => {
    const list = fc.constantFrom('clusters', 'users', 'contexts');
    const name = fc.constantFrom('a', 'b', 'c', 'new');
    const placed = fc.array(fc.tuple(fc.nat({ max: 2 }), list, name), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(placed, list, name, fc.boolean(), async (entries, changedList, changedName, isRemoval) => {
        const directory = await makeDirectory();
        const files = [0, 1, 2].map((index) => join(directory, String(index)));
        for (const [index, file] of files.entries()) {
          const mine = entries.filter(([at]) => at === index);
          const items = (which: string) =>
            mine
              .filter(([, each]) => each === which)
              .map(([, , each]) => ({ name: each, [which.slice(0, -1)]: { at: index } }));
          const document = { clusters: items('clusters'), users: items('users'), contexts: items('contexts') };
          await writeFile(file, JSON.stringify(document));
        }
        const before = await Promise.all(files.map(readJson));
        await change(files, (edit) =>
          isRemoval ? edit.remove(changedList, changedName) : edit.set(changedList, changedName, { changed: true }),
        );
        const after = await Promise.all(files.map(readJson));
        const having = entries.filter(([, each, one]) => each === changedList && one === changedName).map(([at]) => at);
        const expected = having.length === 0 ? 0 : Math.min(...having);
        const changedAt = after.flatMap((document, index) =>
          JSON.stringify(document) === JSON.stringify(before[index]) ? [] : [index],
        );
        expect(changedAt).toEqual(isRemoval && having.length === 0 ? [] : [expected]);
        const { merged } = await loadConfig({ files, isExplicit: false });
        const others = having.filter((at) => at !== expected);
        const left = others.length === 0 ? undefined : { at: Math.min(...others) };
        const found = merged[changedList].get(changedName)?.fields;
        if (isRemoval) expect(found?.at).toBe(left?.at);
        else expect(found).toMatchObject({ changed: true });
        await removeDirectory(directory);
      }),
      { numRuns: 60 },
    );
  });
});
