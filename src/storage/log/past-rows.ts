import type { Version } from './version.ts';

/** What is known of a version whose bytes are in the store alone, but for its key. */
export interface Row {
  readonly revision: number;
  readonly serial: number;
  readonly size: number;
  readonly deleted: boolean;
  readonly time: number;
}

/** With its key, and what it superseded, as far as that is known. */
export interface PastVersion extends Row {
  readonly key: string;
  readonly previous: Version | undefined;
}

/** Numbers of one row, in bytes. */
const ROW_BYTES = 24;
/** A size, whether it is a deletion, and how many entries it adds, in one number. */
const DELETED = 4;
const SIZE = 8;

/** Versions as rows of numbers, side by side in one block of memory: 24 bytes each, and nothing to be looked through for garbage. */
export class PastRows {
  readonly revisions: Float64Array;
  /** How many versions ago came what a version superseded; 0 when that is not among these. */
  readonly distances: Uint32Array;
  readonly #firstSerial: number;
  readonly #serials: Uint32Array;
  readonly #seconds: Uint32Array;
  readonly #sizes: Uint32Array;

  /** Room for so many, none of which has a lower serial number than `firstSerial`. */
  constructor(count: number, firstSerial: number) {
    const memory = new ArrayBuffer(count * ROW_BYTES);
    const numbers = (column: number): Uint32Array => new Uint32Array(memory, count * (8 + 4 * column), count);
    this.revisions = new Float64Array(memory, 0, count);
    this.distances = numbers(0);
    this.#serials = numbers(1);
    this.#seconds = numbers(2);
    this.#sizes = numbers(3);
    this.#firstSerial = firstSerial;
  }

  /** `change`: how many entries the version adds. */
  set(at: number, version: Row, distance: number, change: number): void {
    this.revisions[at] = version.revision;
    this.distances[at] = distance;
    this.#serials[at] = version.serial - this.#firstSerial;
    this.#seconds[at] = Math.ceil(version.time / 1000);
    this.#sizes[at] = version.size * SIZE + (version.deleted ? DELETED : 0) + change + 1;
  }

  /** In one literal, the key with it, because objects that are put together cost more than the rows save. */
  get(at: number, key: string, previous: Version | undefined): PastVersion {
    const size = this.#sizes[at] ?? 0;
    return {
      key,
      previous,
      revision: this.revisions[at] ?? 0,
      serial: this.#firstSerial + (this.#serials[at] ?? 0),
      size: Math.floor(size / SIZE),
      deleted: (size & DELETED) !== 0,
      time: this.timeOf(at),
    };
  }

  /** In whole seconds, and not earlier than it really was. */
  timeOf(at: number): number {
    return (this.#seconds[at] ?? 0) * 1000;
  }

  changeOf(at: number): number {
    return ((this.#sizes[at] ?? 0) & (DELETED - 1)) - 1;
  }
}
