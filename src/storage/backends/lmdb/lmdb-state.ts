import { existsSync } from 'node:fs';
import { mkdtemp, readdir, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeDirectories } from '../../../runtime/directories.ts';
import type { Runtime } from '../../../runtime/runtime.ts';
import { StorageRefused, type StoredVersion } from '../../backend.ts';
import { identityOf } from './identity.ts';
import { LmdbDisk, refusalOf } from './lmdb-disk.ts';
import { markMade, syncPath, workshopOf } from './marker.ts';
import { FileDamaged } from './page-file.ts';
import { copied, type Keep } from './record.ts';
import { StoreFile } from './store-file.ts';
import { readVersions, versionPages } from './store-scan.ts';
import { type Access, accessTo } from './visits.ts';

/** The live objects of a store as of one revision. */
export interface StoreState {
  readonly vocabulary: string;
  readonly revision: number;
  readonly count: number;
  /** In revision order. Can be walked while the state is lent. Throws in the end when it was not all the same state. */
  readonly versions: AsyncIterable<StoredVersion>;
}

export interface StateOptions {
  readonly directory: string;
  readonly runtime: Runtime;
}

/**
 * Lends the state of a data directory, also while a server writes to it. A write whose answer the server does not know
 * yet may be in it.
 */
export async function withState<T>(options: StateOptions, use: (state: StoreState) => Promise<T>): Promise<T> {
  if (!existsSync(join(options.directory, 'data.mdb'))) {
    throw new StorageRefused(`there is no store in ${options.directory}`);
  }
  const directory = await realpath(options.directory);
  const access = await accessTo(directory, options.runtime);
  let file: StoreFile | undefined;
  try {
    file = new StoreFile(join(directory, 'data.mdb'));
    await access.confirm();
    return await use(stateOf(directory, file, access));
  } catch (error) {
    if (!(error instanceof FileDamaged)) throw error;
    await access.confirm();
    throw refusalOf(directory, error);
  } finally {
    file?.close();
    await access.close();
  }
}

const lent: Keep = (record) => record;

function stateOf(directory: string, file: StoreFile, access: Access): StoreState {
  const identity = identityOf(directory, file.meta ?? new Map());
  const { vocabulary, compacted } = identity;
  const newest = new Map<string, number>();
  let last = 0;
  readVersions(file, identity, { keep: lent }, (versions) => {
    for (const { key, revision, deleted } of versions) {
      last = revision;
      if (deleted) newest.delete(key);
      else newest.set(key, revision);
    }
  });
  return {
    vocabulary,
    revision: Math.max(compacted, last),
    count: newest.size,
    versions: {
      async *[Symbol.asyncIterator]() {
        for (const page of versionPages(file, identity, copied)) {
          for (const version of page) if (newest.get(version.key) === version.revision) yield version;
        }
        await access.confirm();
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
