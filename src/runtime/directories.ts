import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a directory, and those above it where they are missing. Node's own way to do that never returns where a file
 * system answers ENOENT below a directory that exists, as /proc does. Throws what the file system said.
 */
export function makeDirectories(path: string, mode = 0o700): void {
  if (makeDirectory(path, mode)) return;
  makeDirectories(dirname(path), mode);
  makeDirectory(path, mode);
}

/** False when the one above is missing. */
function makeDirectory(path: string, mode: number): boolean {
  try {
    mkdirSync(path, { mode });
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code !== 'ENOENT' && isDirectory(path)) return true;
    if (code !== 'ENOENT' || dirname(path) === path || isDirectory(dirname(path))) throw error;
    return false;
  }
}

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** The code of an error of the file system, or what the error says. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);
