import { createWriteStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname, posix, resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ReadEntry, readTar } from './tar-reader.ts';

export interface UnpackOptions {
  /** What names in the archive begin with: the path that was asked for. */
  readonly prefix: string;
  /** Where what was asked for is put. */
  readonly destination: string;
  warn(text: string): Promise<void>;
}

/**
 * Writes what is in an archive that nobody vouches for. Nothing is written outside of the destination; links are passed
 * over, since what follows could be written through them.
 */
export async function unpack(archive: Readable, { prefix, destination, warn }: UnpackOptions): Promise<void> {
  for await (const entry of readTar(archive)) {
    const { name, type, target } = entry;
    if (!name.startsWith(prefix)) throw new Error('tar contents corrupted');
    const path = placeOf(destination, name.slice(prefix.length));
    if (path === undefined) {
      await warn(
        `file ${JSON.stringify(posix.join(destination, name.slice(prefix.length)))} is outside target destination, skipping`,
      );
    } else if (type === 'symlink' || type === 'link') {
      await warn(`skipping symlink: ${JSON.stringify(path)} -> ${JSON.stringify(target)}`);
    } else if (type === 'directory') await mkdir(path, { recursive: true });
    else if (type === 'file') await writeEntry(path, entry);
  }
}

/** Undefined where that is not below the destination. */
function placeOf(destination: string, rest: string): string | undefined {
  const root = resolve(destination);
  const path = resolve(root, `.${rest.startsWith('/') || rest === '' ? '' : '/'}${rest}`);
  const isBelow = path === root || path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
  return isBelow && !rest.split('/').includes('..') ? path : undefined;
}

async function writeEntry(path: string, entry: ReadEntry): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await pipeline(entry.contents(), createWriteStream(path));
  const file = await open(path);
  try {
    await file.chmod(entry.mode & 0o777);
  } finally {
    await file.close();
  }
}

/** The path as it stands in an archive: without a beginning that leads out of it. */
export function prefixOf(path: string): string {
  const clean = posix.normalize(path.replace(/^\/+/, '')).replace(/\/$/, '');
  const stripped = clean.replace(/^(?:\.\.(?:\/|$))+/, '');
  return stripped === '.' ? '' : stripped;
}
