import { type Controller, type KeyQueue, type KeySource, runReconciler } from '../client/controlling/reconciler.ts';
import type { WorkQueueMetrics } from '../observe/metrics/work-queue-metrics.ts';
import type { Loop, LoopPlane, Watched } from './loop.ts';

export interface RunningLoopParts {
  readonly plane: LoopPlane;
  readonly queues: WorkQueueMetrics;
  onError(loop: string, key: string, error: unknown): void;
}

/** Runs a loop until it is closed; closing waits for what it is at. */
export const runLoop = (loop: Loop, { plane, queues, onError }: RunningLoopParts): Controller =>
  runReconciler({
    runtime: plane.runtime,
    meter: queues.of(loop.name),
    workers: loop.workers ?? 1,
    onError: (key, error) => onError(loop.name, key, error),
    begin(queue) {
      const work = loop.begin(plane, queue);
      return {
        sources: work.watches.map((watched) => follow(plane, queue, watched)),
        reconcile: (key) => work.handle(key),
        close: () => work.close?.(),
      };
    },
  });

function follow({ known }: LoopPlane, queue: KeyQueue, { onSet, onRemove, ...followed }: Watched): KeySource {
  const addAll = (keys: Iterable<string> = []): void => {
    for (const key of keys) queue.add(key);
  };
  return known.follow(followed, {
    ...(onSet && { onSet: (object) => addAll(onSet(object)) }),
    ...(onRemove && { onRemove: (object) => addAll(onRemove(object)) }),
  });
}
