import { lstatSync, opendirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Three of each release of Node: enough for whoever changes between several of them. */
const MOST_FILES = 24;
const MOST_AGE_MS = 30 * 24 * 3_600_000;
/** Until then a draft may be somebody's who is still at it. */
const DRAFT_AGE_MS = 3_600_000;
/** So many names are looked at; who has more of them is rid of some each time. */
const MOST_NAMES = 1_000;

/** Between the name of a program and for what, by which Node and on which kind of machine it was kept. */
const OF_PROGRAM = '.cjs-';
/** Where a name ends; a draft has the id of its process as well. */
const LAST = /^\w+(\.\d+)?$/;

interface KeptFile {
  readonly path: string;
  readonly writtenMs: number;
  readonly isDraft: boolean;
}

/**
 * Removes what was kept longest ago, of releases that are hardly in use any more, and drafts of those who did not finish.
 * Others may be doing the same, or be reading what is removed: they have it open, or compile once more. Throws where the
 * folder cannot be read.
 */
export function tidyCode(folder: string, nowMs: number): void {
  const kept = filesIn(folder).sort((a, b) => b.writtenMs - a.writtenMs);
  let count = 0;
  for (const { path, writtenMs, isDraft } of kept) {
    const ageMs = nowMs - writtenMs;
    const isWanted = isDraft ? ageMs <= DRAFT_AGE_MS : ageMs <= MOST_AGE_MS && ++count <= MOST_FILES;
    if (!isWanted) rmSync(path, { force: true });
  }
}

function filesIn(folder: string): KeptFile[] {
  const found: KeptFile[] = [];
  const directory = opendirSync(folder);
  try {
    for (let looked = 0; looked < MOST_NAMES; looked++) {
      const entry = directory.readSync();
      if (entry === null) break;
      const ending = endingOf(entry.name);
      if (!ending || !entry.isFile()) continue;
      const path = join(folder, entry.name);
      const writtenMs = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs;
      if (writtenMs !== undefined) found.push({ path, writtenMs, isDraft: ending[1] !== undefined });
    }
  } finally {
    directory.closeSync();
  }
  return found;
}

/** How the name of something that programs keep ends; undefined of any other. */
function endingOf(name: string): RegExpExecArray | undefined {
  const at = name.indexOf(OF_PROGRAM);
  const [, version = '', ...rest] = at > 0 ? name.slice(at + OF_PROGRAM.length).split('-') : [];
  return (version.startsWith('v') && LAST.exec(rest.at(-1) ?? '')) || undefined;
}
