import { stat } from 'node:fs/promises';
import type { Runtime } from '../runtime/runtime.ts';

/** How soon a change is noticed. Looking is cheap, and works on every sort of file system and for links that move. */
const LOOK_EVERY_MS = 5_000;

/** Calls back whenever one of the files has been replaced or written since it was last looked at. */
export function followFiles(files: readonly string[], runtime: Runtime, onChange: () => void): { close(): void } {
  let closed = false;
  let seen: string | undefined;
  const look = async (): Promise<void> => {
    const now = (await Promise.all(files.map(traitsOf))).join();
    if (closed) return;
    const changed = seen !== undefined && now !== seen;
    seen = now;
    if (changed) onChange();
    timer = runtime.after(LOOK_EVERY_MS, () => void look());
  };
  let timer = runtime.after(0, () => void look());
  return {
    close() {
      closed = true;
      timer.cancel();
    },
  };
}

/** What a file cannot change without a trace. */
const traitsOf = (file: string): Promise<string> =>
  stat(file).then(
    ({ ino, size, mtimeMs }) => `${ino}/${size}/${mtimeMs}`,
    () => 'absent',
  );
