import { sameJson } from '../schema/same-json.ts';
import { FieldSet, type FieldSetBuilder } from './field-set.ts';
import { compareElements, type FieldsV1 } from './fields-v1.ts';
import { type ChangeNotes, fitEntries, LEAF, newWhole, type OnRepeat, type Sharing } from './sharing.ts';

/** Tells an item of a list apart from others by its path element. */
export type Identify = (item: unknown) => string;

/**
 * A list whose items are told apart, and shared one by one. Stored lists may hold an item twice where the rules of the
 * kind allow it: such items are one leaf together.
 */
export class SharedItems implements Sharing {
  readonly isLeaf = false;
  private readonly item: () => Sharing;
  private readonly identify: Identify;

  constructor(item: () => Sharing, identify: Identify) {
    this.item = item;
    this.identify = identify;
  }

  /** An empty list says nothing, where an empty struct says that it is there. */
  isBare(value: unknown): boolean {
    return value === null;
  }

  addOwned(value: unknown, into: FieldSetBuilder, onRepeat: OnRepeat): void {
    const sharing = this.item();
    for (const [element, items] of this.byElement(value)) {
      into.add(element);
      if (items.length > 1) onRepeat(element);
      else if (!sharing.isLeaf) sharing.addOwned(items[0], into.below(element), onRepeat);
    }
  }

  addAll(value: unknown, into: FieldSetBuilder): void {
    const sharing = this.item();
    for (const [element, items] of this.byElement(value)) {
      into.add(element);
      if (!sharing.isLeaf && items.length === 1) sharing.addAll(items[0], into.below(element));
    }
  }

  compare(before: unknown, after: unknown, changes: ChangeNotes): void {
    // Most lists do not change, and to see that is far cheaper than to tell their items apart.
    if (sameJson(before, after)) return;
    const left = this.byElement(before);
    for (const [element, items] of this.byElement(after)) {
      const was = left.get(element);
      if (!was) changes.noteAdded(element, this.shared(items), items[0]);
      else if (was.length === 1 && items.length === 1) {
        changes.compareEntry(element, this.item(), was[0], items[0]);
      } else if (!sameJson(was, items)) changes.noteModified(element);
      left.delete(element);
    }
    for (const [element, items] of left) changes.noteRemoved(element, this.shared(items), items[0]);
  }

  /** A blank list has no items. */
  writeNew(_blank: unknown, value: unknown, ignored: FieldSet, into: FieldsV1): void {
    const found = this.byElement(value);
    for (const element of [...found.keys()].sort(compareElements)) {
      if (ignored.members.has(element)) continue;
      const items = found.get(element) ?? [];
      into[element] = newWhole(this.shared(items), items[0], ignored.below(element));
    }
  }

  merge(live: unknown, applied: unknown): unknown {
    if (!Array.isArray(live) || live.length === 0) return applied;
    if (!Array.isArray(applied)) return live;
    const wanted = new Map(applied.map((item: unknown) => [this.identify(item), item]));
    const done = new Set<string>();
    const result: unknown[] = [];
    for (const item of live) {
      const element = this.identify(item);
      if (!wanted.has(element)) result.push(item);
      else if (!done.has(element)) result.push(this.item().merge(item, wanted.get(element)));
      done.add(element);
    }
    for (const [element, item] of wanted) if (!done.has(element)) result.push(item);
    return result;
  }

  remove(value: unknown, places: FieldSet): unknown {
    if (places.isEmpty || !Array.isArray(value) || value.length === 0) return value;
    const result: unknown[] = [];
    for (const item of value) {
      const element = this.identify(item);
      if (!places.members.has(element)) result.push(this.item().remove(item, places.below(element)));
    }
    return result.length === 0 ? null : result;
  }

  withHolders(set: FieldSet): FieldSet {
    const item = this.item();
    return new FieldSet(
      set.members,
      new Map([...set.children].map(([element, below]) => [element, item.withHolders(below)])),
    );
  }

  fitted(set: FieldSet): FieldSet {
    return fitEntries(set, this.item);
  }

  private shared(items: readonly unknown[]): Sharing {
    return items.length === 1 ? this.item() : LEAF;
  }

  private byElement(value: unknown): Map<string, unknown[]> {
    const found = new Map<string, unknown[]>();
    for (const item of itemsOf(value)) {
      const element = this.identify(item);
      const same = found.get(element);
      if (same) same.push(item);
      else found.set(element, [item]);
    }
    return found;
  }
}

const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
