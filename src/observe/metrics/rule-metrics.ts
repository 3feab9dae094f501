import type { Runtime } from '../../runtime/runtime.ts';
import type { Histogram } from './distributions.ts';
import type { Recorder } from './recorder.ts';

/** Counts how long rules of custom kinds take, the turns of others in between included. */
export class RuleMetrics {
  readonly #runtime: Runtime;
  readonly #compilation: Histogram;
  readonly #evaluation: Histogram;

  constructor(recorder: Recorder, runtime: Runtime) {
    this.#runtime = runtime;
    this.#compilation = recorder.histogram('apiserver_cel_compilation_duration_seconds', []);
    this.#evaluation = recorder.histogram('apiserver_cel_evaluation_duration_seconds', []);
  }

  compiling(): () => void {
    return this.#timing(this.#compilation);
  }

  evaluating(): () => void {
    return this.#timing(this.#evaluation);
  }

  #timing(histogram: Histogram): () => void {
    const began = this.#runtime.monotonic();
    return () => histogram.observe((this.#runtime.monotonic() - began) / 1000);
  }
}
