import type { RequestContext } from '../../request/context.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Cell, Histogram, Recorder } from './recorder.ts';

interface Outcome {
  readonly attempts: Cell;
  readonly seconds: Histogram;
}

/** Counts whether and how soon it was known who sends a request. Authentication is the first stage of its path. */
export class AuthenticationMetrics {
  readonly #runtime: Runtime;
  readonly #success: Outcome;
  readonly #failure: Outcome;
  readonly #error: Outcome;

  constructor(recorder: Recorder, runtime: Runtime) {
    const outcome = (result: string): Outcome => ({
      attempts: recorder.number('authentication_attempts', [result]),
      seconds: recorder.histogram('authentication_duration_seconds', [result]),
    });
    this.#runtime = runtime;
    this.#success = outcome('success');
    this.#failure = outcome('failure');
    this.#error = outcome('error');
  }

  identified(context: RequestContext): void {
    this.#count(this.#success, context);
  }

  /** A request that has its answer: one whose sender never became known was refused for that. */
  ended(context: RequestContext): void {
    if (context.user) return;
    this.#count(context.request.headers.authorization === undefined ? this.#failure : this.#error, context);
  }

  #count({ attempts, seconds }: Outcome, { received }: RequestContext): void {
    attempts.value++;
    seconds.observe((this.#runtime.monotonic() - received) / 1000);
  }
}
