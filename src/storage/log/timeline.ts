import type { Archive } from '../backend.ts';
import { ArchivedRow, ArchivedVersion } from './archived-version.ts';
import { PastRows } from './past-rows.ts';
import { changeBy, type Version } from './version.ts';

/** How many versions are let go of at once. */
const PIECE = 2_048;

/** Some versions that came in one after the other. */
interface Piece {
  /** Each version; of those that are rows, the key. */
  readonly slots: (Version | string)[];
  /** None of them has a lower serial number. */
  readonly serial: number;
  /** Absent until one of them is a row. */
  rows?: PastRows;
}

/**
 * Every version that entered the log and that compaction has not passed, in the order of their revisions, by number. A
 * superseded version whose bytes are in the store alone is a row of numbers here, and an object only while somebody looks
 * at it: there may be millions.
 */
export class Timeline {
  readonly #archive: Archive | undefined;
  #pieces: Piece[] = [];
  /** The number of the oldest, and the one that the next will have. */
  #first = 0;
  #end = 0;
  #rows = 0;
  /**
   * What rows superseded and is no row of this timeline: by the number that it had while it was one, or by that of the row
   * which superseded it. What is left of the past of a key when its oldest row leaves.
   */
  readonly #before = new Map<number, Version>();

  /** `archive`: where the bytes of rows are. Without, there are none. */
  constructor(archive?: Archive) {
    this.#archive = archive;
  }

  get first(): number {
    return this.#first;
  }

  get end(): number {
    return this.#end;
  }

  /** How many versions are no rows. */
  get objects(): number {
    return this.#end - this.#first - this.#rows;
  }

  /** Returns the number of the version. */
  push(version: Version): number {
    const last = this.#pieces.at(-1);
    if (last === undefined || last.slots.length === PIECE) this.#begin(version);
    else last.slots.push(version);
    return this.#end++;
  }

  at(number: number): Version | undefined {
    const slot = this.#slot(number);
    return typeof slot === 'string' ? this.#rowAt(number, slot) : slot;
  }

  keyAt(number: number): string | undefined {
    const slot = this.#slot(number);
    return typeof slot === 'object' ? slot.key : slot;
  }

  revisionAt(number: number): number {
    const slot = this.#slot(number);
    return (typeof slot === 'object' ? slot.revision : this.#piece(number)?.rows?.revisions[number % PIECE]) ?? 0;
  }

  /** When a version was committed. */
  timeAt(number: number): number | undefined {
    const slot = this.#slot(number);
    return typeof slot === 'string' ? this.#piece(number)?.rows?.timeOf(number % PIECE) : slot?.time;
  }

  /** How many entries a version added. */
  changeAt(number: number): number {
    const slot = this.#slot(number);
    if (typeof slot === 'object') return changeBy(slot);
    return this.#piece(number)?.rows?.changeOf(number % PIECE) ?? 0;
  }

  /** The number of the first version later than a revision. */
  firstAfter(revision: number): number {
    let low = this.#first;
    let high = this.#end;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.revisionAt(middle) <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Puts what stands for a version in its place, if it is there. */
  replace(version: Version): void {
    const number = this.#numberOf(version);
    const piece = number === undefined ? undefined : this.#piece(number);
    if (number !== undefined && piece) piece.slots[number % PIECE] = version;
  }

  /** Makes a row of a superseded version, and returns what stands for it; undefined when it is not here. */
  archive(version: Version): Version | undefined {
    const number = this.#numberOf(version);
    const piece = number === undefined ? undefined : this.#piece(number);
    if (number === undefined || piece === undefined || !this.#archive) return undefined;
    piece.rows ??= new PastRows(PIECE, piece.serial);
    piece.rows.set(number % PIECE, version, this.#distanceToPrevious(version, number), changeBy(version));
    piece.slots[number % PIECE] = version.key;
    this.#rows++;
    return this.#rowAt(number, version.key);
  }

  /** What the row of this number superseded, as far as that is known; the row may have left. */
  previousOf(number: number): Version | undefined {
    if (number < this.#first) return this.#before.get(number)?.previous;
    const distance = this.#distance(number);
    if (distance === 0) return this.#before.get(number);
    return this.at(number - distance) ?? this.#before.get(number - distance);
  }

  /** Of what the row of this number superseded the first that is no later than a revision, or no row. */
  previousAsOf(number: number, revision: number): Version | undefined {
    let at = number;
    while (typeof this.#slot(at) === 'string' && this.revisionAt(at) > revision) {
      const distance = this.#distance(at);
      if (distance === 0) break;
      at -= distance;
    }
    return at === number ? this.previousOf(number) : (this.at(at) ?? this.#before.get(at));
  }

  /**
   * The oldest leaves. Returns what stands for it from now on, from which nothing older is known, but where that is to be
   * remembered.
   */
  shift(remember: boolean): Version | undefined {
    const number = this.#first;
    const piece = this.#piece(number);
    const slot = this.#slot(number);
    if (piece === undefined || slot === undefined) return undefined;
    const version = typeof slot === 'string' ? this.#outOfRow(number, slot, remember) : this.#outOf(slot, remember);
    // Others of the piece stay for longer.
    piece.slots[number % PIECE] = '';
    this.#first++;
    if (this.#first % PIECE === 0) this.#pieces.shift();
    return version;
  }

  #begin(version: Version): void {
    this.#pieces.push({ slots: [version], serial: version.serial });
  }

  #outOf(version: Version, remember: boolean): Version {
    const { previous } = version;
    if (!(previous instanceof ArchivedRow)) return version;
    const left = this.#before.get(previous.number);
    this.#before.delete(previous.number);
    if (remember && left) version.previous = left;
    return version;
  }

  #outOfRow(number: number, key: string, remember: boolean): Version | undefined {
    const previous = remember ? this.previousOf(number) : undefined;
    const row = this.#piece(number)?.rows?.get(number % PIECE, key, previous);
    if (row === undefined || !this.#archive) return undefined;
    this.#before.delete(number - this.#distance(number));
    const left = new ArchivedVersion(row, this.#archive);
    // To whoever superseded a deletion it is as if nothing had been.
    if (remember || !row.deleted) this.#before.set(number, left);
    this.#rows--;
    return left;
  }

  #piece(number: number): Piece | undefined {
    return this.#pieces[Math.floor(number / PIECE) - Math.floor(this.#first / PIECE)];
  }

  #slot(number: number): Version | string | undefined {
    return number < this.#first ? undefined : this.#piece(number)?.slots[number % PIECE];
  }

  #rowAt(number: number, key: string): Version | undefined {
    const row = this.#piece(number)?.rows?.get(number % PIECE, key, undefined);
    return row && this.#archive && new ArchivedRow(row, this.#archive, this, number);
  }

  #distance(number: number): number {
    return this.#piece(number)?.rows?.distances[number % PIECE] ?? 0;
  }

  #distanceToPrevious({ previous }: Version, number: number): number {
    if (previous instanceof ArchivedRow) return number - previous.number;
    if (previous !== undefined) this.#before.set(number, previous);
    return 0;
  }

  /** The number of a version that is no row. */
  #numberOf({ revision, key }: Version): number | undefined {
    // Several may share a revision, where a store could not tell how they came about.
    for (let number = this.firstAfter(revision) - 1; this.revisionAt(number) === revision; number--) {
      const slot = this.#slot(number);
      if (typeof slot === 'object' && slot.key === key) return number;
      if (slot === undefined) return undefined;
    }
    return undefined;
  }
}
