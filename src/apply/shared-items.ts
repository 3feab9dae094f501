import { Later, MANY_ENTRIES } from '../runtime/later.ts';
import { atOnce, type Steps } from '../runtime/pacing.ts';
import { sameJson } from '../schema/same-json.ts';
import { FieldSet, type FieldSetBuilder } from './field-set.ts';
import type { FieldsV1 } from './fields-v1.ts';
import { ANYTHING, ItemsOutline, type Outline, OutlineBudget, outlineOfSame } from './outline.ts';
import {
  type ChangeNotes,
  countEntries,
  fitEntries,
  isEntryTold,
  LEAF,
  newWhole,
  type OnRepeat,
  type SharedEntry,
  type Sharing,
} from './sharing.ts';

/** Tells items of a list apart. */
export interface Identity {
  /** The path element of an item. */
  elementOf(item: unknown): string;
  /** Whether two items have the same path element, which is quicker to see than to tell it. */
  areSame(a: unknown, b: unknown): boolean;
}

/**
 * A list whose items are told apart, and shared one by one. Stored lists may hold an item twice where the rules of the
 * kind allow it: such items are one leaf together.
 */
export class SharedItems implements Sharing {
  readonly isLeaf = false;
  readonly #declare: () => Sharing;
  readonly #identity: Identity;
  #known: Sharing | undefined;

  /** `declare` is called on first use: start-up stays quick, and a type may contain itself. */
  constructor(declare: () => Sharing, identity: Identity) {
    this.#declare = declare;
    this.#identity = identity;
  }

  get #item(): Sharing {
    this.#known ??= this.#declare();
    return this.#known;
  }

  /** An empty list says nothing, where an empty struct says that it is there. */
  isBare(value: unknown): boolean {
    return value === null;
  }

  addOwned(value: unknown, into: FieldSetBuilder, onRepeat: OnRepeat, later: Later): void {
    const items = itemsOf(value);
    if (later.fits(items.length)) this.#addOwnedItems(this.#byElement(items), into, onRepeat, later);
    else later.leave(this.#addManyOwned(items, into, onRepeat, later));
  }

  *#addManyOwned(items: readonly unknown[], into: FieldSetBuilder, onRepeat: OnRepeat, later: Later): Steps<void> {
    const found = yield* this.#byElementInSteps(items, later);
    for (const entry of found) {
      if (later.isRestDue()) yield;
      this.#addOwnedItems([entry], into, onRepeat, later);
    }
  }

  #addOwnedItems(
    found: Iterable<[element: string, items: readonly unknown[]]>,
    into: FieldSetBuilder,
    onRepeat: OnRepeat,
    later: Later,
  ): void {
    const sharing = this.#item;
    for (const [element, items] of found) {
      into.add(element);
      if (items.length > 1) onRepeat(element);
      else if (!sharing.isLeaf) sharing.addOwned(items[0], into.below(element), onRepeat, later);
    }
  }

  isToldBy(fields: FieldsV1, value: unknown, ignored: FieldSet): boolean {
    const sharing = this.#item;
    const ignores = !ignored.isEmpty;
    let told = 0;
    for (const item of itemsOf(value)) {
      const element = this.#identity.elementOf(item);
      if (ignores && ignored.members.has(element)) continue;
      const below = ignores ? ignored.below(element) : ignored;
      if (!isEntryTold(fields[element], true, sharing, item, below)) return false;
      told++;
    }
    return told === countEntries(fields);
  }

  addAll(value: unknown, into: FieldSetBuilder): void {
    const sharing = this.#item;
    for (const [element, items] of this.#byElement(value)) {
      into.add(element);
      if (!sharing.isLeaf && items.length === 1) sharing.addAll(items[0], into.below(element));
    }
  }

  *entries(value: unknown): Generator<SharedEntry> {
    for (const [element, items] of this.#byElement(value)) {
      yield { element, sharing: this.#shared(items), value: items.length === 1 ? items[0] : items };
    }
  }

  compare(before: unknown, after: unknown, changes: ChangeNotes): void {
    // Most lists do not change, and to see that is far cheaper than to tell their items apart.
    if (sameJson(before, after)) return;
    const [old, now] = [itemsOf(before), itemsOf(after)];
    if (!changes.later.fits(old.length + now.length)) changes.later.leave(this.#compareMany(old, now, changes.here()));
    else this.#compareItems(this.#byElement(now), this.#byElement(old), changes);
  }

  *#compareMany(before: readonly unknown[], after: readonly unknown[], changes: ChangeNotes): Steps<void> {
    const left = yield* this.#byElementInSteps(before, changes.later);
    const found = yield* this.#byElementInSteps(after, changes.later);
    for (const [element, items] of found) {
      if (changes.later.isRestDue()) yield;
      this.#compareItem(element, left.get(element), items, changes);
      left.delete(element);
    }
    this.#compareItems([], left, changes);
  }

  /** `left`: what there was before, which goes down to what is not there any more. */
  #compareItems(
    found: Iterable<[element: string, items: readonly unknown[]]>,
    left: Map<string, unknown[]>,
    changes: ChangeNotes,
  ): void {
    for (const [element, items] of found) {
      this.#compareItem(element, left.get(element), items, changes);
      left.delete(element);
    }
    for (const [element, items] of left) changes.noteRemoved(element, this.#shared(items), items[0]);
  }

  #compareItem(
    element: string,
    was: readonly unknown[] | undefined,
    items: readonly unknown[],
    changes: ChangeNotes,
  ): void {
    if (!was) changes.noteAdded(element, this.#shared(items), items[0]);
    else if (was.length === 1 && items.length === 1) changes.compareEntry(element, this.#item, was[0], items[0]);
    else if (!sameJson(was, items)) changes.noteModified(element);
  }

  /** A blank list has no items. */
  writeNew(_blank: unknown, value: unknown, ignored: FieldSet, into: FieldsV1, later: Later): boolean {
    const items = itemsOf(value);
    if (!later.fits(items.length) && ignored.isEmpty && items.length > 0) {
      later.leave(this.#writeManyNew(items, into, later));
      return true;
    }
    const found = this.#byElement(items);
    let last: NewItem | undefined;
    for (const element of inOrder(found)) {
      if (ignored.members.has(element)) continue;
      last = this.#newItem(found.get(element) ?? [], last, ignored.below(element), later);
      into[element] = last.entry;
    }
    return last !== undefined;
  }

  *#writeManyNew(items: readonly unknown[], into: FieldsV1, later: Later): Steps<void> {
    const found = yield* this.#byElementInSteps(items, later);
    let last: NewItem | undefined;
    for (const element of inOrder(found)) {
      if (later.isRestDue()) yield;
      last = this.#newItem(found.get(element) ?? [], last, FieldSet.EMPTY, later);
      into[element] = last.entry;
    }
  }

  /** Of many items most are alike, and what is recorded of them is one value. */
  #newItem(items: readonly unknown[], last: NewItem | undefined, ignored: FieldSet, later: Later): NewItem {
    const [item] = items;
    const sharing = this.#shared(items);
    if (ignored.isEmpty && last?.sharing === sharing && outlineOf(last)?.fits(item)) return last;
    return { sharing, item, entry: newWhole(sharing, item, ignored, later) };
  }

  /** Not of a list that has an item twice. */
  outline(_blank: unknown, value: unknown, ignored: FieldSet, budget: OutlineBudget): Outline | undefined {
    if (!Array.isArray(value)) return outlineOfSame(value);
    const outline = new ItemsOutline((item) => this.#identity.elementOf(item));
    const elements = new Set<string>();
    for (const item of value) {
      const element = this.#identity.elementOf(item);
      if (elements.has(element) || !budget.take(element)) return undefined;
      elements.add(element);
      const isIgnored = ignored.members.has(element);
      const inside = isIgnored ? ANYTHING : this.#item.outline(undefined, item, ignored.below(element), budget);
      if (!inside) return undefined;
      outline.add(element, inside);
    }
    return outline;
  }

  merge(live: unknown, applied: unknown): unknown {
    return atOnce(this.mergeInSteps(live, applied));
  }

  /** Items are merged one by one, each in one go. */
  *mergeInSteps(live: unknown, applied: unknown): Steps<unknown> {
    if (!Array.isArray(live) || live.length === 0) return sameJson(live, applied) ? live : applied;
    if (!Array.isArray(applied)) return applied === null ? live : applied;
    if (this.#haveSameItems(live, applied)) return yield* this.#mergeInPlace(live, applied);
    return yield* this.#mergeByElement(live, applied);
  }

  /** Whether both have the same items in the same order. */
  #haveSameItems(live: readonly unknown[], applied: readonly unknown[]): boolean {
    if (live.length !== applied.length) return false;
    for (let at = 0; at < live.length; at++) if (!this.#identity.areSame(live[at], applied[at])) return false;
    return true;
  }

  *#mergeInPlace(live: readonly unknown[], applied: readonly unknown[]): Steps<readonly unknown[]> {
    const sharing = this.#item;
    let result: unknown[] | undefined;
    for (let at = 0; at < live.length; at++) {
      if (at % MANY_ENTRIES === MANY_ENTRIES - 1) yield;
      const merged = sharing.merge(live[at], applied[at]);
      if (merged === live[at]) continue;
      result ??= [...live];
      result[at] = merged;
    }
    return result ?? live;
  }

  /**
   * Items that both have come in the order in which they are applied. Those that only one of both has stay where they are
   * between them: of [a, x, b] and [b, y, a] becomes [x, b, y, a].
   */
  *#mergeByElement(live: readonly unknown[], applied: readonly unknown[]): Steps<readonly unknown[]> {
    const later = new Later();
    const held = new Map<string, unknown>();
    const elements: string[] = [];
    for (const item of live) {
      if (later.isRestDue()) yield;
      const element = this.#identity.elementOf(item);
      if (!held.has(element)) held.set(element, item);
      elements.push(element);
    }
    const wanted = new Map<string, unknown>();
    for (const item of applied) {
      if (later.isRestDue()) yield;
      wanted.set(this.#identity.elementOf(item), item);
    }
    const order = [...wanted.keys()];
    const shared = order.filter((element) => held.has(element));
    const result: unknown[] = [];
    const done = new Set<string>();
    const take = (element: string): void => {
      done.add(element);
      const item = wanted.get(element);
      result.push(held.has(element) ? this.#item.merge(held.get(element), item) : item);
    };
    let [at, next, nextShared] = [0, 0, 0];
    for (;;) {
      if (later.isRestDue()) yield;
      const mine = elements[at];
      const theirs = order[next];
      const awaited = shared[nextShared];
      if (mine !== undefined && !wanted.has(mine)) result.push(live[at++]);
      else if (mine !== undefined && (done.has(mine) || (awaited !== undefined && awaited !== mine))) at++;
      else if (theirs !== undefined) {
        take(theirs);
        next++;
        if (awaited === theirs) nextShared++;
      } else return result;
    }
  }

  remove(value: unknown, places: FieldSet): unknown {
    if (places.isEmpty || !Array.isArray(value) || value.length === 0) return value;
    const result: unknown[] = [];
    for (const item of value) {
      const element = this.#identity.elementOf(item);
      if (!places.members.has(element)) result.push(this.#item.remove(item, places.below(element)));
    }
    return result.length === 0 ? null : result;
  }

  withHolders(set: FieldSet): FieldSet {
    const item = this.#item;
    return new FieldSet(
      set.members,
      new Map([...set.children].map(([element, below]) => [element, item.withHolders(below)])),
    );
  }

  fitted(set: FieldSet): FieldSet {
    return fitEntries(set, () => this.#item);
  }

  #shared(items: readonly unknown[]): Sharing {
    return items.length === 1 ? this.#item : LEAF;
  }

  #byElement(value: unknown): Map<string, unknown[]> {
    const found = new Map<string, unknown[]>();
    for (const item of itemsOf(value)) this.#addTo(found, item);
    return found;
  }

  *#byElementInSteps(items: readonly unknown[], later: Later): Steps<Map<string, unknown[]>> {
    const found = new Map<string, unknown[]>();
    for (const item of items) {
      if (later.isRestDue()) yield;
      this.#addTo(found, item);
    }
    return found;
  }

  #addTo(found: Map<string, unknown[]>, item: unknown): void {
    const element = this.#identity.elementOf(item);
    const same = found.get(element);
    if (same) same.push(item);
    else found.set(element, [item]);
  }
}

/** What is recorded of an item of a new list. */
interface NewItem {
  readonly sharing: Sharing;
  readonly item: unknown;
  readonly entry: FieldsV1;
  /** Drawn when there is something to hold against it. */
  outline?: Outline | undefined;
}

/** Once, however many items are held against it. */
function outlineOf(last: NewItem): Outline | undefined {
  if (!('outline' in last))
    last.outline = last.sharing.outline(undefined, last.item, FieldSet.EMPTY, new OutlineBudget());
  return last.outline;
}

/** All are of one kind: their texts alone tell the order. */
const inOrder = (found: ReadonlyMap<string, unknown>): string[] => [...found.keys()].sort();

const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
