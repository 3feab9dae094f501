import type { Runtime } from '../../runtime/runtime.ts';
import { LevelHistogram } from './distributions.ts';
import type { Cell, Recorder } from './recorder.ts';

/** How many requests of each sort may be worked on at once; 0 for as many as come. */
export interface InFlightBounds {
  readonly reading: number;
  readonly changing: number;
}

export const NO_BOUNDS: InFlightBounds = { reading: 0, changing: 0 };

/** The requests of one sort that are being worked on now, and for how long there were how many. */
export class InFlight {
  readonly #count: Cell;
  readonly #levels: LevelHistogram;
  readonly #most: number;

  constructor(recorder: Recorder, runtime: Runtime, kind: 'readOnly' | 'mutating', most: number) {
    this.#count = recorder.number('apiserver_current_inflight_requests', [kind]);
    this.#most = most === 0 ? 1 : most;
    const name = 'apiserver_flowcontrol_read_vs_write_current_requests';
    this.#levels = new LevelHistogram(recorder.histogram(name, ['executing', kind]), runtime.monotonic());
    recorder.beforeReading(() => this.#levels.flush(runtime.monotonic()));
  }

  /** `now` is monotonic, in milliseconds. */
  began(now: number): void {
    this.#levels.set(++this.#count.value / this.#most, now);
  }

  ended(now: number): void {
    this.#levels.set(--this.#count.value / this.#most, now);
  }
}
