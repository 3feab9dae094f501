import { type Histogram, LevelHistogram } from '../observe/metrics/distributions.ts';
import type { Cell, Recorder } from '../observe/metrics/recorder.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** What is looked at of a priority level. */
interface Level {
  readonly configuration: {
    readonly limit: number;
    readonly queuing: { readonly queues: number; readonly queueLengthLimit: number } | undefined;
  };
  readonly seatsInUse: number;
  readonly executing: number;
  readonly queues: { readonly length: number };
}

/** The requests of all levels that wait, by whether they change anything. */
export class WaitingRequests {
  readonly #reading: WaitingSort;
  readonly #changing: WaitingSort;

  constructor(recorder: Recorder, runtime: Runtime, totalSeats: number) {
    this.#reading = new WaitingSort(recorder, runtime, 'readOnly', totalSeats);
    this.#changing = new WaitingSort(recorder, runtime, 'mutating', totalSeats);
  }

  add(verb: string, more: 1 | -1, now: number): void {
    (READING.has(verb) ? this.#reading : this.#changing).add(more, now);
  }
}

const READING: ReadonlySet<string> = new Set(['get', 'list', 'watch', 'head', 'options']);

class WaitingSort {
  readonly #count: Cell;
  readonly #levels: LevelHistogram;
  readonly #most: number;

  constructor(recorder: Recorder, runtime: Runtime, kind: string, most: number) {
    this.#count = recorder.number('apiserver_current_inqueue_requests', [kind]);
    this.#most = most;
    const name = 'apiserver_flowcontrol_read_vs_write_current_requests';
    this.#levels = followed(recorder.histogram(name, ['waiting', kind]), recorder, runtime);
  }

  add(more: number, now: number): void {
    this.#count.value += more;
    this.#levels.set(this.#count.value / this.#most, now);
  }
}

/** For how long how much of a priority level was in use. Times are monotonic milliseconds. */
export class LevelUsage {
  readonly #waiting: WaitingRequests;
  readonly #requests: LevelHistogram;
  readonly #queued: LevelHistogram;
  readonly #seats: LevelHistogram;

  constructor(recorder: Recorder, runtime: Runtime, level: string, waiting: WaitingRequests) {
    const requests = 'apiserver_flowcontrol_priority_level_request_utilization';
    const seats = 'apiserver_flowcontrol_priority_level_seat_utilization';
    this.#waiting = waiting;
    this.#requests = followed(recorder.histogram(requests, ['executing', level]), recorder, runtime);
    this.#queued = followed(recorder.histogram(requests, ['waiting', level]), recorder, runtime);
    this.#seats = followed(recorder.histogram(seats, ['executing', level]), recorder, runtime);
  }

  /** A request has begun, or is over. */
  changed({ configuration: { limit }, executing, seatsInUse }: Level, now: number): void {
    this.#requests.set(executing / limit, now);
    this.#seats.set(seatsInUse / limit, now);
  }

  /** A request has to wait. */
  joined(level: Level, verb: string, now: number): void {
    this.#waiting.add(verb, 1, now);
    this.#countQueued(level, now);
  }

  /** A request waits no longer. */
  left(level: Level, verb: string, now: number): void {
    this.#waiting.add(verb, -1, now);
    this.#countQueued(level, now);
  }

  #countQueued({ configuration: { queuing }, queues }: Level, now: number): void {
    if (queuing) this.#queued.set(queues.length / (queuing.queues * queuing.queueLengthLimit), now);
  }
}

/** A level's time goes on while nothing changes: it is counted up to the moment at which somebody reads it. */
function followed(histogram: Histogram, recorder: Recorder, runtime: Runtime): LevelHistogram {
  const levels = new LevelHistogram(histogram, runtime.monotonic());
  recorder.beforeReading(() => levels.flush(runtime.monotonic()));
  return levels;
}
