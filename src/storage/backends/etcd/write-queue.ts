import type { ApiError } from '../../../api/errors.ts';
import type { Runtime, Timer } from '../../../runtime/runtime.ts';
import { overloaded } from './cluster.ts';
import { Rota } from './rota.ts';

/** Whose turn a write waits for. */
export interface Applicant {
  /** Who writes. */
  readonly caller: string;
  /** Where: writers of one place take turns with those of others. */
  readonly place: string;
  /** Nobody waits for the answer but a control loop. */
  readonly background: boolean;
}

interface Waiting extends Applicant {
  readonly timer: Timer;
  begin(): void;
}

/** How many writes may be on their way to etcd: as many as it answers quickly, within these bounds. */
const FEWEST = 16;
const MOST = 512;
const FIRST = 128;
/** An answer that took longer than this was in the way of others. */
const LATE_MS = 500;
/** What control loops may have of what is on its way, and of what waits. */
const BACKGROUND_SHARE = 0.5;
/** Of so many that begin, one may be of a control loop while others wait. */
const BACKGROUND_TURN = 8;
const MOST_WAITING = 4_096;
const LONGEST_WAIT_MS = 10_000;

/**
 * Lets as many writes through to etcd as it keeps up with. The others wait, bounded in number and time, and begin in
 * turn: requests before control loops, then each caller as often as the others, then each place.
 */
export class WriteQueue {
  readonly #runtime: Runtime;
  readonly #requests = new Rota<Waiting>();
  readonly #loops = new Rota<Waiting>();
  #allowed = FIRST;
  #underWay = 0;
  #loopsUnderWay = 0;
  #begun = 0;
  #narrowedAt = Number.NEGATIVE_INFINITY;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#requests.size + this.#loops.size;
  }

  /** How many may be on their way at present. */
  get allowed(): number {
    return Math.floor(this.#allowed);
  }

  /** Rejects with a 429 when too many wait already, or when its turn does not come in time. */
  async take<T>(applicant: Applicant, write: () => Promise<T>): Promise<T> {
    if (this.waiting > 0 || !this.#hasRoom(applicant.background)) await this.#wait(applicant);
    else this.#enter(applicant.background);
    const begun = this.#runtime.monotonic();
    try {
      return await write();
    } finally {
      this.#adapt(this.#runtime.monotonic() - begun);
      this.#underWay--;
      if (applicant.background) this.#loopsUnderWay--;
      this.#letIn();
    }
  }

  #wait(applicant: Applicant): Promise<void> {
    const queue = applicant.background ? this.#loops : this.#requests;
    const most = applicant.background ? MOST_WAITING * BACKGROUND_SHARE : MOST_WAITING;
    return new Promise((resolve, reject: (error: ApiError) => void) => {
      if (queue.size >= most) return reject(overloaded());
      const path = [applicant.caller, applicant.place] as const;
      const timer = this.#runtime.after(LONGEST_WAIT_MS, () => {
        if (queue.delete(path, waiting)) reject(overloaded());
      });
      const waiting: Waiting = { ...applicant, timer, begin: resolve };
      queue.add(path, waiting);
      // Others may wait for what only they lack.
      this.#letIn();
    });
  }

  #hasRoom(background: boolean): boolean {
    if (background && this.#loopsUnderWay >= this.allowed * BACKGROUND_SHARE) return false;
    return this.#underWay < this.allowed;
  }

  #enter(background: boolean): void {
    this.#underWay++;
    this.#begun++;
    if (background) this.#loopsUnderWay++;
  }

  #letIn(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      next.timer.cancel();
      this.#enter(next.background);
      next.begin();
    }
  }

  #next(): Waiting | undefined {
    const isTurnOfLoops = this.#begun % BACKGROUND_TURN === 0;
    const mayLoop = this.#loops.size > 0 && this.#hasRoom(true);
    if (mayLoop && (isTurnOfLoops || this.#requests.size === 0)) return this.#loops.next();
    return this.#requests.size > 0 && this.#hasRoom(false) ? this.#requests.next() : undefined;
  }

  /** More at a time while answers come quickly, fewer when they come late; once for all that were on their way then. */
  #adapt(tookMs: number): void {
    const now = this.#runtime.monotonic();
    if (tookMs < LATE_MS) {
      if (this.#underWay >= this.allowed) this.#allowed = Math.min(this.#allowed + 1 / 8, MOST);
    } else if (now - this.#narrowedAt > tookMs) {
      this.#narrowedAt = now;
      this.#allowed = Math.max(this.#allowed * 0.7, FEWEST);
    }
  }
}
