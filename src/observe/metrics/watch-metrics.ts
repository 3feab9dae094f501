import type { ResourceType } from '../../registry/resource-type.ts';
import type { Histogram } from './distributions.ts';
import type { Cell, Recorder } from './recorder.ts';

/** Counts what the watchers of one kind are sent. */
export class WatchMeter {
  readonly #events: Cell;
  readonly #sizes: Histogram;

  constructor(recorder: Recorder, { group, version, kind }: ResourceType) {
    this.#events = recorder.number('apiserver_watch_events_total', [group, version, kind]);
    this.#sizes = recorder.histogram('apiserver_watch_events_sizes', [group, version, kind]);
  }

  sent(events: number, bytes: number): void {
    if (events === 0) return;
    this.#events.value += events;
    this.#sizes.observe(bytes / events, events);
  }
}

/** One meter for all watchers of a kind, kept for as long as the kind is. */
export class WatchMetrics {
  readonly #recorder: Recorder;
  readonly #byType = new WeakMap<ResourceType, WatchMeter>();

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  of(type: ResourceType): WatchMeter {
    const meter = this.#byType.get(type) ?? new WatchMeter(this.#recorder, type);
    this.#byType.set(type, meter);
    return meter;
  }
}
