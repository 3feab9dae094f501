import { createRequire } from 'node:module';
import { type Runtime, systemRuntime, type Timer } from '../runtime/runtime.ts';

// A CommonJS package with a default export: `import` gives different things in Node and under bundlers.
const { default: BTree }: typeof import('sorted-btree') = createRequire(import.meta.url)('sorted-btree');

/**
 * Pauses up to this long pass by themselves, and the clock goes on by them: parts of a plane take them while they wait for
 * each other, such as before a second attempt, and nobody would think of advancing a clock for them.
 */
const LONGEST_OWN_PAUSE_MS = 100;

/** So many turns without an end are work that keeps itself going. */
const MOST_TURNS = 100_000;

/** Chance, which a manual clock leaves as it is unless given another. */
export type Chance = Pick<Runtime, 'uuid' | 'random' | 'bytes'>;

/** Where a manual clock begins, and what chance there is beside it. */
export interface ManualClockOptions {
  /** Milliseconds since the epoch; now unless given. Certificates are checked by real time too: start near to it. */
  readonly start?: number | undefined;
  readonly chance?: Chance | undefined;
}

/** When a timer is due; those of one moment in the order in which they were started. */
type Due = readonly [moment: number, order: number];

/** A clock that stands still until it is advanced. What comes due on the way is called in its order. */
export class ManualClock implements Runtime {
  readonly #start: number;
  readonly #chance: Chance;
  readonly #timers = new BTree<Due, () => void>(undefined, ([a, first], [b, second]) => a - b || first - second);
  #elapsed = 0;
  #started = 0;
  /** Callbacks that wait for the next turn of the event loop. */
  #waiting = 0;
  #lastAdvance: Promise<void> = Promise.resolve();

  constructor({ start = systemRuntime.now(), chance = systemRuntime }: ManualClockOptions = {}) {
    this.#start = start;
    this.#chance = chance;
  }

  now(): number {
    return this.#start + this.#elapsed;
  }

  monotonic(): number {
    return this.#elapsed;
  }

  after(milliseconds: number, callback: () => void): Timer {
    const due: Due = [this.#elapsed + Math.max(0, milliseconds), this.#started++];
    this.#timers.set(due, callback);
    const own = milliseconds <= LONGEST_OWN_PAUSE_MS ? this.#passByItself(due, milliseconds) : undefined;
    return {
      cancel: () => {
        own?.cancel();
        this.#timers.delete(due);
      },
    };
  }

  soon(callback: () => void): void {
    this.#waiting++;
    systemRuntime.soon(() => {
      this.#waiting--;
      callback();
    });
  }

  uuid(): string {
    return this.#chance.uuid();
  }

  random(): number {
    return this.#chance.random();
  }

  bytes(count: number): Buffer {
    return this.#chance.bytes(count);
  }

  /**
   * Lets so much time pass, and resolves when all that came due has been done, with what followed from it inside of the
   * plane. Who advances while another does comes after them.
   */
  advance(milliseconds: number): Promise<void> {
    if (!(milliseconds >= 0)) throw new RangeError(`a clock goes forward, not by ${milliseconds} ms`);
    const advance = this.#lastAdvance.then(() => this.#advance(milliseconds));
    this.#lastAdvance = advance.catch(() => undefined);
    return advance;
  }

  /** Resolves when nothing inside of the plane waits for its turn any more. Who waits for time goes on waiting. */
  async settled(): Promise<void> {
    for (let turn = 0; turn < MOST_TURNS; turn++) {
      await new Promise<void>((resolve) => systemRuntime.soon(resolve));
      if (this.#waiting === 0) return;
    }
    throw new Error(`the plane has not settled within ${MOST_TURNS} turns of the event loop`);
  }

  async #advance(milliseconds: number): Promise<void> {
    await this.settled();
    const end = this.#elapsed + milliseconds;
    for (let next = this.#timers.minKey(); next && next[0] <= end; next = this.#timers.minKey()) {
      this.#passTo(next[0]);
      await this.settled();
    }
    this.#elapsed = Math.max(this.#elapsed, end);
  }

  /** What is started on the way and due at once waits for its own turn. */
  #passTo(moment: number): void {
    this.#elapsed = Math.max(this.#elapsed, moment);
    const last: Due = [moment, this.#started];
    const due = this.#timers.getRange([Number.NEGATIVE_INFINITY, 0], last, true);
    for (const [key, callback] of due) if (this.#timers.delete(key)) callback();
  }

  /** Counts as waiting for its turn where it is no pause at all. */
  #passByItself(due: Due, milliseconds: number): Timer {
    const pass = (): void => {
      if (this.#timers.has(due)) this.#passTo(due[0]);
    };
    if (milliseconds > 0) return systemRuntime.after(milliseconds, pass);
    this.soon(pass);
    return { cancel() {} };
  }
}
