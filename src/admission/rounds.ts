/** How often the mutating plugins are asked about a request: once, and once more if one of them wants that. */
export class Rounds {
  #repeats = false;
  #wanted = false;

  /** True when the plugins have been asked before. */
  get isRepeated(): boolean {
    return this.#repeats;
  }

  /** Those who were asked before should see what has become of the object. No third round comes of it. */
  again(): void {
    this.#wanted = true;
  }

  /** Begins the second round, if there is to be one. */
  next(): boolean {
    const begins = this.#wanted && !this.#repeats;
    this.#repeats ||= begins;
    return begins;
  }
}
