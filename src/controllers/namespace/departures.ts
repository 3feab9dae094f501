import type { ServedKind } from '../../client/served-kind.ts';
import type { KnownObjects, LoopQueue } from '../loop.ts';

/**
 * What remains has changed: how it stands is told again after this time, unless all of a kind has gone before, and later
 * the more there is to look at.
 */
const TELL_AFTER_MS = 1_000;
const TELL_AFTER_EACH_MS = 1;

/** Follows what namespaces wait for, each for as long as it waits. */
export class Departures {
  readonly #known: KnownObjects;
  readonly #queue: LoopQueue;
  /** By namespace, and by kind. */
  readonly #followed = new Map<string, ReadonlyMap<string, { close(): void }>>();

  constructor(known: KnownObjects, queue: LoopQueue) {
    this.#known = known;
    this.#queue = queue;
  }

  /** Looks at the namespace again when the last object of one of these kinds has gone, and of no others. */
  await(namespace: string, kinds: readonly ServedKind[]): void {
    const before = this.#followed.get(namespace);
    const keyOf = ({ group, plural }: ServedKind): string => `${group}/${plural}`;
    const followed = new Map(
      kinds.map((kind) => [keyOf(kind), before?.get(keyOf(kind)) ?? this.#follow(namespace, kind)]),
    );
    this.#followed.set(namespace, followed);
    for (const [key, one] of before ?? []) if (!followed.has(key)) one.close();
  }

  forget(namespace: string): void {
    for (const followed of this.#followed.get(namespace)?.values() ?? []) followed.close();
    this.#followed.delete(namespace);
  }

  close(): void {
    for (const namespace of [...this.#followed.keys()]) this.forget(namespace);
  }

  #follow(namespace: string, { group, plural }: ServedKind): { close(): void } {
    const names = new Set<string>();
    let isNews = false;
    const tellSoon = (): void => {
      if (isNews) this.#queue.addAfter(namespace, TELL_AFTER_MS + names.size * TELL_AFTER_EACH_MS);
    };
    const followed = this.#known.follow(
      { group, plural, namespace },
      {
        onSet: ({ metadata }) => {
          names.add(metadata.name ?? '');
          tellSoon();
        },
        onRemove: ({ metadata }) => {
          names.delete(metadata.name ?? '');
          if (names.size === 0) this.#queue.add(namespace);
          else tellSoon();
        },
      },
    );
    isNews = true;
    // The last one went meanwhile, or what there is comes later.
    if (names.size === 0) tellSoon();
    return followed;
  }
}
