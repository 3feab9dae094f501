import type { Labels } from '../../observe/metrics/distributions.ts';

/** What is looked at together, of each of some things. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
}

/** The figures of one thing at one moment, in the order of those of its topic. */
export interface Row {
  readonly labels: Labels;
  /** How much it matters beside others; what is new with 0 is not kept. */
  readonly weight: number;
  readonly values: readonly number[];
}

interface KeptRow {
  readonly labels: Labels;
  /** One array a figure, with a value for every moment. */
  readonly values: readonly Float32Array[];
  /** Follows the weights that it had, slowly. */
  weight: number;
}

/** The part of a new weight in that of a row. */
const SMOOTHING = 1 / 36;
/** A row that is new has to matter so many times as much as the one whose place it takes. */
const ADVANTAGE = 2;

/** The figures of the things that matter most, over a number of moments. */
export class FigureRows {
  readonly figures: readonly Figure[];
  readonly #most: number;
  readonly #moments: number;
  readonly #rows = new Map<string, KeptRow>();

  /** `most`: how many things are kept. */
  constructor(figures: readonly Figure[], most: number, moments: number) {
    this.figures = figures;
    this.#most = most;
    this.#moments = moments;
  }

  get bytes(): number {
    return this.#rows.size * this.figures.length * this.#moments * Float32Array.BYTES_PER_ELEMENT;
  }

  get size(): number {
    return this.#rows.size;
  }

  /** Takes what is there at a moment, in place of what was there when its place was last used. */
  record(moment: number, rows: Iterable<Row>): void {
    for (const kept of this.#rows.values()) {
      for (const values of kept.values) values[moment] = 0;
      kept.weight -= kept.weight * SMOOTHING;
    }
    for (const row of rows) {
      const kept = this.#rowOf(row);
      if (!kept) continue;
      kept.weight += row.weight * SMOOTHING;
      for (const [at, value] of row.values.entries()) {
        const values = kept.values[at];
        if (values) values[moment] = value;
      }
    }
  }

  /** All that is kept, what matters most first. */
  rows(): readonly Pick<KeptRow, 'labels' | 'values'>[] {
    return [...this.#rows.values()].toSorted((a, b) => b.weight - a.weight);
  }

  #rowOf({ labels, weight }: Row): KeptRow | undefined {
    const key = Object.values(labels).join('\n');
    const known = this.#rows.get(key);
    if (known) return known;
    if (weight === 0 || !this.#hasRoomFor(weight)) return undefined;
    const values = this.figures.map(() => new Float32Array(this.#moments));
    const row: KeptRow = { labels, values, weight };
    this.#rows.set(key, row);
    return row;
  }

  #hasRoomFor(weight: number): boolean {
    if (this.#rows.size < this.#most) return true;
    let [leastKey, least] = ['', Number.POSITIVE_INFINITY];
    for (const [key, row] of this.#rows) if (row.weight < least) [leastKey, least] = [key, row.weight];
    return weight > least * ADVANTAGE && this.#rows.delete(leastKey);
  }
}
