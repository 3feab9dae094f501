import { mkdir, open, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Runtime, sleep } from '../../runtime/runtime.ts';

const ATTEMPTS = 100;
const PAUSE_MS = 50;

/**
 * Runs a change while no other program changes these files. Each has a lock beside it, `FILE.lock`, which other tools of
 * this kind look at too; they are taken in one order, so that no two wait for each other.
 */
export async function withLocks<T>(files: readonly string[], runtime: Runtime, change: () => Promise<T>): Promise<T> {
  // Timers of the runtime do not keep a process, and while it waits nothing else does.
  const alive = setInterval(() => {}, 2 ** 30);
  const held: string[] = [];
  try {
    for (const file of files.toSorted()) held.push(await lock(file, runtime));
    return await change();
  } finally {
    clearInterval(alive);
    for (const each of held) await unlink(each);
  }
}

async function lock(file: string, runtime: Runtime): Promise<string> {
  const name = `${file}.lock`;
  await mkdir(dirname(file), { recursive: true, mode: 0o755 });
  for (let attempt = 1; ; attempt++) {
    try {
      await (await open(name, 'wx')).close();
      return name;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : String(error);
      if (code !== 'EEXIST') throw new Error(`${name}: cannot be made (${code})`);
      if (attempt === ATTEMPTS) {
        throw new Error(
          `open ${name}: file exists; another program changes the configuration, or one has left it behind`,
        );
      }
    }
    await sleep(runtime, PAUSE_MS);
  }
}
