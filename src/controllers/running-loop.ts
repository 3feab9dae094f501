import type { WorkQueueMetrics } from '../observe/metrics/work-queue-metrics.ts';
import type { Controller } from './controller.ts';
import type { Following, Loop, LoopPlane, Watched } from './loop.ts';
import { WorkQueue } from './work-queue.ts';

export interface RunningLoopParts {
  readonly plane: LoopPlane;
  readonly queues: WorkQueueMetrics;
  onError(loop: string, key: string, error: unknown): void;
}

/** A loop looks at nothing before it knows everything that it watches. */
class NotListed extends Error {}

/** Runs a loop until it is closed; closing waits for what it is at. */
export function runLoop(loop: Loop, { plane, queues, onError }: RunningLoopParts): Controller {
  const queue = new WorkQueue({
    runtime: plane.runtime,
    meter: queues.of(loop.name),
    workers: loop.workers ?? 1,
    handle: async (key) => {
      await listed;
      await work.handle(key);
    },
    onError: (key, error) => onError(loop.name, key, error),
  });
  const work = loop.begin(plane, queue);
  const subscriptions = work.watches.map((watched) => follow(plane, queue, watched));
  const { listed, abandon } = untilListed(subscriptions);
  return {
    async close() {
      abandon();
      for (const subscription of subscriptions) subscription.close();
      work.close?.();
      await queue.close();
    },
  };
}

/** `listed` resolves when everything has been told that was there, or rejects when nobody waits for that any more. */
function untilListed(followings: readonly Following[]): { readonly listed: Promise<unknown>; abandon(): void } {
  let abandon = (): void => {};
  const abandoned = new Promise<never>((_, reject) => {
    abandon = () => reject(new NotListed());
  });
  const listed = Promise.race([abandoned, Promise.all(followings.map((following) => following.listed))]);
  // There may be no key that waits for it.
  listed.catch(() => undefined);
  return { listed, abandon };
}

function follow({ known }: LoopPlane, queue: WorkQueue, { onSet, onRemove, ...followed }: Watched): Following {
  const addAll = (keys: Iterable<string> = []): void => {
    for (const key of keys) queue.add(key);
  };
  return known.follow(followed, {
    onSet: (object) => addAll(onSet?.(object)),
    onRemove: (object) => addAll(onRemove?.(object)),
  });
}
