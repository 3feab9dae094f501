import { type Runtime, sleep } from '../../runtime/runtime.ts';
import { hand, type Subscriber } from './audience.ts';
import type { Collection } from './collection.ts';

/** What a subscriber that comes late has to be told of the log. */
export interface LogPosition {
  readonly revision: number;
  readonly compacted: number;
}

/**
 * Hands a subscriber the versions that it missed, a slice at a turn and as fast as it takes them, until it has all; from
 * there on it is a member of the audience. Between slices the log alone holds what is left.
 */
export class CatchUp {
  readonly #runtime: Runtime;
  readonly #log: LogPosition;
  readonly #collection: Collection;
  readonly #scope: string;
  readonly #subscriber: Subscriber;
  readonly #onError: (error: unknown) => void;
  #position: number;
  #leave: (() => void) | undefined;
  #closed = false;

  constructor(
    runtime: Runtime,
    log: LogPosition,
    collection: Collection,
    { after, scope }: { readonly after: number; readonly scope: string },
    subscriber: Subscriber,
    onError: (error: unknown) => void,
  ) {
    this.#runtime = runtime;
    this.#log = log;
    this.#collection = collection;
    this.#scope = scope;
    this.#subscriber = subscriber;
    this.#onError = onError;
    this.#position = after;
  }

  /** The revision up to which all versions have been handed over. */
  get reached(): number {
    return this.#leave ? Math.max(this.#position, this.#log.revision) : this.#position;
  }

  /** Hands over the first slice, before it returns, and goes on from there by itself. */
  start(): void {
    if (!this.#step()) this.#goOn().catch(this.#onError);
  }

  close(): void {
    this.#closed = true;
    this.#leave?.();
  }

  async #goOn(): Promise<void> {
    do {
      await sleep(this.#runtime, 0);
      await this.#subscriber.room?.();
      if (this.#closed) return;
      if (this.#position < this.#log.compacted) return this.#subscriber.onHistoryLost?.();
    } while (!this.#step());
  }

  /** Hands over one slice; true when there is no more. */
  #step(): boolean {
    const { versions, through, isLast } = this.#collection.since(this.#position, this.#scope);
    this.#position = Math.max(this.#position, through);
    if (isLast) {
      const since = Math.max(this.#position, this.#log.revision);
      this.#leave = this.#collection.audience.join(this.#scope, this.#subscriber, since);
    }
    if (versions.length > 0) hand(versions, this.#subscriber, this.#onError);
    return isLast;
  }
}
