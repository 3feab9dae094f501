import { readFileSync } from 'node:fs';
import { open as openFile, realpath } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../../../test/support/temporary-directory.ts';
import { StorageRefused, type StoredVersion } from '../../backend.ts';
import { ManualRuntime } from '../../manual-runtime.ts';
import { callHolder } from './directory-lock.ts';
import { LmdbDisk } from './lmdb-disk.ts';
import { type StoreState, withState } from './lmdb-state.ts';

const version = (revision: number, key: string, text: string): StoredVersion => ({
  revision,
  key,
  bytes: Buffer.from(text),
  deleted: false,
  time: 1_700_000_000_000,
});

let directory: string;
let runtime: ManualRuntime;

beforeEach(async () => {
  directory = await realpath(await temporaryDirectory());
  runtime = new ManualRuntime();
});

/** A store that is in use, with a hundred objects. */
async function writer(): Promise<LmdbDisk> {
  const disk = new LmdbDisk({ runtime, directory, vocabulary: 'platform' });
  await disk.open();
  await disk.load(() => undefined);
  onTestFinished(() => disk.close());
  await disk.write({ put: Array.from({ length: 100 }, (_, i) => version(i + 1, `/pods/a/${i}`, 'x'.repeat(i * 40))) });
  return disk;
}

const reading = <T>(use: (state: StoreState) => Promise<T>) => withState({ directory, runtime }, use);

async function all({ versions }: StoreState): Promise<StoredVersion[]> {
  const found: StoredVersion[] = [];
  for await (const version of versions) found.push(version);
  return found;
}

describe('a store that is written to', () => {
  it('is read as of one moment, however much of it is written over meanwhile', async () => {
    const disk = await writer();
    const [before, state] = await reading(async (state) => {
      for (let round = 1; round <= 40; round++) {
        const put = Array.from({ length: 100 }, (_, i) =>
          version(round * 100 + i + 1, `/pods/a/${i}`, 'y'.repeat(round * i)),
        );
        await disk.write({ put, remove: put.map(({ revision }) => revision - 100), compacted: round * 100 });
      }
      return [await all(state), state] as const;
    });
    expect(state).toMatchObject({ vocabulary: 'platform', revision: 100, count: 100 });
    expect(before.map(({ key, bytes }) => [key, bytes.toString()])).toEqual(
      Array.from({ length: 100 }, (_, i) => [`/pods/a/${i}`, 'x'.repeat(i * 40)]),
    );
    const after = await reading(all);
    expect(after.map(({ bytes }) => bytes.toString())).toEqual(
      Array.from({ length: 100 }, (_, i) => 'y'.repeat(40 * i)),
    );
  });

  it('is read past LMDB, which would set back what it knows of the last transaction', async () => {
    await writer();
    const lastTransaction = () => readFileSync(join(directory, 'lock.mdb')).readBigUInt64LE(8);
    const right = lastTransaction();
    // As if transactions went on just when someone opens it. An even number, so that readers find their meta page.
    await writeLastTransaction(right + 1_000n);
    expect(await reading(all)).toHaveLength(100);
    expect(lastTransaction()).toBe(right + 1_000n);
    await writeLastTransaction(right);
  });

  it('stands still until the file is opened, and not for long', async () => {
    const disk = await writer();
    const visitor = await call();
    visitor.write('?');
    expect(await heard(visitor)).toBe('!');
    let isWritten = false;
    const write = disk.write({ put: [version(101, '/pods/a/late', '')] }).then(() => {
      isWritten = true;
    });
    await new Promise(setImmediate);
    expect(isWritten).toBe(false);
    visitor.write('?');
    expect(await heard(visitor)).toBe('!');
    await write;

    const sleeper = await call();
    sleeper.write('?');
    expect(await heard(sleeper)).toBe('!');
    const second = disk.write({ put: [version(102, '/pods/a/later', '')] });
    runtime.advance(2_000);
    await second;
    expect(await heard(sleeper)).toBeUndefined();
  });

  it('lets few read at a time, and nobody for whom it waits in vain', async () => {
    await writer();
    const visitors: Socket[] = [];
    for (let i = 0; i < 4; i++) visitors.push((await call()).resume());
    for (const visitor of visitors) visitor.write('?');
    expect(await heard(await call())).toBeUndefined();
    runtime.advance(10_000);
    await expect.poll(() => visitors.every(({ destroyed }) => destroyed)).toBe(true);
    expect(await reading(all)).toHaveLength(100);
  });

  it('is not read to its end when it is closed meanwhile', async () => {
    const disk = await writer();
    const read = reading(async (state) => {
      await disk.close();
      return all(state);
    });
    await expect(read).rejects.toThrow(StorageRefused);
    await expect(read).rejects.toThrow(/is in use, and cannot be read: try again$/);
  });
});

it('a store that nobody uses is held while it is read', async () => {
  await (await writer()).close();
  const other = new LmdbDisk({ runtime, directory, vocabulary: 'platform' });
  await reading(async (state) => {
    expect(await all(state)).toHaveLength(100);
    await expect(other.open()).rejects.toThrow(`${directory} is in use by process ${process.pid}`);
    await other.close();
  });
  await other.open();
  await other.close();
});

async function writeLastTransaction(number: bigint): Promise<void> {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(number);
  const file = await openFile(join(directory, 'lock.mdb'), 'r+');
  await file.write(bytes, 0, 8, 8).finally(() => file.close());
}

async function call(): Promise<Socket> {
  const socket = await callHolder(directory);
  if (!socket) throw new Error('nobody is there');
  return socket;
}

/** What comes next; undefined when nothing does any more. */
const heard = (socket: Socket): Promise<string | undefined> =>
  new Promise((resolve) => {
    const over = (): void => resolve(undefined);
    if (socket.destroyed) over();
    socket.once('data', (bytes) => resolve(bytes.toString())).once('close', over);
  });
