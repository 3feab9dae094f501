import { type Database, open, type RootDatabase } from 'lmdb';
import type { FileUse } from './disk-room.ts';

/**
 * What the table `meta` holds. `checked` is the revision from which on all records have a checksum; `seal` is the
 * checksum of the others, but for 'kept', which has its own: the collections that are compacted to another point.
 */
export type MetaKey = 'format' | 'vocabulary' | 'compacted' | 'checked' | 'kept' | 'seal';

/** The LMDB environment of one data directory, opened. */
export interface Tables {
  readonly root: RootDatabase;
  /** Records by revision. */
  readonly versions: Database<Buffer, number>;
  readonly meta: Database<string, MetaKey>;
}

/**
 * How the environment is opened.
 *
 * - Without overlapping sync a transaction resolves when it is on disk, and fails when it is not. With it, it is no
 *   faster here, where there is one transaction at a time, and a failed write of the flushed state goes unnoticed.
 * - Batches are ours to form, so the library need not wait for the end of the turn to form them.
 * - The path is always a directory, also when its name has a dot.
 */
const SETTINGS = {
  overlappingSync: false,
  eventTurnBatching: false,
  noSubdir: false,
  maxDbs: 2,
  permissionsMode: 0o600,
};

/** Opens a store whose file has been found sound, or makes one where there is none. */
export function openTables(directory: string): Tables {
  const root = open({ path: directory, ...SETTINGS });
  try {
    return {
      root,
      meta: root.openDB<string, MetaKey>({ name: 'meta', encoding: 'string' }),
      versions: root.openDB<Buffer, number>({ name: 'versions', encoding: 'binary' }),
    };
  } catch (error) {
    void root.close();
    throw error;
  }
}

/** Runs all writes of `action` in one transaction off this thread; resolves when it is on disk. */
export async function transact(tables: Tables, action: (tables: Tables) => void): Promise<void> {
  try {
    await tables.root.batch(() => action(tables));
  } catch (error) {
    throw await causeOf(error);
  }
}

/** The library says that a commit failed, and keeps the reason in a promise beside. */
async function causeOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error) || !('commitError' in error)) return error;
  try {
    await error.commitError;
    return error;
  } catch (cause) {
    return cause;
  }
}

/** How large the file is by what LMDB knows of it, and how much of it holds something. */
export function useOf({ versions }: Tables): FileUse {
  const stats = versions.getStats();
  const pageSize = numberIn(stats, 'pageSize');
  const pages = pagesIn(stats) + pagesIn(partOf(stats, 'root')) + pagesIn(partOf(stats, 'free')) + FIXED_PAGES;
  return { total: (numberIn(stats, 'lastPageNumber') + 1) * pageSize, used: pages * pageSize };
}

/** Two meta pages and the table `meta`. */
const FIXED_PAGES = 3;

const pagesIn = (stats: object): number =>
  numberIn(stats, 'treeBranchPageCount') + numberIn(stats, 'treeLeafPageCount') + numberIn(stats, 'overflowPages');

function partOf(stats: object, name: string): object {
  const part: unknown = Reflect.get(stats, name);
  if (typeof part !== 'object' || part === null) throw new Error(`LMDB does not tell ${name}`);
  return part;
}

function numberIn(stats: object, name: string): number {
  const number: unknown = Reflect.get(stats, name);
  if (typeof number !== 'number') throw new Error(`LMDB does not tell ${name}`);
  return number;
}
