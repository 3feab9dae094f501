import { signal } from '@preact/signals';
import { type Compare, comparing, placeOf, type Sorting } from './ordering.ts';
import type { Column, Row } from './rows.ts';
import { Slices, sortInSlices } from './slices.ts';

export type Grouping = '' | 'namespace' | 'owner';

export interface ViewRules {
  readonly filter: string;
  readonly sorting: Sorting;
  readonly grouping: Grouping;
  /** Groups whose rows are not shown. */
  readonly closed: ReadonlySet<string>;
  readonly columns: readonly Column[];
}

/** The heading of a group, or a row. */
export type Item = { readonly group: string; readonly count: number } | Row;

export const isRow = (item: Item): item is Row => 'key' in item;

/** Changes up to so many at once are put in one by one. */
const MOST_SINGLE = 200;
/** How often everything is put in order anew while much comes in. */
const REBUILD_PAUSE_MS = 200;

/** What of many rows is shown, and in which order. Keeps up with changes a frame at a time. */
export class TableView {
  readonly items = signal<readonly Item[]>([]);
  readonly #rows: ReadonlyMap<string, Row>;
  /** In order, without headings, and the same by their keys. */
  #sorted: Row[] = [];
  #shown = new Map<string, Row>();
  #rules: ViewRules;
  #matches: (row: Row) => boolean;
  #compare: Compare;
  #changed = new Set<string>();
  #isScheduled = false;
  #isStale = true;
  #generation = 0;
  #rebuiltAt = 0;

  constructor(rows: ReadonlyMap<string, Row>, rules: ViewRules) {
    this.#rows = rows;
    this.#rules = rules;
    this.#matches = matching(rules.filter);
    this.#compare = comparing(rules.sorting, rules.columns);
  }

  /** Other rules from now on. */
  follow(rules: ViewRules): void {
    const isSameOrder =
      rules.filter === this.#rules.filter &&
      rules.columns === this.#rules.columns &&
      rules.sorting === this.#rules.sorting &&
      rules.grouping === this.#rules.grouping;
    this.#rules = rules;
    if (isSameOrder) {
      this.#publish();
      return;
    }
    this.#matches = matching(rules.filter);
    this.#compare = comparing(rules.sorting, rules.columns);
    this.#isStale = true;
    this.#rebuiltAt = 0;
    this.#generation++;
    this.#schedule();
  }

  /** These rows came, changed or went. */
  changed(keys: readonly string[]): void {
    for (const key of keys) this.#changed.add(key);
    if (keys.length > 0) this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const early = performance.now() - this.#rebuiltAt < REBUILD_PAUSE_MS;
    const isMuch = this.#changed.size > MOST_SINGLE;
    if (early && isMuch) setTimeout(() => void this.#update(), REBUILD_PAUSE_MS);
    // A page that is not looked at has no frames.
    else if (document.hidden) setTimeout(() => void this.#update(), REBUILD_PAUSE_MS);
    else requestAnimationFrame(() => void this.#update());
  }

  async #update(): Promise<void> {
    if (!this.#isStale && this.#changed.size <= MOST_SINGLE) this.#apply();
    else await this.#rebuild();
    this.#isScheduled = false;
    if (this.#changed.size > 0 || this.#isStale) this.#schedule();
  }

  /** Puts single changes into what is sorted already. */
  #apply(): void {
    const sorted = this.#sorted.slice();
    for (const key of this.#changed) {
      const before = this.#shown.get(key);
      const row = this.#rows.get(key);
      if (before !== undefined) sorted.splice(placeOf(sorted, before, this.#order), 1);
      this.#shown.delete(key);
      if (row === undefined || !this.#matches(row)) continue;
      sorted.splice(placeOf(sorted, row, this.#order), 0, row);
      this.#shown.set(key, row);
    }
    this.#changed.clear();
    this.#sorted = sorted;
    this.#publish();
  }

  async #rebuild(): Promise<void> {
    const generation = this.#generation;
    const slices = new Slices();
    this.#changed.clear();
    const found: Row[] = [];
    let looked = 0;
    for (const row of this.#rows.values()) {
      if (this.#matches(row)) found.push(row);
      if (++looked % 2_000 === 0) await slices.rest();
    }
    const sorted = await sortInSlices(found, this.#order, slices);
    const shown = new Map<string, Row>();
    for (const row of sorted) {
      shown.set(row.key, row);
      if (shown.size % 4_000 === 0) await slices.rest();
    }
    // The rules changed meanwhile: what was made is of no use.
    if (generation !== this.#generation) return;
    this.#sorted = sorted;
    this.#shown = shown;
    this.#isStale = false;
    this.#rebuiltAt = performance.now();
    this.#publish();
  }

  readonly #order: Compare = (a, b) => {
    const { grouping } = this.#rules;
    if (grouping === '') return this.#compare(a, b);
    const [left, right] = [groupOf(a, grouping), groupOf(b, grouping)];
    return left < right ? -1 : left > right ? 1 : this.#compare(a, b);
  };

  #publish(): void {
    const { grouping, closed } = this.#rules;
    this.items.value = grouping === '' ? this.#sorted : grouped(this.#sorted, grouping, closed);
  }

  /** How many rows there are to see, whether or not their group is open. */
  get count(): number {
    return this.#sorted.length;
  }
}

const groupOf = (row: Row, grouping: Grouping): string => (grouping === 'owner' ? row.owner : row.namespace);

function grouped(rows: readonly Row[], grouping: Grouping, closed: ReadonlySet<string>): Item[] {
  const items: Item[] = [];
  for (let start = 0; start < rows.length; ) {
    const [first] = rows.slice(start, start + 1);
    if (!first) break;
    const group = groupOf(first, grouping);
    let end = start + 1;
    for (let next = rows[end]; next && groupOf(next, grouping) === group; next = rows[end]) end++;
    items.push({ group, count: end - start });
    if (!closed.has(group)) for (let i = start; i < end; i++) items.push(rows[i] ?? first);
    start = end;
  }
  return items;
}

/** Every word must be found; one that begins with `!` must not. */
function matching(filter: string): (row: Row) => boolean {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return () => true;
  const wanted = words.filter((word) => !word.startsWith('!'));
  const unwanted = words.flatMap((word) => (word.startsWith('!') && word.length > 1 ? [word.slice(1)] : []));
  return ({ text }) => wanted.every((word) => text.includes(word)) && !unwanted.some((word) => text.includes(word));
}
