import { createRequire } from 'node:module';
import type { Runtime, Timer } from '../../runtime/runtime.ts';

// A CommonJS package with a default export: `import` gives different things in Node and under bundlers.
const { default: BTree }: typeof import('sorted-btree') = createRequire(import.meta.url)('sorted-btree');

/** Timers cannot be set for later than this: it is looked again then. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

type Due = readonly [moment: number, key: string];

const byMoment = ([a, key]: Due, [b, other]: Due): number => a - b || (key < other ? -1 : Number(key > other));

/** Keys with a moment each, called when it has come. There is one timer, however many keys there are. */
export class DueTimes {
  readonly #runtime: Runtime;
  readonly #call: (key: string) => void;
  readonly #order = new BTree<Due, true>(undefined, byMoment);
  readonly #moments = new Map<string, number>();
  #timer: { readonly at: number; readonly handle: Timer } | undefined;

  constructor(runtime: Runtime, call: (key: string) => void) {
    this.#runtime = runtime;
    this.#call = call;
  }

  get size(): number {
    return this.#moments.size;
  }

  /** In so many milliseconds; in place of what was said of this key before. */
  set(key: string, milliseconds: number): void {
    this.delete(key);
    const at = this.#runtime.monotonic() + Math.max(0, milliseconds);
    this.#moments.set(key, at);
    this.#order.set([at, key], true);
    this.#arm();
  }

  has(key: string): boolean {
    return this.#moments.has(key);
  }

  delete(key: string): void {
    const at = this.#moments.get(key);
    if (at === undefined) return;
    this.#moments.delete(key);
    this.#order.delete([at, key]);
  }

  clear(): void {
    this.#moments.clear();
    this.#order.clear();
    this.#timer?.handle.cancel();
    this.#timer = undefined;
  }

  #arm(): void {
    const first = this.#order.minKey();
    if (!first || (this.#timer && this.#timer.at <= first[0])) return;
    this.#timer?.handle.cancel();
    const wait = Math.min(LONGEST_TIMER_MS, Math.max(0, first[0] - this.#runtime.monotonic()));
    this.#timer = { at: first[0], handle: this.#runtime.after(wait, () => this.#pass()) };
  }

  #pass(): void {
    this.#timer = undefined;
    const now = this.#runtime.monotonic();
    for (let first = this.#order.minKey(); first && first[0] <= now; first = this.#order.minKey()) {
      this.delete(first[1]);
      this.#call(first[1]);
    }
    this.#arm();
  }
}
