/** So many that take long begin in one turn, and this often as many where nobody else is about. */
const LONG_AT_ONCE = 8;
const TIMES_AS_MANY = 4;
/** For so many turns after a quick request others are expected. */
const EXPECTED_FOR = 50;

/**
 * Requests that came in during one turn of the event loop, begun together when all of them are there.
 *
 * The way of a request is longer than what a processor keeps of a program at hand. One request after the other fetches
 * all of it again and again; many that go the way side by side, stage by stage, fetch it once. A busy server answers half
 * as many requests again this way, and a single request waits for nothing.
 *
 * Some side by side are enough for that. More of those that take long wait for the next turn, in which quick ones that came
 * meanwhile begin before them; where quick ones come at all, turns are shorter for them.
 */
export class Arrivals<Request> {
  readonly #begin: (request: Request) => void;
  readonly #isQuick: (request: Request) => boolean;
  #quick: Request[] = [];
  /** In groups, of which the last may have room. */
  readonly #long: Request[][] = [];
  #isAwake = false;
  #expected = 0;

  constructor(begin: (request: Request) => void, isQuick: (request: Request) => boolean) {
    this.#begin = begin;
    this.#isQuick = isQuick;
  }

  add(request: Request): void {
    const last = this.#long.at(-1);
    if (this.#isQuick(request)) this.#quick.push(request);
    else if (last && last.length < LONG_AT_ONCE) last.push(request);
    else this.#long.push([request]);
    this.#wake();
  }

  #wake(): void {
    if (this.#isAwake) return;
    this.#isAwake = true;
    setImmediate(() => this.#beginSome());
  }

  #beginSome(): void {
    const quick = this.#quick;
    this.#expected = quick.length > 0 ? EXPECTED_FOR : Math.max(0, this.#expected - 1);
    const long = this.#long.splice(0, this.#expected > 0 ? 1 : TIMES_AS_MANY);
    this.#quick = [];
    this.#isAwake = false;
    if (this.#long.length > 0) this.#wake();
    for (const request of quick) this.#begin(request);
    for (const group of long) for (const request of group) this.#begin(request);
  }
}
