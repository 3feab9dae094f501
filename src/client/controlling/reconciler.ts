import type { Runtime } from '../../runtime/runtime.ts';
import { type QueueMeter, WorkQueue } from './work-queue.ts';

/** Something that runs until it is closed; closing waits for what it is at. */
export interface Controller {
  close(): Promise<void>;
}

/** Where a controller says what there is to do. */
export interface KeyQueue {
  /** A key that is waiting already waits once. */
  add(key: string): void;
  /** Adds the key when so much time has passed, unless that is to happen earlier anyway. */
  addAfter(key: string, milliseconds: number): void;
}

/** What adds keys to a queue until it is closed. */
export interface KeySource {
  /** Resolves when everything has been added that follows from what was there; not given where that is the case already. */
  readonly listed?: Promise<void>;
  close(): void;
}

/** What a controller does. */
export interface Reconciliation {
  readonly sources: readonly KeySource[];
  /**
   * Makes true what should be for a key: looks at how things are now, whatever has happened. Keys are looked at one at a
   * time each, and none before all sources are listed. When it throws it is called again later; `NotYet` says so without
   * an error.
   */
  reconcile(key: string): Promise<void>;
  close?(): void;
}

export interface ReconcilerOptions {
  readonly runtime: Runtime;
  readonly meter?: QueueMeter;
  /** So many keys at the same time; one unless given. */
  readonly workers?: number;
  begin(queue: KeyQueue): Reconciliation;
  onError(key: string, error: unknown): void;
}

/** The controller was closed before its sources were listed. */
class NotListed extends Error {}

/** The loop that all controllers are: sources add keys, and each key is looked at until that succeeds. */
export function runReconciler({ begin, ...options }: ReconcilerOptions): Controller {
  const queue = new WorkQueue({
    ...options,
    handle: async (key) => {
      await listed;
      await work.reconcile(key);
    },
  });
  const work = begin(queue);
  const { listed, abandon } = untilListed(work.sources);
  return {
    async close() {
      abandon();
      for (const source of work.sources) source.close();
      work.close?.();
      await queue.close();
    },
  };
}

/** `listed` resolves when everything that was there has been added, or rejects when nobody waits for that any more. */
function untilListed(sources: readonly KeySource[]): { readonly listed: Promise<unknown>; abandon(): void } {
  let abandon = (): void => {};
  const abandoned = new Promise<never>((_, reject) => {
    abandon = () => reject(new NotListed());
  });
  const listed = Promise.race([abandoned, Promise.all(sources.map((source) => source.listed))]);
  // There may be no key that waits for it.
  listed.catch(() => undefined);
  return { listed, abandon };
}
