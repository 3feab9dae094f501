import { ApiError } from '../api/errors.ts';
import { restEveryTurn } from '../runtime/pacing.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Entries } from '../storage/log/entries.ts';
import { identityOf } from './keys.ts';
import type { Registry } from './registry.ts';
import type { ResourceType } from './resource-type.ts';
import type { DeleteOptions } from './write.ts';

/** So many objects are deleted at the same time: enough to share what reaches the disk, few enough to leave room. */
const WORKERS = 16;

/** What deletes, and the clock by which others get their turn. */
export interface DeletingParts {
  readonly registry: Registry;
  readonly runtime: Runtime;
}

/**
 * Deletes all entries, however many they are, a few at a time. What is gone already is as good as deleted. Throws the first
 * other failure at the end: after all others were tried, or when it is to stop, after those that were under way.
 */
export async function deleteMany(
  { registry, runtime }: DeletingParts,
  type: ResourceType,
  entries: Entries,
  options: DeleteOptions,
  afterFailure: 'stop' | 'go on',
): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  const work = async (): Promise<void> => {
    const rest = restEveryTurn(runtime);
    while (!entries.done && !(failure && afterFailure === 'stop')) {
      const preparing = entries.ready?.();
      if (preparing) await preparing;
      const [entry] = entries.next(1);
      if (!entry) {
        // The next one that is selected may be a long way off.
        const pause = rest();
        if (pause) await pause;
        continue;
      }
      const { namespace, name } = identityOf(type, entry.key);
      await registry.delete(type, namespace, name, options).catch((error: unknown) => {
        if (!isGone(error)) failure ??= { error };
      });
    }
  };
  const fail = (error: unknown): void => {
    failure ??= { error };
  };
  // Entries that cannot be prepared end the work of all who wait for them.
  await Promise.all(Array.from({ length: WORKERS }, () => work().catch(fail)));
  if (failure) throw failure.error;
}

const isGone = (error: unknown): boolean => error instanceof ApiError && error.reason === 'NotFound';
