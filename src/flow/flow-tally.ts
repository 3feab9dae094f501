import type { Histogram } from '../observe/metrics/distributions.ts';
import type { Cell, Recorder } from '../observe/metrics/recorder.ts';

/** Why a request was turned away. */
export type Refusal = 'queue-full' | 'concurrency-limit' | 'time-out' | 'cancelled';

/** What is counted for the requests of one flow schema at its priority level. */
export class FlowTally {
  readonly #recorder: Recorder;
  readonly #labels: readonly [level: string, schema: string];
  readonly #dispatched: Cell;
  readonly #executing: Cell;
  readonly #seatsInUse: Cell;
  readonly #queued: Cell;
  readonly #waited: Histogram;
  readonly #seats: Histogram;
  readonly #duration: Histogram;
  #watchDuration: Histogram | undefined;

  constructor(recorder: Recorder, level: string, schema: string) {
    const labels = [level, schema] as const;
    this.#recorder = recorder;
    this.#labels = labels;
    this.#dispatched = recorder.number('apiserver_flowcontrol_dispatched_requests_total', labels);
    this.#executing = recorder.number('apiserver_flowcontrol_current_executing_requests', labels);
    this.#seatsInUse = recorder.number('apiserver_flowcontrol_request_concurrency_in_use', labels);
    this.#queued = recorder.number('apiserver_flowcontrol_current_inqueue_requests', labels);
    this.#waited = recorder.histogram('apiserver_flowcontrol_request_wait_duration_seconds', [...labels, 'true']);
    this.#seats = recorder.histogram('apiserver_flowcontrol_work_estimated_seats', labels);
    this.#duration = recorder.histogram('apiserver_flowcontrol_request_execution_seconds', [...labels, 'regular']);
  }

  began(seats: number, waitedMs: number): void {
    this.#dispatched.value++;
    this.#executing.value++;
    this.#seatsInUse.value += seats;
    this.#seats.observe(seats);
    this.#waited.observe(waitedMs / 1000);
  }

  ended(verb: string, seats: number, milliseconds: number): void {
    this.#executing.value--;
    this.#seatsInUse.value -= seats;
    const duration = verb === 'watch' ? this.#watches() : this.#duration;
    duration.observe(milliseconds / 1000);
  }

  /** `length`: of the queue, the request included. */
  enqueued(length: number): void {
    this.#queued.value++;
    this.#recorder.histogram('apiserver_flowcontrol_request_queue_length_after_enqueue', this.#labels).observe(length);
  }

  dequeued(): void {
    this.#queued.value--;
  }

  refused(reason: Refusal, waitedMs: number): void {
    const labels = [...this.#labels, reason];
    this.#recorder.number('apiserver_flowcontrol_rejected_requests_total', labels).value++;
    this.#recorder
      .histogram('apiserver_flowcontrol_request_wait_duration_seconds', [...this.#labels, 'false'])
      .observe(waitedMs / 1000);
  }

  #watches(): Histogram {
    const labels = [...this.#labels, 'watch'];
    this.#watchDuration ??= this.#recorder.histogram('apiserver_flowcontrol_request_execution_seconds', labels);
    return this.#watchDuration;
  }
}
