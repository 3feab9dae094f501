import { vi } from 'vitest';

/** What never takes this long on any machine has gone wrong. Less than a test may take, so that it can say what. */
export const PATIENCE_MS = 30_000;

/** Tries again until `attempt` does not fail any more, and gives what it gave. */
export const insist = <T>(attempt: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(attempt, { timeout: PATIENCE_MS, interval: 20 });

/** What `wanted` comes to. When that is not there after so long, fails and says what was waited for. */
export function patiently<T>(what: string, wanted: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not come in ${PATIENCE_MS} ms`)), PATIENCE_MS);
  });
  return Promise.race([wanted, late]).finally(() => clearTimeout(timer));
}
