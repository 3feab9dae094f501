import { accessSync, constants, existsSync, type StatsFs, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, makeDirectories } from '../runtime/directories.ts';

/** A new store, with what a server writes first, and room to go on. */
const LEAST_FREE = 2 * 1024 * 1024;

/** How large a file system is, in blocks. */
type Space = Pick<StatsFs, 'blocks' | 'bavail' | 'bsize'>;

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EEXIST: 'it is not a directory',
  ENOENT: 'nothing can be created there',
  ENOSPC: 'no space is left',
  ENOTDIR: 'part of the path is not a directory',
  EPERM: 'not permitted by the file system',
  EROFS: 'the file system is read-only',
};

/**
 * Makes sure that a data directory is there and can be written to, before anything else looks at it. Throws one line that
 * names the directory and what is wrong with it.
 */
export function prepareDataDirectory(dataDir: string, space: (path: string) => Space = statfsSync): void {
  try {
    makeDirectories(dataDir);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = errorCode(error);
    throw new Error(`cannot use the data directory ${dataDir}: ${REASONS[code] ?? 'it cannot be written'} (${code})`, {
      cause: error,
    });
  }
  refuseTooSmall(dataDir, space);
}

/** Only where there is no store yet: one that is there may have room inside. */
function refuseTooSmall(dataDir: string, space: (path: string) => Space): void {
  if (existsSync(join(dataDir, 'store', 'data.mdb'))) return;
  const { blocks, bavail, bsize } = space(dataDir);
  // A file system without blocks does not count them.
  if (blocks === 0 || bavail * bsize >= LEAST_FREE) return;
  const free = Math.floor((bavail * bsize) / 1024);
  throw new Error(
    `cannot use the data directory ${dataDir}: its file system has ${free} KiB left, ${LEAST_FREE / 1024} KiB are needed`,
  );
}
