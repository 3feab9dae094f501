import type { Runtime } from '../../runtime/runtime.ts';
import type { Cell, Histogram, Recorder } from './recorder.ts';

/** Counts the work of one control loop, which looks at one key at a time. */
export class WorkQueueMeter {
  readonly name: string;
  readonly #runtime: Runtime;
  readonly #adds: Cell;
  readonly #depth: Cell;
  readonly #retries: Cell;
  readonly #waiting: Histogram;
  readonly #working: Histogram;
  #began: number | undefined;

  constructor(recorder: Recorder, runtime: Runtime, name: string) {
    this.name = name;
    this.#runtime = runtime;
    this.#adds = recorder.number('workqueue_adds_total', [name]);
    this.#depth = recorder.number('workqueue_depth', [name]);
    this.#retries = recorder.number('workqueue_retries_total', [name]);
    this.#waiting = recorder.histogram('workqueue_queue_duration_seconds', [name]);
    this.#working = recorder.histogram('workqueue_work_duration_seconds', [name]);
  }

  added(depth: number): void {
    this.#adds.value++;
    this.#depth.value = depth;
  }

  /** `waitedMs`: since the key was added. */
  began(depth: number, waitedMs: number): void {
    this.#depth.value = depth;
    this.#began = this.#runtime.monotonic();
    this.#waiting.observe(waitedMs / 1000);
  }

  ended(): void {
    this.#working.observe(this.unfinishedSeconds);
    this.#began = undefined;
  }

  retried(): void {
    this.#retries.value++;
  }

  /** How long the key that is being looked at has taken so far; 0 when there is none. */
  get unfinishedSeconds(): number {
    return this.#began === undefined ? 0 : (this.#runtime.monotonic() - this.#began) / 1000;
  }
}

/** The meters of all control loops. */
export class WorkQueueMetrics {
  readonly #recorder: Recorder;
  readonly #runtime: Runtime;
  readonly #meters = new Map<string, WorkQueueMeter>();

  constructor(recorder: Recorder, runtime: Runtime) {
    this.#recorder = recorder;
    this.#runtime = runtime;
    const unfinished = () =>
      [...this.#meters.values()].map(({ name, unfinishedSeconds }) => ({ labels: [name], value: unfinishedSeconds }));
    recorder.collect('workqueue_unfinished_work_seconds', unfinished);
    recorder.collect('workqueue_longest_running_processor_seconds', unfinished);
  }

  of(name: string): WorkQueueMeter {
    const meter = this.#meters.get(name) ?? new WorkQueueMeter(this.#recorder, this.#runtime, name);
    this.#meters.set(name, meter);
    return meter;
  }
}
