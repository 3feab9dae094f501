import type { Held } from './linearizability.ts';
import { type Exchange, succeeds } from './register.ts';

/**
 * Whether what clients of many registers were told agrees with the one order in which watches told of the changes. With
 * the order known this takes about linear time, where `refuteLinearizability` has to search: for histories of hours.
 */

/** A change as watches told of it. */
export interface Entry {
  readonly revision: number;
  readonly key: string;
  /** Undefined: the register was removed. */
  readonly mark: Held;
  /** Which object it was that held the register. */
  readonly uid: string;
}

/** Undefined when everything agrees; else what does not, in words. `log` is in order of revisions. */
export function refuteOrder(log: readonly Entry[], exchanges: readonly Exchange[]): string | undefined {
  const [entriesOf, exchangesOf] = [byKey(log), byKey(exchanges)];
  try {
    for (const key of new Set([...entriesOf.keys(), ...exchangesOf.keys()])) {
      new RegisterOrder(key, entriesOf.get(key) ?? [], exchangesOf.get(key) ?? []).check();
    }
    checkVersions(exchanges);
  } catch (error) {
    if (error instanceof Disagreement) return error.message;
    throw error;
  }
  return undefined;
}

function byKey<T extends { readonly key: string }>(all: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(one.key) ?? [];
    group.push(one);
    groups.set(one.key, group);
  }
  return groups;
}

class Disagreement extends Error {}

/** What a client saw without changing it. */
interface Sight {
  readonly exchange: Exchange;
  readonly called: number;
  readonly answered: number;
  agrees(held: Held): boolean;
}

/** One register: what it held, one after another, and when it began to hold that at the earliest. */
class RegisterOrder {
  readonly #key: string;
  readonly #entries: readonly Entry[];
  readonly #exchanges: readonly Exchange[];
  /** What made each entry, where a client knows; the first is for nothing having been there. */
  readonly #makers: (Exchange | undefined)[] = [undefined];
  readonly #earliest: number[] = [Number.NEGATIVE_INFINITY];

  constructor(key: string, entries: readonly Entry[], exchanges: readonly Exchange[]) {
    this.#key = key;
    this.#entries = entries;
    this.#exchanges = exchanges;
  }

  check(): void {
    this.#findMakers();
    this.#entries.forEach((_, i) => {
      this.#delay(i + 1, this.#makers[i + 1]?.called ?? Number.NEGATIVE_INFINITY);
    });
    const sights = this.#exchanges.flatMap((exchange) => sightsIn(exchange));
    // What one sight delays may have to be seen elsewhere by another.
    while (sights.filter((sight) => this.#place(sight)).length > 0);
  }

  /** What the register held after so many changes. */
  #held(at: number): Held {
    return this.#entries[at - 1]?.mark;
  }

  #findMakers(): void {
    const writers = new Map<string, Exchange>();
    const removers = new Map<string, Exchange>();
    let doubtfulRemovals = 0;
    for (const exchange of this.#exchanges) {
      const { request, answered } = exchange;
      if ('mark' in request) writers.set(request.mark, exchange);
      if (request.does !== 'delete') continue;
      if (answered === undefined) doubtfulRemovals++;
      else if (answered.answer.told === 'done') removers.set(answered.answer.uid ?? '', exchange);
    }
    this.#entries.forEach((entry, i) => {
      const maker = entry.mark === undefined ? removers.get(entry.uid) : writers.get(entry.mark);
      if (maker === undefined && (entry.mark !== undefined || doubtfulRemovals-- === 0)) {
        throw this.#disagreement(`nobody made ${JSON.stringify(entry)}`);
      }
      if (maker !== undefined) this.#checkMaker(maker, entry, this.#held(i));
      this.#makers.push(maker);
      if (entry.mark === undefined) removers.delete(entry.uid);
      else writers.delete(entry.mark);
    });
    for (const exchange of [...writers.values(), ...removers.values()]) {
      if (exchange.answered?.answer.told === 'done') throw this.#disagreement('no watch told of it', exchange);
    }
  }

  #checkMaker(maker: Exchange, { revision }: Entry, before: Held): void {
    const answer = maker.answered?.answer;
    if (!succeeds(maker.request, before)) throw this.#disagreement(`it was made while there was ${before}`, maker);
    if (answer === undefined) return;
    if (answer.told !== 'done') throw this.#disagreement(`it was made at ${revision} all the same`, maker);
    if (answer.revision !== undefined && answer.revision !== revision) {
      throw this.#disagreement(`watches have it at ${revision}`, maker);
    }
  }

  /** Nothing from this entry on was there before `moment`. */
  #delay(from: number, moment: number): boolean {
    let isLater = false;
    for (let at = from; at <= this.#entries.length; at++) {
      const earliest = Math.max(moment, this.#earliest[at - 1] ?? moment);
      if (earliest <= (this.#earliest[at] ?? Number.NEGATIVE_INFINITY)) break;
      const maker = this.#makers[at];
      if (maker?.answered !== undefined && maker.answered.at < earliest) {
        throw this.#disagreement(`it was answered before ${earliest}, and can only have been made then`, maker);
      }
      this.#earliest[at] = earliest;
      isLater = true;
    }
    this.#earliest[from] ??= moment;
    return isLater;
  }

  /**
   * What was seen was there at some moment between call and answer. Of several such times the last one possible asks
   * least of the others. True when something had to be later for that.
   */
  #place({ exchange, called, answered, agrees }: Sight): boolean {
    let at = this.#lastBy(answered);
    while (at >= 0 && !agrees(this.#held(at))) at--;
    if (at < 0) throw this.#disagreement('that was never there until then', exchange);
    return at < this.#entries.length && this.#delay(at + 1, called);
  }

  /** The last entry that can have been there by then. */
  #lastBy(moment: number): number {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#earliest[middle] ?? 0) <= moment) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #disagreement(what: string, exchange?: Exchange): Disagreement {
    return new Disagreement(`${this.#key}: ${exchange ? `${JSON.stringify(exchange)}: ` : ''}${what}`);
  }
}

function sightsIn(exchange: Exchange): Sight[] {
  const { request, called, answered } = exchange;
  if (answered === undefined) return [];
  const { at, answer } = answered;
  if (answer.told === 'done' || answer.told === 'undone') return [];
  const agrees = (held: Held) => (answer.told === 'held' ? answer.held === held : !succeeds(request, held));
  return [{ exchange, called, answered: at, agrees }];
}

/** Over all registers: a write that was begun when another had been answered has the higher version. */
function checkVersions(exchanges: readonly Exchange[]): void {
  const writes = exchanges.flatMap(({ key, called, answered }) => {
    const { at = 0, answer } = answered ?? {};
    if (answer?.told !== 'done' || answer.revision === undefined) return [];
    return [{ key, called, at, revision: answer.revision }];
  });
  writes.sort((a, b) => a.revision - b.revision);
  let latest: (typeof writes)[number] | undefined;
  for (const write of writes) {
    if (latest !== undefined && write.at < latest.called) {
      throw new Disagreement(`${JSON.stringify(write)} was answered before ${JSON.stringify(latest)} was begun`);
    }
    if (latest === undefined || write.called > latest.called) latest = write;
  }
}
