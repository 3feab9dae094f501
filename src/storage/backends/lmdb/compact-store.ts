import { existsSync } from 'node:fs';
import { mkdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Runtime } from '../../../runtime/runtime.ts';
import { StorageRefused, type StoredVersion } from '../../backend.ts';
import { lockDirectory } from './directory-lock.ts';
import { identityOf, metaOf } from './identity.ts';
import { refusalOf } from './lmdb-disk.ts';
import { syncPath } from './marker.ts';
import { FileDamaged } from './page-file.ts';
import { copied, encodeRecord } from './record.ts';
import { StoreFile } from './store-file.ts';
import { readVersions } from './store-scan.ts';
import { openTables, type Tables, transact } from './tables.ts';

/** How large a store was, and is. */
export interface CompactedStore {
  readonly before: number;
  readonly after: number;
}

/**
 * Copies all that a store holds, history too, to a new file without free pages, which takes the place of the old one when
 * it is whole. Nobody may use the store meanwhile; it is refused while somebody does.
 */
export async function compactStore(path: string, runtime: Runtime): Promise<CompactedStore> {
  if (!existsSync(join(path, 'data.mdb'))) throw new StorageRefused(`there is no store in ${path}`);
  const directory = await realpath(path);
  const lock = await lockDirectory(directory, runtime);
  const workshop = join(directory, 'new');
  try {
    await rm(workshop, { recursive: true, force: true });
    await mkdir(workshop, { mode: 0o700 });
    const file = join(directory, 'data.mdb');
    const { size: before } = await stat(file);
    await copy(directory, workshop);
    await syncPath(join(workshop, 'data.mdb'));
    await rename(join(workshop, 'data.mdb'), file);
    await syncPath(directory);
    return { before, after: (await stat(file)).size };
  } catch (error) {
    throw error instanceof FileDamaged ? refusalOf(directory, error) : error;
  } finally {
    await rm(workshop, { recursive: true, force: true });
    await lock.release();
  }
}

async function copy(directory: string, workshop: string): Promise<void> {
  const source = new StoreFile(join(directory, 'data.mdb'));
  const target = openTables(workshop);
  try {
    const identity = identityOf(directory, source.meta ?? new Map());
    await transact(target, ({ meta }) => {
      for (const [key, value] of metaOf({ ...identity, checkedFrom: 0 })) meta.put(key, value);
    });
    readVersions(source, identity, { keep: copied }, (versions) => putAll(target, versions));
  } finally {
    source.close();
    await target.root.close();
  }
}

/** At once, as reading is, so that no more than a batch is in memory. */
function putAll({ root, versions: table }: Tables, versions: readonly StoredVersion[]): void {
  root.transactionSync(() => {
    for (const version of versions) table.put(version.revision, encodeRecord(version));
  });
}
