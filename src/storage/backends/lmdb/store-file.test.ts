import { writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { open as openLmdb } from 'lmdb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemRuntime as runtime } from '../../../runtime/runtime.ts';
import { StorageRefused, type StoredVersion } from '../../backend.ts';
import { identityOf } from './identity.ts';
import { LmdbBackend } from './lmdb-backend.ts';
import { FileDamaged } from './page-file.ts';
import { copied } from './record.ts';
import { StoreFile } from './store-file.ts';
import { readVersions } from './store-scan.ts';

const PAGE = 4096;
const RUNS = Number(process.env.DAMAGE_RUNS ?? 400);

let directory: string;
let sound: Buffer;
let content: string;

/** What a file holds as text, or that it is refused. Anything else is thrown. */
function read(path: string): string {
  let file: StoreFile | undefined;
  try {
    file = new StoreFile(path);
    const found: StoredVersion[] = [];
    if (file.meta === undefined) return 'refused';
    const identity = identityOf(path, file.meta);
    readVersions(file, identity, { keep: copied }, (versions) => found.push(...versions));
    return JSON.stringify([identity, found.map(({ bytes, ...rest }) => [rest, bytes.toString('latin1')])]);
  } catch (error) {
    if (error instanceof FileDamaged || error instanceof StorageRefused) return 'refused';
    throw error;
  } finally {
    file?.close();
  }
}

/** A store with small and large records in several layers of pages, with deletions, and with pages that are free. */
async function fill(path: string, rounds: number): Promise<void> {
  const backend = new LmdbBackend({ runtime, directory: path, vocabulary: 'neutral' });
  const revisions = new Map<string, number>();
  await backend.open(
    () => undefined,
    () => undefined,
  );
  for (let round = 0; round < rounds; round++) {
    const writes = Array.from({ length: 60 }, async (_, i) => {
      const key = `/pods/a/${(i * 7 + round) % 90}`;
      const text = 'abcdefgh'.repeat((i * i * (round + 3)) % 900);
      const remove = (i + round) % 11 === 0 && (revisions.get(key) ?? 0) > 0;
      const value = { head: '', tail: text };
      const outcome = await backend.commit({ key, expected: revisions.get(key) ?? 0, value, delete: remove });
      revisions.set(key, remove ? 0 : outcome.revision);
    });
    await Promise.all(writes);
    if (round % 3 === 2) await backend.compact((await backend.current()) - 70);
  }
  await backend.close();
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'damage-'));
  await fill(join(directory, 'store'), 12);
  sound = await readFile(join(directory, 'store', 'data.mdb'));
  content = read(join(directory, 'store', 'data.mdb'));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

it('reads what LMDB reads, through any number of transactions and compactions', async () => {
  for (const rounds of [0, 1, 5, 30]) {
    const path = join(directory, `filled-${rounds}`);
    await fill(path, rounds);
    const own: [number, string][] = [];
    const file = new StoreFile(join(path, 'data.mdb'));
    file.visitRecords((revision, record) => own.push([revision, record.toString('latin1')]));
    file.close();
    const root = openLmdb({ path, noSubdir: false, readOnly: true });
    const versions = root.openDB<Buffer, number>({ name: 'versions', encoding: 'binary' });
    const theirs = [...versions.getRange()].map(({ key, value }) => [key, value.toString('latin1')]);
    await root.close();
    expect(own).toEqual(theirs);
  }
});

describe('a damaged file', () => {
  /** The numbers of the last two transactions are all that nothing else vouches for. */
  const isTransaction = (at: number) => at % PAGE >= 152 && at % PAGE < 160 && at < 2 * PAGE;
  const position = fc.nat().map((n) => n % sound.length);
  const page = fc.nat().map((n) => n % (sound.length / PAGE));

  type Damage = (bytes: Buffer) => void;
  const damages: fc.Arbitrary<Damage> = fc.oneof(
    fc.record({ at: position, bit: fc.nat(7) }).map(
      ({ at, bit }): Damage =>
        (bytes) => {
          if (!isTransaction(at)) bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
        },
    ),
    fc.record({ page, from: fc.nat(PAGE - 1), value: fc.nat(255), length: fc.nat(200) }).map(
      (run): Damage =>
        (bytes) => {
          const at = run.page * PAGE + run.from;
          for (let i = at; i < Math.min(at + run.length, bytes.length); i++)
            if (!isTransaction(i)) bytes[i] = run.value;
        },
    ),
    // The words by which pages describe themselves.
    fc.record({ page, word: fc.nat(30), value: fc.nat(65_535) }).map(
      ({ page, word, value }): Damage =>
        (bytes) => {
          if (page > 1) bytes.writeUInt16LE(value, page * PAGE + 2 * word);
        },
    ),
    fc.record({ from: page, to: page }).map(
      ({ from, to }): Damage =>
        (bytes) => {
          if (to > 1) bytes.copy(bytes, to * PAGE, from * PAGE, (from + 1) * PAGE);
        },
    ),
    position.map(
      (length): Damage =>
        (bytes) =>
          bytes.subarray(0, length),
    ),
  );

  it('is refused or holds all that was written, wherever it was changed, cut or mixed up', async () => {
    const path = join(directory, 'damaged.mdb');
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(damages, { maxLength: 3 }), fc.option(position), async (several, length) => {
        const bytes = Buffer.from(sound);
        for (const damage of several) damage(bytes);
        await writeFile(path, bytes.subarray(0, length ?? bytes.length));
        const found = read(path);
        if (found === 'refused') refused++;
        else expect(found === content).toBe(true);
      }),
      { numRuns: RUNS },
    );
    // Most of the file is in use.
    expect(refused).toBeGreaterThan(RUNS / 4);
  });

  it('is refused when an earlier state of its meta pages stands before later pages', async () => {
    const earlier = join(directory, 'earlier');
    await fill(earlier, 3);
    const head = (await readFile(join(earlier, 'data.mdb'))).subarray(0, 2 * PAGE);
    const path = join(directory, 'mixed.mdb');
    await writeFile(path, Buffer.concat([head, sound.subarray(2 * PAGE)]));
    expect(read(path)).toBe('refused');
  });
});

/** Where the words of the first list of free pages begin. The tree of these lists is one leaf here. */
function freeListIn(file: Buffer, meta: number): number {
  const leaf = Number(file.readBigUInt64LE(meta + 88)) * PAGE;
  const node = leaf + 24 + file.readUInt16LE(leaf + 24);
  const value = node + 8 + file.readUInt16LE(node + 6);
  const isElsewhere = file.readUInt16LE(node + 4) === 1;
  return isElsewhere ? Number(file.readBigUInt64LE(value)) * PAGE + 24 : value;
}

it('pages after the end of a file may be free: LMDB takes them and gives them back without writing to them', () => {
  const transactionOf = (meta: number) => sound.readBigUInt64LE(meta + 152);
  const meta = transactionOf(0) > transactionOf(PAGE) ? 0 : PAGE;
  const list = freeListIn(sound, meta);
  const words = Number(sound.readBigUInt64LE(list));
  const at = Array.from({ length: words }, (_, i) => list + 8 * (i + 1)).find(
    (word) => sound.readBigInt64LE(word) > 0n && sound.readBigInt64LE(word - 8) >= 0n,
  );
  if (at === undefined) throw new Error('no page is free alone');
  const path = join(directory, 'behind.mdb');
  for (let behind = 1; behind <= 16; behind++) {
    const file = Buffer.from(sound);
    const page = BigInt(sound.length / PAGE - 1 + behind);
    file.writeBigUInt64LE(page, meta + 144);
    file.writeBigInt64LE(page, at);
    writeFileSync(path, file);
    expect([behind, read(path) === content]).toEqual([behind, true]);
    file.writeBigInt64LE(page + 1n, at);
    writeFileSync(path, file);
    expect([behind, read(path)]).toEqual([behind, 'refused']);
  }
});

it('a store without checksums is read, and what is written to it from then on has them', async () => {
  const path = join(directory, 'first-format');
  await mkdir(path);
  const root = openLmdb({ path, noSubdir: false });
  const record = Buffer.concat([Buffer.from([0, 0, 0, 0, 0, 0, 9, 0, 9]), Buffer.from('/pods/a/1old')]);
  await root.openDB({ name: 'meta', encoding: 'string' }).put('format', '1');
  await root.openDB({ name: 'meta', encoding: 'string' }).put('vocabulary', 'neutral');
  await root.openDB<Buffer, number>({ name: 'versions', encoding: 'binary' }).put(7, record);
  await root.close();

  const open = async () => {
    const backend = new LmdbBackend({ runtime, directory: path, vocabulary: 'neutral' });
    const loaded: string[] = [];
    await backend.open(
      (versions) => loaded.push(...versions.map(({ key, bytes, time }) => `${key} ${bytes} ${time}`)),
      () => undefined,
    );
    return { backend, loaded };
  };
  const { backend, loaded } = await open();
  expect(loaded).toEqual(['/pods/a/1 old 9']);
  await backend.commit({ key: '/pods/a/2', expected: 0, value: { head: 'new', tail: '' } });
  await backend.close();

  const file = new StoreFile(join(path, 'data.mdb'));
  expect(identityOf(path, file.meta ?? new Map())).toMatchObject({ checkedFrom: 8 });
  file.close();
  const again = await open();
  expect(again.loaded.map((line) => line.split(' ', 2).join(' '))).toEqual(['/pods/a/1 old', '/pods/a/2 new8']);
  await again.backend.close();
});
