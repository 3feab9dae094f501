import { Deadline } from '../runtime/deadline.ts';
import type { Runtime, Timer } from '../runtime/runtime.ts';
import type { RequestContext } from './context.ts';
import { isLongRunning } from './long-running.ts';
import { readTimeout } from './timeout.ts';

/** How often those that share the usual limit are looked at: a fraction of it, within bounds. */
const LOOKS = 50;
const SHORTEST_LOOK_MS = 10;
const LONGEST_LOOK_MS = 1000;

/** A deadline among those that share the usual limit. */
class UsualDeadline extends Deadline {
  /** Begun right before and right after it, and still under way. */
  earlier: UsualDeadline | undefined;
  later: UsualDeadline | undefined;
}

/** A deadline of its own, by a client that wants to wait less. */
class OwnDeadline extends Deadline {
  timer: Timer | undefined;
}

/**
 * The deadlines of all requests under way. Nearly all have the same limit, so they are over in the order in which they
 * began, and one timer looks at the oldest now and then; only a client that wants to wait less has a timer of its own.
 * They are a linked list, because every request enters and leaves it.
 */
export class Deadlines {
  readonly #runtime: Runtime;
  readonly #limitMs: number;
  readonly #lookMs: number;
  #oldest: UsualDeadline | undefined;
  #newest: UsualDeadline | undefined;
  #look: Timer | undefined;

  constructor(runtime: Runtime, limitMs: number) {
    this.#runtime = runtime;
    this.#limitMs = limitMs;
    this.#lookMs = Math.min(Math.max(limitMs / LOOKS, SHORTEST_LOOK_MS), LONGEST_LOOK_MS);
  }

  /** Gives a request its deadline, unless it lasts as long as its client likes. Throws 400 for a timeout that is none. */
  begin(context: RequestContext): Deadline | undefined {
    const { info, received } = context;
    if (isLongRunning(info)) return undefined;
    const wanted = readTimeout(info.query) ?? 0;
    const isShorter = wanted > 0 && wanted < this.#limitMs;
    const deadline = isShorter ? this.#beginOwn(received + wanted) : this.#beginUsual(received + this.#limitMs);
    context.deadline = deadline;
    return deadline;
  }

  /** The request is over, in time or not. */
  finish(deadline: Deadline): void {
    if (deadline instanceof UsualDeadline) this.#remove(deadline);
    else if (deadline instanceof OwnDeadline) deadline.timer?.cancel();
  }

  #beginOwn(at: number): OwnDeadline {
    const deadline = new OwnDeadline(at, this.#runtime);
    deadline.timer = this.#runtime.after(deadline.left, () => deadline.end());
    return deadline;
  }

  #beginUsual(at: number): UsualDeadline {
    const deadline = new UsualDeadline(at, this.#runtime);
    if (this.#newest) {
      deadline.earlier = this.#newest;
      this.#newest.later = deadline;
    } else this.#oldest = deadline;
    this.#newest = deadline;
    this.#look ??= this.#lookLater();
    return deadline;
  }

  #remove(deadline: UsualDeadline): void {
    const { earlier, later } = deadline;
    if (earlier) earlier.later = later;
    else if (this.#oldest === deadline) this.#oldest = later;
    if (later) later.earlier = earlier;
    else if (this.#newest === deadline) this.#newest = earlier;
    deadline.earlier = undefined;
    deadline.later = undefined;
  }

  #lookLater(): Timer {
    return this.#runtime.after(this.#lookMs, () => {
      this.#look = undefined;
      const now = this.#runtime.monotonic();
      for (let oldest = this.#oldest; oldest && oldest.at <= now; oldest = this.#oldest) {
        this.#remove(oldest);
        oldest.end();
      }
      if (this.#oldest) this.#look ??= this.#lookLater();
    });
  }
}
