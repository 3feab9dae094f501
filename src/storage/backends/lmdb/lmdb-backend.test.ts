import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open as openLmdb } from 'lmdb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemRuntime as runtime } from '../../../runtime/runtime.ts';
import { StorageRefused, StorageUnavailable, type StoredVersion } from '../../backend.ts';
import { describeBackend } from '../../contract.ts';
import { LmdbBackend } from './lmdb-backend.ts';

const temporaryDirectory = () => mkdtemp(join(tmpdir(), 'lmdb-'));
const erase = (directory: string) => rm(directory, { recursive: true, force: true });

describeBackend('lmdb', async () => {
  const parent = await temporaryDirectory();
  const directory = join(parent, 'store');
  return {
    create: () => new LmdbBackend({ runtime, directory, vocabulary: 'neutral' }),
    dispose: () => erase(parent),
  };
});

describe('a data directory', () => {
  let parent: string;
  let directory: string;
  const opened: LmdbBackend[] = [];

  beforeEach(async () => {
    parent = await temporaryDirectory();
    directory = join(parent, 'store');
    await mkdir(directory);
  });

  afterEach(async () => {
    for (const backend of opened.splice(0)) await backend.close();
    vi.unstubAllEnvs();
    await erase(parent);
  });

  async function open(path = directory, vocabulary = 'neutral') {
    const backend = new LmdbBackend({ runtime, directory: path, vocabulary });
    const loaded: StoredVersion[] = [];
    await backend.open(
      (versions) => loaded.push(...versions),
      () => undefined,
    );
    opened.push(backend);
    return { backend, loaded };
  }

  async function openRefused(path = directory, vocabulary = 'neutral'): Promise<string> {
    const error = await open(path, vocabulary).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (!(error instanceof StorageRefused)) throw new Error('was not refused', { cause: error });
    return error.message;
  }

  const put = (key: string, text = '') => ({ key, expected: 0, value: { head: '', tail: text } });

  it('is created where it does not exist, for its owner only', async () => {
    const path = join(directory, 'not', 'yet.there');
    await open(path);
    expect((await stat(path)).mode & 0o777).toBe(0o700);
    expect((await stat(join(path, 'data.mdb'))).mode & 0o777).toBe(0o600);
  });

  it('does not open under another vocabulary', async () => {
    const { backend } = await open();
    await backend.close();
    expect(await openRefused(directory, 'other')).toMatch(/vocabulary neutral; it cannot be opened in other$/);
    await open();
  });

  it('does not open when its format is unknown', async () => {
    await (await open()).backend.close();
    const root = openLmdb({ path: directory });
    await root.openDB({ name: 'meta', encoding: 'string' }).put('format', '99');
    await root.close();
    expect(await openRefused()).toMatch(/data format 99; this server reads 2$/);
  });

  it.each(['', 'short', 'x'.repeat(20_000)])('does not open a file that is no environment (%#)', async (text) => {
    await writeFile(join(directory, 'data.mdb'), text);
    expect(await openRefused()).toMatch(/data\.mdb is damaged: .*snapshot restore FILE/);
    expect(await readFile(join(directory, 'data.mdb'), 'utf8')).toBe(text);
  });

  it('leaves alone an environment that someone else filled', async () => {
    const root = openLmdb({ path: directory });
    await root.openDB({ name: 'theirs' }).put('a', 'b');
    await root.close();
    expect(await openRefused()).toMatch(/not a data directory/);
    const again = openLmdb({ path: directory });
    expect(again.getCount()).toBe(1);
    await again.close();
  });

  it('is held by one backend at a time', async () => {
    const first = await open();
    expect(await openRefused()).toBe(`${directory} is in use by process ${process.pid}`);
    await first.backend.close();
    await open();
  });

  it('is never given to two who come at once', async () => {
    const attempts = await Promise.allSettled(Array.from({ length: 5 }, () => open()));
    expect(attempts.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
  });

  it('is free again when its holder was killed', async () => {
    const hold = `require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`;
    const { signal } = spawnSync(process.execPath, ['-e', hold, join(directory, 'lock.1.0123456789ab')]);
    expect(signal).toBe('SIGKILL');
    await open();
    expect(await readdir(directory)).not.toContain('lock.1.0123456789ab');
  });

  it('does not grow because someone who read it was killed', async () => {
    const { backend } = await open();
    const text = 'x'.repeat(200_000);
    let { revision } = await backend.commit(put('/pods/a/1', text));
    const read = `
      import { open } from 'lmdb';
      const root = open({ path: process.argv[1], noSubdir: false, readOnly: true });
      root.useReadTransaction();
      process.kill(process.pid, 'SIGKILL');`;
    const { signal } = spawnSync(process.execPath, ['--input-type=module', '-e', read, directory]);
    expect(signal).toBe('SIGKILL');
    for (let i = 0; i < 25; i++) {
      ({ revision } = await backend.commit({ ...put('/pods/a/1', text), expected: revision }));
      await backend.compact(revision);
    }
    expect((await stat(join(directory, 'data.mdb'))).size).toBeLessThan(3_000_000);
  });

  it('can have a path that is too long for a socket', async () => {
    const path = join(directory, 'long'.repeat(30));
    vi.stubEnv('TMPDIR', directory);
    await open(path);
    expect(await openRefused(path)).toMatch(/is in use/);
  });

  it('is refused in one line when it cannot be opened at all', async () => {
    const path = join(directory, 'taken');
    await mkdir(join(path, 'data.mdb'), { recursive: true });
    expect(await openRefused(path)).toMatch(/^cannot open .*taken: [^\n]+$/);
  });

  it('holds much more than it was created for', async () => {
    const { backend } = await open();
    const text = 'x'.repeat(100_000);
    await Promise.all(Array.from({ length: 100 }, (_, i) => backend.commit(put(`/pods/a/${i}`, text))));
    await backend.close();
    const { loaded } = await open();
    expect(loaded).toHaveLength(100);
    expect(loaded.every(({ revision, bytes }) => bytes.toString() === `${revision}${text}`)).toBe(true);
  });

  it.runIf(spawnSync('prlimit', ['--version']).status === 0)(
    'tells when the disk is full, and goes on when there is room again',
    async () => {
      const { backend } = await open();
      const kept = await backend.commit(put('/pods/a/1'));
      const text = 'x'.repeat(1_000_000);
      const { size } = await stat(join(directory, 'data.mdb'));
      limitFileSize(String(size + 100_000));
      const failed = [backend.commit(put('/pods/a/2', text)), backend.commit(put('/pods/a/3', text))];
      const results = await Promise.allSettled(failed);
      const stillFull = await Promise.allSettled([backend.commit(put('/pods/a/2', text))]);
      limitFileSize('unlimited');
      for (const result of [...results, ...stillFull]) {
        expect(result.status === 'rejected' && result.reason).toBeInstanceOf(StorageUnavailable);
      }
      const later = await backend.commit(put('/pods/a/2', text));
      expect(later).toMatchObject({ conflict: false });
      await backend.close();
      const { loaded } = await open();
      expect(loaded.map(({ revision }) => revision)).toEqual([kept.revision, later.revision]);
    },
  );
});

/** Bounds how large a file this process may write, which fails a write just as a full disk does. */
function limitFileSize(bytes: string): void {
  const { status } = spawnSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`]);
  expect(status).toBe(0);
}
