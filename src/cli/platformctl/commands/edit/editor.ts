import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vocabularies } from '../../../../vocabulary/vocabulary.ts';
import { CommandError } from '../../frame/failure.ts';
import type { Io } from '../../frame/io.ts';

const FALLBACK = 'vi';

/** The editor that somebody uses: named for this program, for all, or the one that is everywhere. */
export function editorOf(env: Io['env']): string {
  const own = Object.values(vocabularies).map(({ environment }) => env[environment.editor]);
  return [...own, env.EDITOR].find((name) => name) ?? FALLBACK;
}

/** Has somebody edit a text, in a file that ends in `suffix`, and gives what became of it. */
export async function edited(io: Io, text: string, suffix: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platformctl-edit-'));
  try {
    const file = join(folder, `edit${suffix}`);
    await writeFile(file, text, { mode: 0o600 });
    await runEditor(io, file);
    return await readFile(file, 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The name may hold arguments, which is why a shell reads it. */
function runEditor(io: Io, file: string): Promise<void> {
  const editor = editorOf(io.env);
  const isOurs = io.stdin === process.stdin;
  const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], {
    cwd: io.cwd,
    env: { ...process.env, ...io.env },
    stdio: isOurs ? 'inherit' : 'ignore',
  });
  return new Promise((resolve, reject) => {
    child.once('error', (error) =>
      reject(new CommandError(`unable to launch the editor ${JSON.stringify(editor)}: ${error.message}`)),
    );
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new CommandError(`there was a problem with the editor ${JSON.stringify(editor)}`));
    });
  });
}

/** Keeps what somebody wrote when it could not be used, and gives the name of the file. */
export async function keepCopy(text: string, suffix: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platformctl-edit-'));
  const file = join(folder, `edit${suffix}`);
  await writeFile(file, text, { mode: 0o600 });
  return file;
}
