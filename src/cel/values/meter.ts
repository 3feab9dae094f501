/** Thrown when an evaluation has cost what it may. The one thing that is thrown: it ends everything at once. */
export class Exhausted {}

const EXHAUSTED = new Exhausted();

/** Counts what an evaluation costs. */
export class Meter {
  /** Units that are left to spend. */
  left: number;

  constructor(units: number) {
    this.left = units;
  }

  spend(units: number): void {
    this.left -= units;
    if (this.left < 0) throw EXHAUSTED;
  }
}

/** Listing the keys of a map, for each. */
export const KEY_UNITS = 10;

/** A character costs a tenth of a unit in estimates. */
export const TEXT_UNITS = 0.1;

/** What going through so many characters costs. Whole units, as counting in fractions takes longer. */
export const textUnits = (characters: number): number => (characters + 7) >>> 3;
