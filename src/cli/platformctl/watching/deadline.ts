import type { Timer } from '../../../runtime/runtime.ts';
import { SilentExit } from '../frame/failure.ts';
import type { Session } from '../frame/session.ts';

/** What a program ends with that was interrupted. */
const INTERRUPTED = 130;
/** Longer than anybody waits. */
const A_WEEK_MS = 7 * 24 * 3_600_000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** When waiting ends: after a time, or when somebody presses Ctrl-C. */
export class Deadline {
  readonly #session: Session;
  readonly #end = new AbortController();
  readonly #endsAt: number;
  readonly #timer: Timer;
  /** Timers of a runtime do not keep a process alive. */
  readonly #alive = setInterval(() => {}, LONGEST_TIMER_MS);
  readonly #interrupt = (): void => this.#end.abort();

  /** `milliseconds` below zero are as good as for ever. */
  constructor(session: Session, milliseconds: number) {
    this.#session = session;
    const patience = milliseconds < 0 ? A_WEEK_MS : milliseconds;
    this.#endsAt = session.runtime.monotonic() + patience;
    this.#timer = session.runtime.after(Math.min(patience, LONGEST_TIMER_MS), this.#interrupt);
    session.io.interrupted.addEventListener('abort', this.#interrupt);
    if (session.io.interrupted.aborted) this.#interrupt();
  }

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  get isOver(): boolean {
    return this.#session.runtime.monotonic() >= this.#endsAt;
  }

  /** Ends the command where it was interrupted. */
  demandPatience(): void {
    if (this.#session.io.interrupted.aborted) throw new SilentExit(INTERRUPTED);
  }

  close(): void {
    this.#timer.cancel();
    clearInterval(this.#alive);
    this.#session.io.interrupted.removeEventListener('abort', this.#interrupt);
  }
}
