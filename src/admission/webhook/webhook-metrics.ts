import type { Recorder } from '../../observe/metrics/recorder.ts';

/** What collectors call the two phases. */
export type PhaseName = 'admit' | 'validating';

/** How a call ended for the request. */
export interface Outcome {
  readonly rejected: boolean;
  /** Of the answer; 0 when there was none. */
  readonly code: number;
  /** What made it a rejection. */
  readonly error: 'no_error' | 'calling_webhook_error' | 'apiserver_internal_error';
}

/** Codes are anyone's invention: no more than this many are told apart. */
const HIGHEST_CODE = 600;

/** Counts what webhooks do, and how long they take for it. */
export class WebhookMetrics {
  readonly #recorder: Recorder;
  readonly #phase: PhaseName;

  constructor(recorder: Recorder, phase: PhaseName) {
    this.#recorder = recorder;
    this.#phase = phase;
  }

  called(name: string, operation: string, seconds: number, { rejected, code, error }: Outcome): void {
    const place = [name, this.#phase, operation];
    const shown = String(Math.min(code, HIGHEST_CODE));
    this.#recorder
      .histogram('apiserver_admission_webhook_admission_duration_seconds', [...place, String(rejected)])
      .observe(seconds);
    this.#recorder.number('apiserver_admission_webhook_request_total', [...place, shown, String(rejected)]).value++;
    if (!rejected) return;
    this.#recorder.number('apiserver_admission_webhook_rejection_count', [...place, error, shown]).value++;
  }

  failedOpen(name: string): void {
    this.#recorder.number('apiserver_admission_webhook_fail_open_count', [name, this.#phase]).value++;
  }
}
