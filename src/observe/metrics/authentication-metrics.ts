import type { RequestContext } from '../../request/context.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Histogram } from './distributions.ts';
import type { Cell, Recorder } from './recorder.ts';

interface Outcome {
  readonly attempts: Cell;
  readonly seconds: Histogram;
}

/** Users that have a series of their own: no client can add to them. */
const COUNTED_USERS = ['admin', 'client'] as const;

/** Counts whether and how soon it was known who sends a request. Authentication is the first stage of its path. */
export class AuthenticationMetrics {
  readonly #runtime: Runtime;
  readonly #success: Outcome;
  readonly #failure: Outcome;
  readonly #error: Outcome;
  readonly #stage: Histogram;
  readonly #users: ReadonlyMap<string, Cell>;
  readonly #addresses: Cell;
  readonly #others: Cell;

  constructor(recorder: Recorder, runtime: Runtime) {
    const outcome = (result: string): Outcome => ({
      attempts: recorder.number('authentication_attempts', [result]),
      seconds: recorder.histogram('authentication_duration_seconds', [result]),
    });
    const requestsOf = (name: string): Cell => recorder.number('authenticated_user_requests', [name]);
    this.#runtime = runtime;
    this.#success = outcome('success');
    this.#failure = outcome('failure');
    this.#error = outcome('error');
    this.#stage = recorder.histogram('apiserver_request_filter_duration_seconds', ['authentication']);
    this.#users = new Map(COUNTED_USERS.map((name) => [name, requestsOf(name)]));
    this.#addresses = requestsOf('email_id');
    this.#others = requestsOf('other');
  }

  identified(context: RequestContext): void {
    this.#count(this.#success, context);
    this.#requestsOf(context.user?.name ?? '').value++;
  }

  /** A request that has its answer: one whose sender never became known was refused for that. */
  ended(context: RequestContext): void {
    if (context.user) return;
    this.#count(context.request.headers.authorization === undefined ? this.#failure : this.#error, context);
  }

  #count({ attempts, seconds }: Outcome, { received }: RequestContext): void {
    const taken = (this.#runtime.monotonic() - received) / 1000;
    attempts.value++;
    seconds.observe(taken);
    this.#stage.observe(taken);
  }

  #requestsOf(name: string): Cell {
    return this.#users.get(name) ?? (name.includes('@') ? this.#addresses : this.#others);
  }
}
