import { createReadStream, type Stats } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { BLOCK, type EntryType, headerOf, padding } from './tar-format.ts';

/** A file, or a folder with all that is in it, as an archive in which it has another name. */
export async function* packTar(path: string, name: string): AsyncGenerator<Buffer> {
  yield* packEntry(path, name);
  yield Buffer.alloc(2 * BLOCK);
}

const typeOf = (stats: Stats): EntryType => {
  if (stats.isSymbolicLink()) return 'symlink';
  if (stats.isDirectory()) return 'directory';
  return stats.isFile() ? 'file' : 'other';
};

async function* packEntry(path: string, name: string): AsyncGenerator<Buffer> {
  const stats = await lstat(path);
  const type = typeOf(stats);
  // Sockets and devices mean nothing elsewhere.
  if (type === 'other') return;
  const target = type === 'symlink' ? await readlink(path) : '';
  const size = type === 'file' ? stats.size : 0;
  const shown = type === 'directory' ? `${name}/` : name;
  yield headerOf({ name: shown, type, mode: stats.mode, size, target, modified: stats.mtimeMs / 1000 });
  if (type === 'file') yield* contentsOf(path, size);
  if (type !== 'directory') return;
  for (const child of (await readdir(path)).sort()) yield* packEntry(join(path, child), `${name}/${child}`);
}

/** As long as the header says, whatever becomes of the file meanwhile. */
async function* contentsOf(path: string, size: number): AsyncGenerator<Buffer> {
  let left = size;
  if (size > 0) {
    for await (const part of createReadStream(path, { end: size - 1 })) {
      left -= part.length;
      yield part;
    }
  }
  if (left > 0) throw new Error(`${path} became shorter while it was copied`);
  yield Buffer.alloc(padding(size));
}
