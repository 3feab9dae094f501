import type { CommitObserver, Write } from '../../registry/write.ts';
import { type Attribution, Attributions } from './attributions.ts';

/** Knows who made a version; undefined where nobody does. */
export interface AttributionSource {
  of(revision: number): Attribution | undefined;
}

/** How far back the past of collections is remembered. */
export interface Remembered {
  /** The oldest revision that can be read. */
  readonly compacted: number;
  /** Up to which revision the past of a collection is forgotten. */
  forgotten(collection: string): number;
}

/**
 * What is known of the makers of versions. Collections whose past is remembered for longer have room of their own, so that the
 * writes of all others do not push out what is known of them.
 */
export class RememberedAttributions implements AttributionSource, CommitObserver {
  readonly #usual: Attributions;
  readonly #longer: Attributions | undefined;
  readonly #kept: ReadonlySet<string>;

  constructor(log: Remembered, kept: ReadonlySet<string>) {
    this.#kept = kept;
    this.#usual = new Attributions({ oldest: () => log.compacted });
    const oldest = (): number => Math.min(...[...kept].map((collection) => log.forgotten(collection)));
    this.#longer = kept.size > 0 ? new Attributions({ oldest }) : undefined;
  }

  committed(revision: number, write: Write): void {
    const isKept = this.#longer !== undefined && this.#kept.has(write.ref.type.collection);
    (isKept ? this.#longer : this.#usual)?.committed(revision, write);
  }

  of(revision: number): Attribution | undefined {
    return this.#usual.of(revision) ?? this.#longer?.of(revision);
  }
}
