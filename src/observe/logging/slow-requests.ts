import type { Reply } from '../../http/message.ts';
import type { RequestContext } from '../../request/context.ts';
import { isLongRunning } from '../../request/long-running.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { LineBudget } from './line-budget.ts';
import type { Logger } from './logger.ts';
import { requestLine } from './request-line.ts';

/** How long the parts of a request took, in milliseconds. What took none is left out. */
export interface RequestTimes {
  /** Finding out who asks, and as whom. */
  readonly authenticationMs?: number;
  /** Until the body had arrived. */
  readonly bodyMs?: number;
  /** Waiting for a seat of its priority level. */
  readonly queueMs?: number;
  readonly authorizationMs?: number;
  /** Waiting for admission webhooks. */
  readonly webhooksMs?: number;
  /** All the rest: reading, writing, waiting for the store. */
  readonly handlingMs?: number;
}

export const rounded = (milliseconds: number): number => Math.round(milliseconds * 100) / 100;

/** Of a request that is answered at `end`. What a request did not get to has no time. */
export function requestTimes(context: RequestContext, end: number): RequestTimes {
  const { received, bodyFrom, queueFrom, authorizationFrom, handlingFrom, webhookMs } = context;
  const begun = [
    ['authenticationMs', received],
    ['bodyMs', bodyFrom],
    ['queueMs', queueFrom],
    ['authorizationMs', authorizationFrom],
    ['handlingMs', handlingFrom],
  ] as const;
  const passed = begun.filter(([, from], at) => at === 0 || from > 0);
  const times = passed.map(([part, from], at) => [part, (passed[at + 1]?.[1] ?? end) - from] as const);
  const own = times.map(([part, spent]) => [part, rounded(part === 'handlingMs' ? spent - webhookMs : spent)] as const);
  return Object.fromEntries([...own, ['webhooksMs', rounded(webhookMs)] as const].filter(([, spent]) => spent > 0));
}

/** How long the client took to send the body: that is not the server's time. */
export const sendingMs = ({ bodyFrom, queueFrom }: RequestContext): number =>
  bodyFrom > 0 && queueFrom > 0 ? queueFrom - bodyFrom : 0;

/** Tells of requests that took long, with where the time went. What lasts as long as its client likes is never slow. */
export class SlowRequests {
  readonly #logger: Logger;
  readonly #runtime: Runtime;
  readonly #thresholdMs: number;
  readonly #lines: LineBudget;

  /** With a threshold of 0 none is. */
  constructor(logger: Logger, runtime: Runtime, thresholdMs: number) {
    this.#logger = logger;
    this.#runtime = runtime;
    this.#lines = new LineBudget(runtime);
    this.#thresholdMs = thresholdMs === 0 ? Number.POSITIVE_INFINITY : thresholdMs;
  }

  ended(context: RequestContext, reply: Reply): void {
    const now = this.#runtime.monotonic();
    if (now - context.received - sendingMs(context) < this.#thresholdMs || isLongRunning(context.info)) return;
    const untold = this.#lines.take();
    if (!untold) return;
    const milliseconds = rounded(now - context.received);
    const line = { ...requestLine(context, reply), milliseconds, ...requestTimes(context, now), ...untold };
    this.#logger.warn(line, 'a request took long');
  }
}
