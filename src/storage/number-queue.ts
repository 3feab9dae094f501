/** How many numbers are let go of at once, so that what is dropped in front moves nothing. */
const PIECE = 2_048;

/** Numbers that come in at the end and leave in front, and that can be read in between. There may be millions. */
export class NumberQueue {
  #pieces: number[][] = [];
  /** How many of the first piece have left. */
  #gone = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(number: number): void {
    const last = this.#pieces.at(-1);
    if (last === undefined || last.length === PIECE) this.#begin(last, number);
    else last.push(number);
    this.#length++;
  }

  /** The number with so many before it, if there is one. */
  at(index: number): number | undefined {
    if (index < 0 || index >= this.#length) return undefined;
    const place = this.#gone + index;
    return this.#pieces[Math.floor(place / PIECE)]?.[place % PIECE];
  }

  /** Lets so many leave in front. */
  drop(count: number): void {
    const leaving = Math.min(count, this.#length);
    const place = this.#gone + leaving;
    this.#length -= leaving;
    this.#pieces.splice(0, this.#length === 0 ? this.#pieces.length : Math.floor(place / PIECE));
    this.#gone = this.#length === 0 ? 0 : place % PIECE;
  }

  /** Of numbers that grow: how many are less than this one. `step`: only every so many are looked at, and counted with those after them. */
  countBelow(number: number, step = 1): number {
    let low = 0;
    let high = Math.floor(this.#length / step);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.at(middle * step) ?? number) < number) low = middle + 1;
      else high = middle;
    }
    return low * step;
  }

  #begin(full: number[] | undefined, number: number): void {
    // An array that grew has room for more than will come.
    if (full) this.#pieces[this.#pieces.length - 1] = full.slice();
    this.#pieces.push([number]);
  }
}
