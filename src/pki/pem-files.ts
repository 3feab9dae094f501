import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode, makeDirectories } from '../runtime/directories.ts';

/** Where PEM files are kept. A file is there whole or not at all, whenever the process ends. */
export interface PemFiles {
  /** undefined when there is no such file. Throws one line naming the file when it cannot be read. */
  read(name: string): string | undefined;
  /** Creates or replaces a file. Names that end in `.key` are for the owner's eyes only. */
  write(name: string, pem: string): void;
  /** How messages name the file. */
  locate(name: string): string;
  /** Returns when what was written outlives a loss of power. */
  settle(): void;
}

/** Files of a directory, created with the first write. Made for one process at a time. */
export function directoryFiles(directory: string): PemFiles {
  let written = false;
  const locate = (name: string): string => join(directory, name);
  return {
    locate,
    read: (name) => readIfThere(locate(name)),
    write(name, pem) {
      written = true;
      replaceFile(locate(name), pem, name.endsWith('.key') ? 0o600 : 0o644);
    },
    settle() {
      if (written) syncDirectory(directory);
    },
  };
}

/** Files that live and die with the process. */
export function memoryFiles(): PemFiles {
  const files = new Map<string, string>();
  return {
    locate: (name) => name,
    read: (name) => files.get(name),
    write: (name, pem) => {
      files.set(name, pem);
    },
    settle: () => undefined,
  };
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new Error(`${path}: cannot be read (${errorCode(error)})`);
  }
}

/** The rename is what makes the file appear; its bytes are on disk by then. */
function replaceFile(path: string, text: string, mode: number): void {
  const temporary = `${path}.tmp`;
  try {
    makeDirectories(dirname(path));
    writeFileSync(temporary, text, { mode, flush: true });
    renameSync(temporary, path);
  } catch (error) {
    throw new Error(`${path}: cannot be written (${errorCode(error)})`);
  }
}

function syncDirectory(directory: string): void {
  // Windows opens no directories, and needs no such call.
  if (process.platform === 'win32') return;
  const handle = openSync(directory, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
