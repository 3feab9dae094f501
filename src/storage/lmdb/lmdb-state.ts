import { existsSync } from 'node:fs';
import { mkdtemp, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeDirectories } from '../../directories.ts';
import type { Runtime } from '../../runtime.ts';
import { StorageRefused, type StoredVersion } from '../backend.ts';
import { LmdbDisk } from './lmdb-disk.ts';
import { openForReading, type Tables } from './tables.ts';

/** The live objects of a store as of one revision. */
export interface StoreState {
  readonly vocabulary: string;
  readonly revision: number;
  readonly count: number;
  /** In revision order. Can be walked while the state is lent. */
  readonly versions: Iterable<StoredVersion>;
}

/**
 * Lends the state of a data directory, also while a server writes to it: LMDB gives a reader one snapshot for as long as
 * it wants. A write whose answer the server does not know yet may be in it.
 */
export async function withState<T>(directory: string, use: (state: StoreState) => Promise<T>): Promise<T> {
  if (!existsSync(join(directory, 'data.mdb'))) throw new StorageRefused(`there is no store in ${directory}`);
  const tables = openForReading(directory);
  try {
    const transaction = tables.versions.useReadTransaction();
    return await use(stateOf(tables, { transaction })).finally(() => transaction.done());
  } finally {
    await tables.root.close();
  }
}

type Reading = { readonly transaction: ReturnType<Tables['versions']['useReadTransaction']> };

function stateOf({ versions, meta }: Tables, reading: Reading): StoreState {
  const newest = new Map<string, number>();
  let revision = Number(meta.get('compacted', reading) ?? 0);
  for (const { key, value } of versions.getRange(reading)) {
    revision = Math.max(revision, key);
    if (value.deleted) newest.delete(value.key);
    else newest.set(value.key, key);
  }
  return {
    vocabulary: meta.get('vocabulary', reading) ?? '',
    revision,
    count: newest.size,
    versions: {
      *[Symbol.iterator]() {
        for (const { key, value } of versions.getRange(reading)) {
          if (newest.get(value.key) === key) yield { revision: key, ...value };
        }
      },
    },
  };
}

/**
 * How far revisions jump when a store is made from a state. Others may have seen revisions later than the state's: all
 * of them must lie in the past of the new store, so that no watch goes on across the gap.
 */
const JUMP = 1_000_000_000;

export interface NewStore {
  readonly runtime: Runtime;
  readonly directory: string;
  readonly vocabulary: string;
  /** That of the state the store is made from. */
  readonly revision: number;
}

/**
 * Makes a store that holds the given versions and no history. It is there as a whole or not at all; where there is one
 * already, it is refused. Returns the revision at which it begins.
 */
export async function createStore(store: NewStore, batches: AsyncIterable<readonly StoredVersion[]>): Promise<number> {
  const { directory, revision } = store;
  makeDirectories(dirname(directory));
  await refuseExisting(directory);
  const workshop = await mkdtemp(`${directory}.new-`);
  try {
    await fill({ ...store, directory: workshop }, batches, revision + JUMP);
    await rename(workshop, directory);
  } catch (error) {
    await rm(workshop, { recursive: true, force: true });
    throw error;
  }
  const parent = await open(dirname(directory));
  await parent.sync().finally(() => parent.close());
  return revision + JUMP;
}

async function refuseExisting(directory: string): Promise<void> {
  if (!existsSync(directory) || (await readdir(directory)).length === 0) return;
  throw new StorageRefused(`${directory} is not empty: move it away first`);
}

async function fill(store: NewStore, batches: AsyncIterable<readonly StoredVersion[]>, begin: number): Promise<void> {
  const disk = new LmdbDisk(store);
  try {
    await disk.open();
    for await (const put of batches) await disk.write({ put });
    await disk.write({ compacted: begin });
    await disk.sync();
  } finally {
    await disk.close();
  }
}
