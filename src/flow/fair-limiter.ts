import type { RequestContext } from '../request/context.ts';
import { isLongRunning } from '../request/long-running.ts';
import type { Runtime } from '../runtime.ts';
import type { UserInfo } from '../user.ts';
import type { FlowPlan } from './flow-plan.ts';
import type { Place, RequestLimiter } from './limiter.ts';
import { type CountObjects, seatsFor } from './seats.ts';
import { type Route, refuse, Turn, WaitingTurn } from './turn.ts';

export interface FairLimiterOptions {
  readonly plan: FlowPlan;
  readonly runtime: Runtime;
  readonly countObjects: CountObjects;
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

  enter(context: RequestContext, user: UserInfo): Place | undefined | Promise<Place> {
    const { info } = context;
    if (info.verb !== 'watch' && isLongRunning(info)) return undefined;
    const { plan, runtime, countObjects } = this.#options;
    const route = plan.routeOf(user, info);
    context.answerHeaders = route.headers;
    const wanted = seatsFor(info, countObjects);
    const seats = route.level.take(wanted);
    if (seats > 0) return new Turn(runtime, route, info.verb, seats, 0);
    return this.#wait(context, user, route, wanted);
  }

  #wait({ request, info, deadline }: RequestContext, user: UserInfo, route: Route, seats: number): Promise<Turn> {
    if (!route.level.configuration.queuing) throw refuse(route, 'concurrency-limit');
    const { runtime, patienceMs } = this.#options;
    const waiting = new WaitingTurn({ runtime, route, seats, user, info });
    if (!waiting.enqueue(patienceMs)) throw refuse(route, 'queue-full');
    request.onceGone(() => waiting.giveUp('cancelled'));
    deadline?.onceOver(() => waiting.giveUp('time-out'));
    return waiting.turn;
  }
}
