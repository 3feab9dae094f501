import type { Runtime } from '../../runtime/runtime.ts';
import type { Informer } from '../informing/informer.ts';
import type { AnyObject } from '../plane-client.ts';
import { keyOf } from './keys.ts';
import { type Controller, type KeyQueue, type KeySource, runReconciler } from './reconciler.ts';
import type { QueueMeter } from './work-queue.ts';

/** An informer, and which keys have to be looked at because of one of its objects. */
export interface ControllerWatch {
  begin(queue: KeyQueue): KeySource;
}

/** What a controller watches, and what it does for a key. */
export interface ControllerOptions {
  readonly runtime: Runtime;
  readonly watches: readonly ControllerWatch[];
  /** So many keys at the same time; one unless given. */
  readonly workers?: number;
  readonly meter?: QueueMeter;
  /** As `Reconciliation.reconcile`; the queue is for keys that are to be looked at again after some time. */
  reconcile(key: string, queue: KeyQueue): Promise<void>;
  onError?(key: string, error: unknown): void;
}

/**
 * Looks at a key whenever one of the watched objects that it follows from has changed. The informers are their owner's to
 * close.
 */
export const runController = ({ watches, reconcile, onError, ...options }: ControllerOptions): Controller =>
  runReconciler({
    ...options,
    onError: (key, error) => onError?.(key, error),
    begin: (queue) => ({
      sources: watches.map((watch) => watch.begin(queue)),
      reconcile: (key) => reconcile(key, queue),
    }),
  });

/**
 * Watches the objects of an informer. `keys`: those that follow from an object, which is its own unless given; they are
 * added for an object as it was and as it is.
 */
export const watching = <T extends AnyObject, Index extends string>(
  informer: Informer<T, Index>,
  keys: (object: T) => Iterable<string> = (object) => [keyOf(object)],
): ControllerWatch => ({
  begin(queue) {
    const add = (object: T): void => {
      for (const key of keys(object)) queue.add(key);
    };
    const subscription = informer.handle({
      added: add,
      changed(object, before) {
        add(object);
        add(before);
      },
      removed: add,
    });
    const listed = informer.listed();
    // The controller may be closed before somebody waits for it.
    listed.catch(() => undefined);
    return { listed, close: () => subscription.close() };
  },
});
