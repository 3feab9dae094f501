import type { RequestContext } from '../../request/context.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Histogram } from './distributions.ts';
import type { Recorder } from './recorder.ts';

/** What keeps the number of requests under way in bounds. */
export type LimitingStage = 'maxinflight' | 'priorityandfairness';

/** How long the stages between authentication and the handler take, by the times that the pipeline has noted. */
export class StageMetrics {
  readonly #runtime: Runtime;
  readonly #limiting: Histogram;
  readonly #authorization: Histogram;

  constructor(recorder: Recorder, runtime: Runtime, limiting: LimitingStage) {
    const secondsOf = (stage: string): Histogram =>
      recorder.histogram('apiserver_request_filter_duration_seconds', [stage]);
    this.#runtime = runtime;
    this.#limiting = secondsOf(limiting);
    this.#authorization = secondsOf('authorization');
  }

  /** A request that was sent away before it came to a stage is not counted there. */
  ended({ queueFrom, authorizationFrom, handlingFrom }: RequestContext): void {
    if (authorizationFrom === 0) return;
    this.#limiting.observe((authorizationFrom - queueFrom) / 1000);
    this.#authorization.observe(((handlingFrom || this.#runtime.monotonic()) - authorizationFrom) / 1000);
  }
}
