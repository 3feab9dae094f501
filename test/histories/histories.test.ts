import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type Runtime, systemRuntime } from '../../src/runtime/runtime.ts';
import type { Backend } from '../../src/storage/backend.ts';
import { EtcdBackend } from '../../src/storage/backends/etcd/etcd-backend.ts';
import { LmdbBackend } from '../../src/storage/backends/lmdb/lmdb-backend.ts';
import { MemoryBackend, MemoryDisk } from '../../src/storage/backends/memory/memory-backend.ts';
import { Etcd } from '../support/etcd.ts';
import { havePeer } from '../support/peers.ts';
import { makeDirectory, removeDirectory } from '../support/temporary-directory.ts';
import { anyStep, History } from './history.ts';
import { settle } from './simulated-world.ts';

/** The long form sets it; few runs of each store are part of every test run. */
const RUNS = Number(process.env.HISTORY_RUNS ?? 0);
const SEED = process.env.HISTORY_SEED === undefined ? {} : { seed: Number(process.env.HISTORY_SEED) };
const PATIENCE_MS = 20_000 + RUNS * 2_000;

/** Gives, for the number of a history, a maker of backends over that history's own data. */
type Store = (history: number) => (runtime: Runtime) => Backend;

/** How much of history stores that can be read again leave in memory: all of it, some, none. */
const BUDGETS = [64 << 20, 8_000, 0];

async function playHistories(runs: number, store: Store, budgets = BUDGETS.slice(0, 1)): Promise<void> {
  let histories = 0;
  const steps = fc.array(anyStep, { maxLength: 40, size: 'max' });
  const property = fc.asyncProperty(fc.constantFrom(...budgets), steps, (budget, steps) =>
    new History(store(++histories), budget).play(steps),
  );
  await fc.assert(property, { numRuns: RUNS || runs, endOnFailure: RUNS > 0, ...SEED });
}

const statement = 'every list is the state at its revision, every watch is told every change once, in order';

describe(`over random histories of writes, lists, watches, compactions and restarts`, () => {
  let directory: string;
  const hasEtcd = havePeer('etcd', '--version');
  let etcd: Etcd | undefined;

  beforeAll(async () => {
    directory = await makeDirectory();
    if (hasEtcd) etcd = await Etcd.start();
  });

  afterAll(async () => {
    await etcd?.close();
    await removeDirectory(directory);
  });

  it(`${statement}: memory`, { timeout: PATIENCE_MS }, () =>
    playHistories(30, () => {
      const disk = new MemoryDisk();
      return (runtime) => new MemoryBackend({ runtime, disk, persist: settle });
    }),
  );

  it(`${statement}: memory as an archive`, { timeout: PATIENCE_MS }, () => {
    const store: Store = () => {
      const disk = new MemoryDisk();
      return (runtime) => new MemoryBackend({ runtime, disk, persist: settle, archives: true });
    };
    return playHistories(30, store, BUDGETS);
  });

  it(`${statement}: lmdb`, { timeout: PATIENCE_MS }, () => {
    const store: Store = (history) => {
      const place = join(directory, String(history));
      return (runtime) => new LmdbBackend({ runtime, directory: place, vocabulary: 'platform' });
    };
    return playHistories(10, store, BUDGETS);
  });

  it.runIf(hasEtcd)(`${statement}: etcd`, { timeout: PATIENCE_MS }, () =>
    playHistories(6, (history) => {
      const options = { endpoints: etcd?.endpoints ?? [], prefix: `/history-${history}`, vocabulary: 'platform' };
      // Only stamps of time are put forward: a network does not get faster.
      return (runtime) => new EtcdBackend({ runtime: { ...systemRuntime, now: () => runtime.now() }, ...options });
    }),
  );
});
