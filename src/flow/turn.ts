import type { ApiError } from '../api/errors.ts';
import type { UserInfo } from '../api/user.ts';
import type { FlowWait } from '../request/flow-place.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { Runtime, Timer } from '../runtime/runtime.ts';
import type { FlowQueue } from './fair-queues.ts';
import type { FlowTally, Refusal } from './flow-tally.ts';
import type { LevelUsage } from './level-usage.ts';
import { overloaded, type Seat } from './limiter.ts';
import type { Candidate, PriorityLevel } from './priority-level.ts';

/** Where a flow schema leads: its level, and what every answer to its requests says of both. */
export interface Route {
  readonly schema: string;
  readonly level: Level;
  /** What tells the flows of the schema apart. */
  readonly distinguisher: 'user' | 'namespace' | 'none';
  readonly headers: readonly string[];
  readonly tally: FlowTally;
  readonly totals: Totals;
  readonly usage: LevelUsage;
}

/** What became of the requests of a level so far. */
export interface Totals {
  dispatched: number;
  refused: number;
  timedOut: number;
  cancelled: number;
}

export type Level = PriorityLevel<WaitingTurn>;

/** A request that is being worked on. */
export class Turn implements Seat {
  readonly #runtime: Runtime;
  readonly #route: Route;
  readonly #verb: string;
  readonly #seats: number;
  readonly #queue: FlowQueue<WaitingTurn> | undefined;
  readonly #began: number;

  constructor(
    runtime: Runtime,
    route: Route,
    verb: string,
    seats: number,
    waitedMs: number,
    queue?: FlowQueue<WaitingTurn>,
  ) {
    this.#runtime = runtime;
    this.#route = route;
    this.#verb = verb;
    this.#seats = seats;
    this.#queue = queue;
    this.#began = runtime.monotonic();
    route.totals.dispatched++;
    route.tally.began(seats, waitedMs);
    route.usage.changed(route.level, this.#began);
  }

  leave(): void {
    const now = this.#runtime.monotonic();
    const milliseconds = now - this.#began;
    const { tally, level, usage } = this.#route;
    tally.ended(this.#verb, this.#seats, milliseconds);
    level.release(this.#seats, this.#queue, milliseconds);
    usage.changed(level, now);
  }
}

export interface WaitingOptions {
  readonly runtime: Runtime;
  readonly route: Route;
  /** What the request met; completed with what comes of it. */
  readonly wait: FlowWait;
  readonly user: UserInfo;
  readonly info: RequestInfo;
}

/** A request that waits. It ends in a turn, or gives up: because that takes too long, or because its client has gone. */
export class WaitingTurn implements Candidate {
  readonly seats: number;
  readonly user: UserInfo;
  readonly info: RequestInfo;
  readonly route: Route;
  /** Milliseconds since the epoch. */
  readonly arrived: number;
  /** Resolves with the turn when it has come, rejects with 429 when the request gives up. */
  readonly turn: Promise<Turn>;
  readonly #runtime: Runtime;
  readonly #since: number;
  readonly #wait: FlowWait;
  #queue: FlowQueue<WaitingTurn> | undefined;
  #patience: Timer | undefined;
  #resolve: (turn: Turn) => void = () => {};
  #reject: (error: ApiError) => void = () => {};

  constructor({ runtime, route, wait, user, info }: WaitingOptions) {
    this.seats = wait.seats;
    this.#wait = wait;
    this.user = user;
    this.info = info;
    this.route = route;
    this.arrived = runtime.now();
    this.#runtime = runtime;
    this.#since = runtime.monotonic();
    this.turn = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  get distinguisher(): string {
    const { distinguisher } = this.route;
    if (distinguisher === 'none') return '';
    return distinguisher === 'user' ? this.user.name : this.info.namespace;
  }

  /** Stands in line, for as long as it has patience. False when there is no room even for that. */
  enqueue(patienceMs: number): boolean {
    const { route } = this;
    const queue = route.level.enqueue(route.schema, this.distinguisher, this);
    if (!queue) return false;
    this.#queue = queue;
    this.#patience = this.#runtime.after(patienceMs, () => this.giveUp('time-out'));
    this.#wait.queueLength = queue.waiting.size;
    route.tally.enqueued(queue.waiting.size);
    route.usage.joined(route.level, this.info.verb, this.#since);
    return true;
  }

  begin(seats: number): void {
    const queue = this.#leaveQueue();
    this.#resolve(new Turn(this.#runtime, this.route, this.info.verb, seats, this.#waitedMs, queue));
  }

  /** Without effect once its turn has come. */
  giveUp(reason: Refusal): void {
    const queue = this.#leaveQueue();
    if (!queue) return;
    this.#wait.refused = reason;
    this.#reject(refuse(this.route, reason, this.#waitedMs));
    this.route.level.abandon(queue, this);
  }

  /** The queue it was in, the first time it is asked. */
  #leaveQueue(): FlowQueue<WaitingTurn> | undefined {
    const queue = this.#queue;
    if (!queue) return undefined;
    this.#queue = undefined;
    this.#patience?.cancel();
    const { tally, usage, level } = this.route;
    tally.dequeued();
    usage.left(level, this.info.verb, this.#runtime.monotonic());
    return queue;
  }

  get #waitedMs(): number {
    return this.#runtime.monotonic() - this.#since;
  }
}

const COUNTED: Readonly<Record<Refusal, keyof Totals>> = {
  'queue-full': 'refused',
  'concurrency-limit': 'refused',
  'time-out': 'timedOut',
  cancelled: 'cancelled',
};

/** Counts a request that is turned away, and gives what to tell it. */
export function refuse({ tally, totals }: Route, reason: Refusal, waitedMs = 0): ApiError {
  totals[COUNTED[reason]]++;
  tally.refused(reason, waitedMs);
  return overloaded();
}
