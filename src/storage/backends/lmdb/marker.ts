import { existsSync } from 'node:fs';
import { open, readdir, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { StorageRefused } from '../../backend.ts';
import { isNoRoom } from './disk-room.ts';

const TEXT = `A store has been made in the folder beside this file. While this file is here, a server does not start with an
empty store where that one is missing. Remove it to begin anew.
`;

/** What stands beside a store for as long as there must be one: a store that was lost is told from one that never was. */
export const markerOf = (directory: string): string => `${directory}.made`;

/** The name of a folder in which the store of another is being made; what stands behind it is random. */
export const workshopOf = (directory: string): string => `${directory}.new-`;

/** Where there is no store: refuses, unless there has never been one. */
export async function refuseLost(directory: string): Promise<void> {
  const advice = 'platform-apiserver snapshot restore FILE';
  const parent = dirname(directory);
  const unfinished = (await readdir(parent)).find((name) => name.startsWith(basename(workshopOf(directory))));
  if (unfinished !== undefined) {
    throw new StorageRefused(
      `there is no store in ${directory}, but one that was not finished: remove ${join(parent, unfinished)} and make it again with: ${advice}`,
    );
  }
  if (existsSync(markerOf(directory))) {
    throw new StorageRefused(
      `the store in ${directory} is lost: restore the last snapshot with: ${advice}; or remove ${markerOf(directory)} to begin with an empty one`,
    );
  }
}

/** Marks that a store is there, on disk. */
export async function markMade(directory: string): Promise<void> {
  const marker = markerOf(directory);
  if (existsSync(marker)) return;
  try {
    await writeFile(`${marker}.new`, TEXT, { mode: 0o600, flush: true });
    await rename(`${marker}.new`, marker);
    await syncPath(dirname(marker));
  } catch (error) {
    // A server must come up on a full disk; the next start makes it good.
    if (!isNoRoom(error)) throw error;
  }
}

export async function syncPath(path: string): Promise<void> {
  const handle = await open(path);
  await handle.sync().finally(() => handle.close());
}
