import type { ApiError } from '../api/errors.ts';
import type { UserInfo } from '../api/user.ts';
import { headerValue } from '../http/headers.ts';
import type { RequestContext } from '../request/context.ts';
import type { FlowWait } from '../request/flow-place.ts';
import { isLongRunning } from '../request/long-running.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { FlowPlan } from './flow-plan.ts';
import type { Refusal } from './flow-tally.ts';
import type { RequestLimiter, Seat } from './limiter.ts';
import { importanceOf, type MemoryCheck } from './memory-check.ts';
import { type MeasureExtent, seatsFor } from './seats.ts';
import { type Level, type Route, refuse, Turn, WaitingTurn } from './turn.ts';

export interface FairLimiterOptions {
  readonly plan: FlowPlan;
  readonly runtime: Runtime;
  readonly measure: MeasureExtent;
  readonly memory: MemoryCheck;
  /** How long a request may wait for its turn. */
  readonly patienceMs: number;
}

/**
 * Priority and fairness: every request has a flow, every flow a priority level, every level its part of the server. A
 * flow that asks for more than its share waits, and the others hardly notice. A watch is counted until its answer begins;
 * what else is long-running is not counted.
 */
export class FairLimiter implements RequestLimiter {
  readonly #options: FairLimiterOptions;

  constructor(options: FairLimiterOptions) {
    this.#options = options;
  }

  check(context: RequestContext, user: UserInfo): void {
    const { plan, memory } = this.#options;
    if (!memory.isShort) return;
    const { info } = context;
    const { level, headers } = plan.routeOf(user, info);
    context.answerHeaders = headers;
    memory.demand(info, importanceOf(level.name), this.#seatsOf(context) > 1);
  }

  enter(context: RequestContext, user: UserInfo): Seat | undefined | Promise<Seat> {
    const { info } = context;
    if (info.verb !== 'watch' && isLongRunning(info)) return undefined;
    const { plan, runtime } = this.#options;
    const route = plan.routeOf(user, info);
    context.answerHeaders = route.headers;
    context.flow = route;
    const wanted = this.#seatsOf(context);
    const seats = route.level.take(wanted);
    if (seats > 0) return new Turn(runtime, route, info.verb, seats, 0);
    return this.#wait(context, user, route, wanted);
  }

  #seatsOf({ info, request }: RequestContext): number {
    return seatsFor(info, info.verb === 'list' ? headerValue(request, 'accept') : undefined, this.#options.measure);
  }

  #wait(context: RequestContext, user: UserInfo, route: Route, seats: number): Promise<Turn> {
    const { request, info, deadline } = context;
    const wait = waitAt(route.level, seats);
    context.wait = wait;
    if (!route.level.configuration.queuing) throw refused(route, wait, 'concurrency-limit');
    const { runtime, patienceMs } = this.#options;
    const waiting = new WaitingTurn({ runtime, route, wait, user, info });
    if (!waiting.enqueue(patienceMs)) throw refused(route, wait, 'queue-full');
    request.onceGone(() => waiting.giveUp('cancelled'));
    deadline?.onceOver(() => waiting.giveUp('time-out'));
    return waiting.turn;
  }
}

const waitAt = ({ configuration, seatsInUse, queues }: Level, seats: number): FlowWait => ({
  seats,
  seatsInUse,
  seatLimit: configuration.limit,
  waiting: queues.length,
  queueLength: 0,
});

function refused(route: Route, wait: FlowWait, refusal: Refusal): ApiError {
  wait.refused = refusal;
  return refuse(route, refusal);
}
