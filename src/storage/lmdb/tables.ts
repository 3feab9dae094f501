import { type Database, open, type RootDatabase } from 'lmdb';
import { StorageRefused } from '../backend.ts';
import { decodeRecord, encodeRecord, Slabs, type VersionRecord } from './record.ts';

export type MetaKey = 'format' | 'vocabulary' | 'compacted';

/** The LMDB environment of one data directory, opened. */
export interface Tables {
  readonly root: RootDatabase;
  /** By revision. */
  readonly versions: Database<VersionRecord, number>;
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

export const openTables = (directory: string): Tables => openEnvironment(directory, false);

/** As `openTables`, beside a process that writes. The directory must hold a store. */
export const openForReading = (directory: string): Tables => openEnvironment(directory, true);

function openEnvironment(directory: string, readOnly: boolean): Tables {
  const root = open({ path: directory, readOnly, ...SETTINGS });
  try {
    return { root, ...openMembers(root, directory) };
  } catch (error) {
    void root.close();
    throw error;
  }
}

function openMembers(root: RootDatabase, directory: string): Omit<Tables, 'root'> {
  const existing = { name: 'meta', encoding: 'string', create: false } as const;
  // Nothing is created in an environment that someone else filled.
  if (root.openDB(existing) === undefined && root.getCount() > 0) {
    throw new StorageRefused(`${directory} holds an LMDB environment that is not a data directory of this server`);
  }
  const slabs = new Slabs();
  const versions = {
    name: 'versions',
    encoding: 'binary',
    encoder: { encode: encodeRecord, decode: (record: Buffer, size: number) => decodeRecord(record, size, slabs) },
  } as const;
  return {
    meta: root.openDB<string, MetaKey>({ name: 'meta', encoding: 'string' }),
    versions: root.openDB<VersionRecord, number>(versions),
  };
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
