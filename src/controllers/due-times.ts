import type { Runtime, Timer } from '../runtime/runtime.ts';

/** Timers cannot be set for later than this: it is looked again then. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** So many keys are due at a time; between two others have their turn. */
const BATCH = 500;
/** So many more than there are keys may be planned. */
const SPARE = 100;

interface Plan {
  readonly key: string;
  readonly at: number;
}

/**
 * When each of any number of keys is due, with one timer for all of them. A key that is forgotten takes no room any more,
 * however far off its time is.
 */
export class DueTimes {
  readonly #runtime: Runtime;
  readonly #onDue: (key: string) => void;
  readonly #times = new Map<string, number>();
  /** A heap, the earliest first. What is not the time of its key any more is passed over. */
  #plans: Plan[] = [];
  #timer: Timer | undefined;
  #wakesAt = Number.POSITIVE_INFINITY;

  constructor(runtime: Runtime, onDue: (key: string) => void) {
    this.#runtime = runtime;
    this.#onDue = onDue;
  }

  /** How many keys have a time. */
  get size(): number {
    return this.#times.size;
  }

  /** How many times are remembered, some of which may be of no use any more. */
  get planned(): number {
    return this.#plans.length;
  }

  /** `at`: in milliseconds since the epoch; takes the place of what it was for the key. */
  set(key: string, at: number): void {
    if (this.#times.get(key) === at) return;
    this.#times.set(key, at);
    this.#add({ key, at });
    this.#tidy();
    this.#schedule();
  }

  forget(key: string): void {
    if (this.#times.delete(key)) this.#tidy();
  }

  close(): void {
    this.#timer?.cancel();
    this.#times.clear();
    this.#plans = [];
  }

  /** Plans that are in order are a heap, too. */
  #tidy(): void {
    if (this.#plans.length <= 2 * this.#times.size + SPARE) return;
    this.#plans = [...this.#times].map(([key, at]) => ({ key, at })).sort((a, b) => a.at - b.at);
  }

  #schedule(): void {
    const [first] = this.#plans;
    if (!first || first.at >= this.#wakesAt) return;
    this.#timer?.cancel();
    this.#wakesAt = first.at;
    const wait = Math.max(0, first.at - this.#runtime.now());
    this.#timer = this.#runtime.after(Math.min(wait, LONGEST_TIMER_MS), () => {
      this.#wakesAt = Number.POSITIVE_INFINITY;
      this.#takeDue();
      this.#schedule();
    });
  }

  #takeDue(): void {
    const now = this.#runtime.now();
    for (let taken = 0; taken < BATCH; taken++) {
      const [first] = this.#plans;
      if (!first || first.at > now) return;
      this.#removeFirst();
      if (this.#times.get(first.key) !== first.at) continue;
      this.#times.delete(first.key);
      this.#onDue(first.key);
    }
  }

  #add(plan: Plan): void {
    const plans = this.#plans;
    let at = plans.length;
    while (at > 0) {
      const above = (at - 1) >>> 1;
      const holder = plans[above];
      if (!holder || holder.at <= plan.at) break;
      plans[at] = holder;
      at = above;
    }
    plans[at] = plan;
  }

  #removeFirst(): void {
    const plans = this.#plans;
    const last = plans.pop();
    if (!last || plans.length === 0) return;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const [one, other] = [plans[left], plans[left + 1]];
      const isOther = one && other && other.at < one.at;
      const earlier = isOther ? other : one;
      if (!earlier || earlier.at >= last.at) break;
      plans[at] = earlier;
      at = isOther ? left + 1 : left;
    }
    plans[at] = last;
  }
}
