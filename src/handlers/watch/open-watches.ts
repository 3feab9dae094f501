import type { Catalogue } from '../../registry/catalogue.ts';
import type { ResourceType } from '../../registry/resource-type.ts';

/** A watch that can be ended. */
export interface OpenWatch {
  /** A clean end: the client asks again from where it is. */
  onCutOff(): void;
}

/** Watches by the type that they show. They end when the catalogue has it no more: what they would send was made for it. */
export class OpenWatches {
  readonly #byType = new WeakMap<ResourceType, Set<OpenWatch>>();

  constructor(catalogue: Catalogue) {
    catalogue.follow({
      onAdd() {},
      onReplace: (before, kind) => this.#end(before.versions.filter((type) => !kind.versions.includes(type))),
      onRemove: ({ versions }) => this.#end(versions),
    });
  }

  /** Gives what is to be called when the watch is over. */
  add(type: ResourceType, watch: OpenWatch): () => void {
    const watches = this.#byType.get(type) ?? new Set();
    this.#byType.set(type, watches.add(watch));
    return () => {
      watches.delete(watch);
    };
  }

  /** At the end of the turn: what was committed before has been told to all by then. */
  #end(types: readonly ResourceType[]): void {
    for (const type of types) {
      const watches = [...(this.#byType.get(type) ?? [])];
      if (watches.length > 0) queueMicrotask(() => watches.forEach(cutOff));
    }
  }
}

const cutOff = (watch: OpenWatch): void => watch.onCutOff();
