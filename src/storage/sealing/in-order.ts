/** Does work in the order in which it came, of which some has to wait first. While none has to, it is done at once. */
export class InOrder {
  #last: Promise<void> | undefined;

  /** `first`: what the work has to wait for, if anything; never rejects. */
  do(first: Promise<unknown> | undefined, work: () => void): void {
    if (!first && !this.#last) {
      work();
      return;
    }
    const before = this.#last;
    const last = Promise.allSettled([before, first]).then(work);
    this.#last = last;
    const forget = (): void => {
      if (this.#last === last) this.#last = undefined;
    };
    last.then(forget, forget);
  }

  /** Settles when all that came so far is done; undefined when it is. */
  get settled(): Promise<void> | undefined {
    return this.#last;
  }
}
