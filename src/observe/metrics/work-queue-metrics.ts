import type { Runtime } from '../../runtime/runtime.ts';
import type { Histogram } from './distributions.ts';
import type { Cell, Recorder } from './recorder.ts';

/** Counts the work of one control loop. */
export class WorkQueueMeter {
  readonly name: string;
  readonly #runtime: Runtime;
  readonly #adds: Cell;
  readonly #depth: Cell;
  readonly #retries: Cell;
  readonly #waiting: Histogram;
  readonly #working: Histogram;
  /** The keys that are being looked at, by when that began. */
  readonly #running = new Set<Running>();

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

  /** `waitedMs`: since the key was added. Gives what to say when it has been looked at. */
  began(depth: number, waitedMs: number): Running {
    this.#depth.value = depth;
    this.#waiting.observe(waitedMs / 1000);
    const running = { since: this.#runtime.monotonic() };
    this.#running.add(running);
    return running;
  }

  ended(running: Running): void {
    this.#working.observe(this.#secondsOf(running));
    this.#running.delete(running);
  }

  retried(): void {
    this.#retries.value++;
  }

  /** How long the keys that are being looked at have taken so far, together. */
  get unfinishedSeconds(): number {
    return [...this.#running].reduce((sum, running) => sum + this.#secondsOf(running), 0);
  }

  /** How long the one among them has taken that began first; 0 when there is none. */
  get longestSeconds(): number {
    const [first] = this.#running;
    return first ? this.#secondsOf(first) : 0;
  }

  #secondsOf({ since }: Running): number {
    return (this.#runtime.monotonic() - since) / 1000;
  }
}

/** A key that is being looked at. */
interface Running {
  readonly since: number;
}

/** The meters of all control loops. */
export class WorkQueueMetrics {
  readonly #recorder: Recorder;
  readonly #runtime: Runtime;
  readonly #meters = new Map<string, WorkQueueMeter>();

  constructor(recorder: Recorder, runtime: Runtime) {
    this.#recorder = recorder;
    this.#runtime = runtime;
    const ofEach = (figure: (meter: WorkQueueMeter) => number) => () =>
      [...this.#meters.values()].map((meter) => ({ labels: [meter.name], value: figure(meter) }));
    recorder.collect(
      'workqueue_unfinished_work_seconds',
      ofEach(({ unfinishedSeconds }) => unfinishedSeconds),
    );
    recorder.collect(
      'workqueue_longest_running_processor_seconds',
      ofEach(({ longestSeconds }) => longestSeconds),
    );
  }

  of(name: string): WorkQueueMeter {
    const meter = this.#meters.get(name) ?? new WorkQueueMeter(this.#recorder, this.#runtime, name);
    this.#meters.set(name, meter);
    return meter;
  }
}
