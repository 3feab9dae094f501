import type { WorkQueueMetrics } from '../observe/metrics/work-queue-metrics.ts';
import type { Controller } from './controller.ts';
import type { Loop, LoopPlane, Watched } from './loop.ts';
import { WorkQueue } from './work-queue.ts';

export interface RunningLoopParts {
  readonly plane: LoopPlane;
  readonly queues: WorkQueueMetrics;
  onError(loop: string, key: string, error: unknown): void;
}

/** Runs a loop until it is closed; closing waits for what it is at. */
export function runLoop(loop: Loop, { plane, queues, onError }: RunningLoopParts): Controller {
  const queue = new WorkQueue({
    runtime: plane.runtime,
    meter: queues.of(loop.name),
    workers: loop.workers ?? 1,
    handle: (key) => work.handle(key),
    onError: (key, error) => onError(loop.name, key, error),
  });
  const work = loop.begin(plane, queue);
  const subscriptions = work.watches.map((watched) => follow(plane, queue, watched));
  return {
    async close() {
      for (const subscription of subscriptions) subscription.close();
      work.close?.();
      await queue.close();
    },
  };
}

function follow({ known }: LoopPlane, queue: WorkQueue, { onSet, onRemove, ...followed }: Watched): { close(): void } {
  const addAll = (keys: Iterable<string> = []): void => {
    for (const key of keys) queue.add(key);
  };
  return known.follow(followed, {
    onSet: (object) => addAll(onSet?.(object)),
    onRemove: (object) => addAll(onRemove?.(object)),
  });
}
