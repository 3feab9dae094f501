import { existsSync } from 'node:fs';
import { mkdtemp, readdir, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeDirectories } from '../../runtime/directories.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { StorageRefused, type StoredVersion } from '../backend.ts';
import { isHeld } from './directory-lock.ts';
import { identityOf } from './identity.ts';
import { LmdbDisk, refusalOf } from './lmdb-disk.ts';
import { markMade, syncPath, workshopOf } from './marker.ts';
import { FileDamaged } from './page-file.ts';
import { copied, decodeRecord } from './record.ts';
import { StoreFile } from './store-file.ts';
import { readVersions } from './store-scan.ts';
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
  await refuseDamaged(await realpath(directory));
  const tables = openForReading(directory);
  try {
    const transaction = tables.versions.useReadTransaction();
    return await use(stateOf(directory, tables, { transaction })).finally(() => transaction.done());
  } finally {
    await tables.root.close();
  }
}

/** A server that runs has read the whole file before. Where none does, that is done here. */
async function refuseDamaged(directory: string): Promise<void> {
  if (await isHeld(directory)) return;
  try {
    const file = new StoreFile(join(directory, 'data.mdb'));
    try {
      readVersions(file, identityOf(directory, file.meta ?? new Map()), (record) => record, nobody);
    } finally {
      file.close();
    }
  } catch (error) {
    // A server may have come meanwhile, which writes.
    if (error instanceof FileDamaged && !(await isHeld(directory))) throw refusalOf(directory, error);
    if (!(error instanceof FileDamaged)) throw error;
  }
}

const nobody = (): void => undefined;

type Reading = { readonly transaction: ReturnType<Tables['versions']['useReadTransaction']> };

function stateOf(directory: string, { versions, meta }: Tables, reading: Reading): StoreState {
  const entries = new Map([...meta.getRange(reading)].map(({ key, value }) => [String(key), value]));
  const { vocabulary, compacted, checkedFrom = Number.POSITIVE_INFINITY } = identityOf(directory, entries);
  const read = function* () {
    for (const { key, value } of versions.getRange(reading)) yield decodeRecord(key, value, key < checkedFrom, copied);
  };
  const newest = new Map<string, number>();
  let revision = compacted;
  for (const version of read()) {
    revision = Math.max(revision, version.revision);
    if (version.deleted) newest.delete(version.key);
    else newest.set(version.key, version.revision);
  }
  return {
    vocabulary,
    revision,
    count: newest.size,
    versions: {
      *[Symbol.iterator]() {
        for (const version of read()) if (newest.get(version.key) === version.revision) yield version;
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
  const workshop = await mkdtemp(workshopOf(directory));
  try {
    await fill({ ...store, directory: workshop }, batches, revision + JUMP);
    await rename(workshop, directory);
  } catch (error) {
    await rm(workshop, { recursive: true, force: true });
    throw error;
  }
  await syncPath(dirname(directory));
  await markMade(directory);
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
