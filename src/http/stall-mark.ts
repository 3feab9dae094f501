/** So many looks in a row at which too little was sent, and a client that should take something has stopped. */
const MOST_LOOKS = 4;
/** Signs of life are no progress. */
const LEAST_BYTES = 4096;

/** Remembers how much had been sent on a connection, look by look. */
export class StallMark {
  #sent = 0;
  #looks = 0;

  /** `sent`: bytes so far; undefined: nothing waits to be taken. */
  look(sent: number | undefined): boolean {
    if (sent === undefined || sent - this.#sent >= LEAST_BYTES) {
      this.#sent = sent ?? 0;
      this.#looks = 0;
      return false;
    }
    return ++this.#looks >= MOST_LOOKS;
  }
}
