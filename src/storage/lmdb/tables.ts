import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, open, type RootDatabase } from 'lmdb';
import { errorCode } from '../../directories.ts';
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
  refuseForeignFile(join(directory, 'data.mdb'));
  const root = open({ path: directory, readOnly, ...SETTINGS });
  try {
    return { root, ...openMembers(root, directory) };
  } catch (error) {
    void root.close();
    throw error;
  }
}

/** Where in its first page an environment has the number by which it is known, and the number. */
const MAGIC_AT = 24;
const MAGIC = 0xbeefc0de;

/** The library maps whatever is in the file and trusts it: of a file that is something else the process would die. */
function refuseForeignFile(file: string): void {
  const beginning = Buffer.alloc(MAGIC_AT + 4);
  const length = readBeginning(file, beginning);
  const magics = [beginning.readUInt32LE(MAGIC_AT), beginning.readUInt32BE(MAGIC_AT)];
  if (length === 0 || (length === beginning.length && magics.includes(MAGIC))) return;
  throw new StorageRefused(`${file} is damaged or not an LMDB environment; restore it from a snapshot`);
}

/** How many bytes are there, at most those that are asked for; none of a file that does not exist. */
function readBeginning(file: string, into: Buffer): number {
  let handle: number;
  try {
    handle = openSync(file, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 0;
    throw error;
  }
  try {
    return readSync(handle, into);
  } finally {
    closeSync(handle);
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
