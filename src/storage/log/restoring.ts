import type { Backend, FormerState } from '../backend.ts';
import type { Collections } from './collections.ts';
import type { LogSnapshot } from './log-types.ts';

/** Puts back what a snapshot holds, in a store that can. */
export async function restore(
  snapshot: LogSnapshot,
  restamp: FormerState['restamp'],
  backend: Backend,
  collections: Collections,
): Promise<void> {
  if (!backend.restore) throw new Error('this store cannot put back what it held before');
  const everything = Number.POSITIVE_INFINITY;
  const versions = snapshot.collections.flatMap((collection) => collection.again().next(everything));
  const restored = (): void => {
    // So that putting it back again costs only what has changed since.
    snapshot.collections = collections.views();
  };
  await backend.restore({ versions, restamp, restored });
}
