import { vi } from 'vitest';

/** What never takes this long on any machine has gone wrong. Less than a test may take, so that it can say what. */
export const PATIENCE_MS = 30_000;

/** Tries again until `attempt` does not fail any more, and gives what it gave. */
export const insist = <T>(attempt: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(attempt, { timeout: PATIENCE_MS, interval: 20 });
