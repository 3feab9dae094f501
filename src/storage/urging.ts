import { type Runtime, sleep } from '../runtime/runtime.ts';
import type { Slabs } from './slabs.ts';

/** How often, and how many times, the engine is asked at most. */
const URGE_EVERY_MS = 2_000;
const MOST_URGES = 5;

/** Asks the engine, while there are any, to give back slabs that nobody uses. */
export async function urgeSometimes(runtime: Runtime, slabs: Slabs, isClosed: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < MOST_URGES && !isClosed() && slabs.hasUnused; attempt++) {
    slabs.urge();
    await sleep(runtime, URGE_EVERY_MS);
  }
}
