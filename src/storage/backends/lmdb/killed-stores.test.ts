import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { StoreFile } from './store-file.ts';

/** The long form is `KILLED_STORES=300 npx vitest run src/storage/backends/lmdb/killed-stores.test.ts`. */
const STORES = Number(process.env.KILLED_STORES ?? 3);
const SEED = Number(process.env.KILLED_SEED ?? 1);
/** So many times a store is opened, written to, and killed or closed. */
const LIVES = 4;
/** A writer that does not end by itself is killed after so many milliseconds. */
const LONGEST_LIFE = 400;

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * Writes records of all sizes, deletes and compacts, as its seed says, and then closes the store or goes on until it is
 * killed. Pages are freed and used again all the time, in runs of all lengths.
 */
const WRITER = `
import { LmdbBackend } from ${JSON.stringify(here('lmdb-backend.ts'))};
import { systemRuntime as runtime } from ${JSON.stringify(here('../../../runtime/runtime.ts'))};
let state = Number(process.argv[3]);
const chance = () => {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
};
const backend = new LmdbBackend({ runtime, directory: process.argv[2], vocabulary: 'neutral' });
const newest = new Map();
await backend.open((versions) => versions.forEach((v) => newest.set(v.key, v.deleted ? 0 : v.revision)), () => {});
const keys = 1 + Math.floor(chance() * 400);
const largest = 10 ** (1 + chance() * 4.7);
const rounds = chance() < 0.4 ? Math.ceil(chance() * 30) : 1e9;
process.stdout.write('begun\\n');
for (let round = 0; round < rounds; round++) {
  const many = 1 + Math.floor(chance() * 60);
  const chosen = new Set(Array.from({ length: many }, () => Math.floor(chance() * keys)));
  await Promise.all([...chosen].map(async (at) => {
    const key = '/pods/a/' + at;
    const expected = newest.get(key) ?? 0;
    const remove = expected > 0 && chance() < 0.2;
    const value = { head: '', tail: 'x'.repeat(chance() * chance() * largest) };
    const { revision } = await backend.commit({ key, expected, value, delete: remove });
    newest.set(key, remove ? 0 : revision);
  }));
  if (chance() < 0.3) {
    const current = await backend.current();
    await backend.compact(Math.max(1, current - Math.floor(chance() * 300)));
  }
}
await backend.close();
`;

let workshop: string;
let directory: string;

beforeAll(async () => {
  // Below the checkout, where packages are found.
  await mkdir('.cache', { recursive: true });
  workshop = await mkdtemp(join('.cache', 'killed-stores-'));
  directory = await mkdtemp(join(tmpdir(), 'killed-stores-'));
  await build({
    stdin: { contents: WRITER, resolveDir: workshop },
    outfile: join(workshop, 'writer.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'error',
  });
});

afterAll(async () => {
  await rm(workshop, { recursive: true, force: true });
  await rm(directory, { recursive: true, force: true });
});

/** One life of a store. Gives how its writer ended: a signal, or a code. */
function live(store: string, seed: number): Promise<NodeJS.Signals | number | null> {
  const child = spawn(process.execPath, [join(workshop, 'writer.mjs'), store, String(seed)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.once('data', () => {
    setTimeout(() => child.kill('SIGKILL'), (seed * 7_919) % LONGEST_LIFE).unref();
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(signal ?? code));
  });
}

/** Reads all of a file as a start does. Gives how many records it holds; throws when it takes it for damaged. */
function readAll(store: string): number {
  const file = new StoreFile(join(store, 'data.mdb'));
  let records = 0;
  try {
    file.visitRecords(() => records++);
  } finally {
    file.close();
  }
  return records;
}

it(`${STORES} stores that were killed or closed amid all kinds of writes are sound`, {
  timeout: (STORES + 1) * LIVES * 20_000,
}, async () => {
  let killed = 0;
  let read = 0;
  for (let number = 0; number < STORES; number++) {
    const store = join(directory, String(number));
    for (let life = 0; life < LIVES; life++) {
      const seed = (SEED * 1_000_003 + number * LIVES + life) % 2 ** 31;
      const end = await live(store, seed);
      if (end === 'SIGKILL') killed++;
      else expect(end, `seed ${seed}`).toBe(0);
      try {
        read += readAll(store);
      } catch (error) {
        throw new Error(`store ${number} of seed ${SEED} after life ${life}, which ended with ${end}`, {
          cause: error,
        });
      }
    }
    await rm(store, { recursive: true, force: true });
  }
  expect(killed).toBeGreaterThan(0);
  expect(read).toBeGreaterThan(STORES);
});
