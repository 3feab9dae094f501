/**
 * Whether what clients of a register were told can be explained by their operations having happened one at a time, each
 * at some moment between its call and its answer. The search of Wing and Gong, remembering where it has been.
 */

/** What a register holds: the mark of the write that is in it, or nothing. */
export type Held = string | undefined;

/** One operation on one register; times are on one clock. Without an answer it may have happened at any time, or never. */
export interface Operation {
  readonly called: number;
  readonly answered?: number;
  /** For people. */
  readonly text: string;
  /** What the register holds afterwards, or `IMPOSSIBLE` when the client could not have been told what it was. */
  follow(held: Held): Held | typeof IMPOSSIBLE;
}

export const IMPOSSIBLE = Symbol('impossible');

/** Where many operations were not answered there may be more ways than anyone can try. */
const MOST_POINTS = 1_000_000;

/** A point of the search: which operations have happened, and what the register holds. */
interface Point {
  /** All answered operations before this place in the order of calls have happened. */
  readonly from: number;
  /** And these beyond it. */
  readonly ahead: readonly number[];
  /** And these of the ones without an answer. */
  readonly doubtful: readonly number[];
  readonly held: Held;
}

/** Undefined when there is an explanation; else how far one goes, in words. */
export function refuteLinearizability(operations: readonly Operation[]): string | undefined {
  const byCall = [...operations].sort((a, b) => a.called - b.called);
  const search = new Search(
    byCall.filter(({ answered }) => answered !== undefined),
    byCall.filter(({ answered }) => answered === undefined),
  );
  return search.run();
}

class Search {
  readonly #answered: readonly Operation[];
  readonly #doubtful: readonly Operation[];
  readonly #seen = new Set<string>();
  readonly #open: Point[] = [];
  #furthest: Point = { from: 0, ahead: [], doubtful: [], held: undefined };

  constructor(answered: readonly Operation[], doubtful: readonly Operation[]) {
    this.#answered = answered;
    this.#doubtful = doubtful;
  }

  run(): string | undefined {
    this.#open.push(this.#furthest);
    for (let point = this.#open.pop(); point !== undefined; point = this.#open.pop()) {
      if (point.from === this.#answered.length) return undefined;
      if (point.from > this.#furthest.from) this.#furthest = point;
      this.#expand(point);
    }
    return this.#explain();
  }

  /** Next can only be an operation that was not called after the first answer among those that have not happened. */
  #expand(point: Point): void {
    const next = this.#candidates(point);
    const deadline = Math.min(...next.map((at) => this.#answered[at]?.answered ?? Number.POSITIVE_INFINITY));
    this.#doubtful.forEach((operation, at) => {
      if (operation.called <= deadline && !point.doubtful.includes(at)) {
        this.#visit(operation, point, { doubtful: [...point.doubtful, at].sort() });
      }
    });
    for (const at of next.reverse()) {
      const operation = this.#answered[at];
      if (operation && operation.called <= deadline) this.#visit(operation, point, this.#without(point, at));
    }
  }

  /** Those that have not happened, up to where calls are later than an answer before them. */
  #candidates({ from, ahead }: Point): number[] {
    const candidates: number[] = [];
    let deadline = Number.POSITIVE_INFINITY;
    for (let at = from; at < this.#answered.length; at++) {
      const operation = this.#answered[at];
      if (operation === undefined || operation.called > deadline) break;
      if (ahead.includes(at)) continue;
      deadline = Math.min(deadline, operation.answered ?? deadline);
      candidates.push(at);
    }
    return candidates;
  }

  #without({ from, ahead }: Point, at: number): Pick<Point, 'from' | 'ahead'> {
    const happened = new Set([...ahead, at]);
    let first = from;
    while (happened.delete(first)) first++;
    return { from: first, ahead: [...happened].sort((a, b) => a - b) };
  }

  #visit(operation: Operation, point: Point, change: Partial<Point>): void {
    const held = operation.follow(point.held);
    if (held === IMPOSSIBLE) return;
    const next = { ...point, ...change, held };
    const name = `${next.from}|${next.ahead}|${next.doubtful}|${held}`;
    if (this.#seen.has(name)) return;
    if (this.#seen.size === MOST_POINTS) throw new Error('too many operations without an answer to decide');
    this.#seen.add(name);
    this.#open.push(next);
  }

  #explain(): string {
    const { held } = this.#furthest;
    const stuck = this.#candidates(this.#furthest).map((at) => this.#answered[at]);
    const texts = stuck.map((operation) => `  ${operation?.called}..${operation?.answered} ${operation?.text}`);
    return [`with ${held ?? 'nothing'} in the register, none of these could have been next:`, ...texts].join('\n');
  }
}
