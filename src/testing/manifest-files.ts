import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join, resolve, sep } from 'node:path';

/** More files than these are a pattern that has gone astray. */
const MOST_FILES = 10_000;
const MOST_BYTES = 64 * 2 ** 20;

const EXTENSIONS: ReadonlySet<string> = new Set(['.json', '.yaml', '.yml']);

/**
 * The files that a pattern means, in order of their names: a file, a folder with all manifests in it, or a path with `*`
 * and `?` for parts of a name and `**` for any folders. Throws when there is none: a pattern that finds nothing is wrong.
 */
export async function manifestFiles(pattern: string, directory = process.cwd()): Promise<readonly string[]> {
  const found = await stat(resolve(directory, pattern)).catch(() => undefined);
  if (found?.isFile()) return [resolve(directory, pattern)];
  const wanted = found?.isDirectory() ? `${pattern}/*` : pattern;
  const files: string[] = [];
  await collect(wanted.startsWith('/') ? '/' : directory, wanted.split('/').filter(isStep), files);
  const manifests = found ? files.filter((file) => EXTENSIONS.has(extname(file))) : files;
  if (manifests.length === 0) throw new Error(`no file is meant by "${pattern}" in ${directory}`);
  return [...new Set(manifests)].sort();
}

/** The text of a file, unless it is longer than any plane would take. */
export async function manifestText(file: string): Promise<string> {
  const { size } = await stat(file);
  if (size > MOST_BYTES) throw new Error(`${file} has ${size} bytes; more than ${MOST_BYTES} are not read`);
  return readFile(file, 'utf8');
}

const isStep = (step: string): boolean => step !== '' && step !== '.';

/** Adds the files below a folder that the steps lead to. */
async function collect(folder: string, [step, ...later]: readonly string[], files: string[]): Promise<void> {
  if (step === undefined) return;
  if (step === '..') return collect(resolve(folder, step), later, files);
  if (step === '**') await collect(folder, later.length === 0 ? ['*'] : later, files);
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (step === '**' && entry.isDirectory() && !entry.name.startsWith('.'))
      await collect(path, [step, ...later], files);
    if (step === '**' || !fitsName(step, entry.name)) continue;
    if (later.length > 0 && entry.isDirectory()) await collect(path, later, files);
    else if (later.length === 0 && entry.isFile()) files.push(path);
    if (files.length > MOST_FILES) throw new Error(`more than ${MOST_FILES} files are meant, up to ${folder}${sep}`);
  }
}

/** Of a folder that is not there: none. */
async function entriesOf(folder: string) {
  return readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
}

/** Whether a name fits a pattern of letters, `*` and `?`, in time that grows with the product of their lengths at most. */
export function fitsName(pattern: string, name: string): boolean {
  let at = 0;
  let inPattern = 0;
  let star = -1;
  let afterStar = 0;
  while (at < name.length) {
    if (pattern[inPattern] === '*') {
      star = inPattern++;
      afterStar = at;
    } else if (pattern[inPattern] === '?' || pattern[inPattern] === name[at]) {
      inPattern++;
      at++;
    } else if (star >= 0) {
      inPattern = star + 1;
      at = ++afterStar;
    } else return false;
  }
  return [...pattern.slice(inPattern)].every((letter) => letter === '*');
}
