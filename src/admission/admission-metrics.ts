import type { Recorder } from '../observe/metrics/recorder.ts';
import type { AdmissionRequest } from '../registry/admission.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** What collectors call the two phases. */
export type Phase = 'admit' | 'validate';

/** Something that takes a while, and may refuse by throwing. `How` is whatever else it is told. */
type Step<R extends AdmissionRequest, How> = (request: R, how: How) => void | Promise<void>;

/** Where seconds are counted. */
interface Distribution {
  observe(seconds: number): void;
}

const bothOf = (one: Distribution, other: Distribution): Distribution => ({
  observe(seconds) {
    one.observe(seconds);
    other.observe(seconds);
  },
});

/** Makes steps count how long they take. What they do, and when they wait, stays as it was. */
export class AdmissionMetrics {
  readonly #recorder: Recorder;
  readonly #runtime: Runtime;

  constructor(recorder: Recorder, runtime: Runtime) {
    this.#recorder = recorder;
    this.#runtime = runtime;
  }

  /** One plugin in one phase. */
  plugin<R extends AdmissionRequest, How>(
    name: string,
    phase: Phase,
    operation: string,
    step: Step<R, How>,
  ): Step<R, How> {
    return this.#timed(step, (rejected) =>
      this.#recorder.histogram('apiserver_admission_controller_admission_duration_seconds', [
        name,
        phase,
        operation,
        rejected,
      ]),
    );
  }

  /** A phase as a whole. */
  phase<R extends AdmissionRequest, How>(phase: Phase, operation: string, step: Step<R, How>): Step<R, How> {
    return this.#timed(step, (rejected) =>
      bothOf(
        this.#recorder.histogram('apiserver_admission_step_admission_duration_seconds', [phase, operation, rejected]),
        this.#recorder.summary('apiserver_admission_step_admission_duration_seconds_summary', [
          phase,
          operation,
          rejected,
        ]),
      ),
    );
  }

  #timed<R extends AdmissionRequest, How>(
    step: Step<R, How>,
    histogramFor: (rejected: string) => Distribution,
  ): Step<R, How> {
    const passed = histogramFor('false');
    const observe = (histogram: Distribution, began: number): void =>
      histogram.observe((this.#runtime.monotonic() - began) / 1000);
    const refused = (began: number, error: unknown): never => {
      observe(histogramFor('true'), began);
      throw error;
    };
    return (request, how) => {
      const began = this.#runtime.monotonic();
      try {
        const waiting = step(request, how);
        if (!waiting) observe(passed, began);
        return waiting?.then(
          () => observe(passed, began),
          (error: unknown) => refused(began, error),
        );
      } catch (error) {
        return refused(began, error);
      }
    };
  }
}
