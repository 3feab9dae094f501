import { qualifiedResource } from '../../api/errors.ts';
import type { ResourceType } from '../../registry/resource-type.ts';
import type { Cell, Recorder } from './recorder.ts';

/** Counts the lists of one resource type, and the objects that they take and give. */
export class ListMeter {
  readonly #lists: Cell;
  readonly #fetched: Cell;
  readonly #evaluated: Cell;
  readonly #returned: Cell;

  constructor(recorder: Recorder, { group, plural }: ResourceType) {
    const labels = [qualifiedResource({ group, resource: plural })];
    this.#lists = recorder.number('apiserver_storage_list_total', labels);
    this.#fetched = recorder.number('apiserver_storage_list_fetched_objects_total', labels);
    this.#evaluated = recorder.number('apiserver_storage_list_evaluated_objects_total', labels);
    this.#returned = recorder.number('apiserver_storage_list_returned_objects_total', labels);
  }

  /** `looked`: at how many objects, which is more than it gives where there is a selector. */
  read(looked: number, returned: number): void {
    this.#lists.value++;
    this.#fetched.value += looked;
    this.#evaluated.value += looked;
    this.#returned.value += returned;
  }
}

/** One meter for all lists of a type, kept for as long as the type is. */
export class ListMetrics {
  readonly #recorder: Recorder;
  readonly #byType = new WeakMap<ResourceType, ListMeter>();

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  of(type: ResourceType): ListMeter {
    const meter = this.#byType.get(type) ?? new ListMeter(this.#recorder, type);
    this.#byType.set(type, meter);
    return meter;
  }
}
