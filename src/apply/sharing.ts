import { Later } from '../runtime/later.ts';
import type { Steps } from '../runtime/pacing.ts';
import { isObject } from '../schema/json-object.ts';
import { sameJson } from '../schema/same-json.ts';
import { FieldSet, type FieldSetBuilder } from './field-set.ts';
import { type FieldsV1, isBare, NO_FIELDS, SELF } from './fields-v1.ts';
import { ANYTHING, type Outline, type OutlineBudget, outlineOfSame } from './outline.ts';

/**
 * How writers share a value, derived from the declaration of its place. A leaf has one owner as a whole; structs, maps
 * and lists with told-apart elements are shared entry by entry. Values are JSON and are never changed.
 */
export interface Sharing {
  readonly isLeaf: boolean;
  /** Whether the value has nothing inside that could be owned instead of its own place, as an empty struct has not. */
  isBare(value: unknown): boolean;
  /** Adds the places below its own that a document with this value owns. What has very many entries may be left for `later`. */
  addOwned(value: unknown, into: FieldSetBuilder, onRepeat: OnRepeat, later: Later): void;
  /**
   * Whether a record says of the places below its own just what `addOwned` adds, ignored ones apart. May be false for a
   * record in another form than ours, or of another time.
   */
  isToldBy(fields: FieldsV1, value: unknown, ignored: FieldSet): boolean;
  /** Adds every place below its own, containers included. */
  addAll(value: unknown, into: FieldSetBuilder): void;
  /** Every entry that has a place of its own. Items that a list has more than once are one leaf, which holds them all. */
  entries(value: unknown): Iterable<SharedEntry>;
  /** Notes every place below its own at which the values differ. What has very many entries may be left for later. */
  compare(before: unknown, after: unknown, changes: ChangeNotes): void;
  /**
   * Writes down every place below its own that a new value fills in, in recorded form and order: what `compare` with the
   * blank value finds touched, less what is ignored, in one walk. Whether there is any. What has very many entries may be
   * left for `later`.
   */
  writeNew(blank: unknown, value: unknown, ignored: FieldSet, into: FieldsV1, later: Later): boolean;
  /** What other values have to be like for `writeNew` to say the same of them; undefined where that is not known. */
  outline(blank: unknown, value: unknown, ignored: FieldSet, budget: OutlineBudget): Outline | undefined;
  /**
   * The live value with what the applied one says. What is not changed is the live value itself.
   */
  merge(live: unknown, applied: unknown): unknown;
  /** As `merge`, in steps down to so many levels below. */
  mergeInSteps(live: unknown, applied: unknown, levels: number): Steps<unknown>;
  /** The value without these places; null when it had something and nothing is left. */
  remove(value: unknown, places: FieldSet): unknown;
  /** The set with every declared field that holds one of its places. */
  withHolders(set: FieldSet): FieldSet;
  /**
   * The set as the declaration has it now. A declaration may change: what was owned bit by bit and is a leaf by now is
   * owned as a whole. The other way round nothing is to be done: who owned the whole does not own what is in it.
   */
  fitted(set: FieldSet): FieldSet;
}

/** A place right below that of a value, with what is there. */
export interface SharedEntry {
  readonly element: string;
  readonly sharing: Sharing;
  readonly value: unknown;
}

/** Told of an element that a list has more than once. */
export type OnRepeat = (element: string) => void;

/** One owner as a whole. */
export const LEAF: Sharing = {
  isLeaf: true,
  isBare: () => true,
  addOwned() {},
  isToldBy: (fields) => isBare(fields),
  addAll() {},
  entries: () => [],
  compare() {},
  writeNew: () => false,
  outline: () => ANYTHING,
  merge: (live, applied) => (sameJson(live, applied) ? live : applied),
  *mergeInSteps(live, applied) {
    yield;
    return this.merge(live, applied);
  },
  remove: (value) => value,
  withHolders: (set) => set,
  fitted: (set) => set,
};

/** `isToldBy` for one entry, which is recorded under its element: whether it is a place itself, and what is below it. */
export function isEntryTold(
  recorded: unknown,
  isPlace: boolean,
  sharing: Sharing,
  value: unknown,
  ignored: FieldSet,
): boolean {
  if (!isObject(recorded)) return false;
  if (isPlace && isBare(recorded)) return sharing.isLeaf || sharing.isToldBy(NO_FIELDS, value, ignored);
  return !sharing.isLeaf && Object.hasOwn(recorded, SELF) === isPlace && sharing.isToldBy(recorded, value, ignored);
}

/** How many entries a record has, its own place apart. */
export function countEntries(fields: FieldsV1): number {
  let count = 0;
  for (const element in fields) if (element !== SELF) count++;
  return count;
}

/** `fitted` for what shares its entries, which `entryOf` knows by their path elements. */
export function fitEntries(set: FieldSet, entryOf: (element: string) => Sharing | undefined): FieldSet {
  let members: Set<string> | undefined;
  let children: Map<string, FieldSet> | undefined;
  for (const [element, below] of set.children) {
    const entry = entryOf(element);
    if (!entry) continue;
    const fit = entry.isLeaf ? FieldSet.EMPTY : entry.fitted(below);
    if (fit === below) continue;
    children ??= new Map(set.children);
    if (fit.isEmpty) children.delete(element);
    else children.set(element, fit);
    if (!entry.isLeaf) continue;
    members ??= new Set(set.members);
    members.add(element);
  }
  return children ? new FieldSet(members ?? set.members, children) : set;
}

/** What is further down cannot be large by itself. */
const DEEPEST_LEFT = 3;

/** Collects what differs between two values. Sets are only begun where something does. */
export class ChangeNotes {
  readonly #added: FieldSetBuilder;
  readonly #modified: FieldSetBuilder;
  readonly #removed: FieldSetBuilder;
  /** What of the comparison is still to be done. */
  readonly later: Later;
  /** Where the comparison is. */
  readonly #trail: string[];

  constructor(
    added: FieldSetBuilder,
    modified: FieldSetBuilder,
    removed: FieldSetBuilder,
    later: Later = new Later(),
    trail: readonly string[] = [],
  ) {
    this.#added = added;
    this.#modified = modified;
    this.#removed = removed;
    this.later = later;
    this.#trail = [...trail];
  }

  /** The same notes for a comparison that stays where this one is now. */
  here(): ChangeNotes {
    return new ChangeNotes(this.#added, this.#modified, this.#removed, this.later, this.#trail);
  }

  /** An entry that both values have. */
  compareEntry(element: string, sharing: Sharing, before: unknown, after: unknown): void {
    if (before === after) return;
    if (sharing.isLeaf || (sharing.isBare(before) && sharing.isBare(after))) {
      if (!sameJson(before, after)) this.noteModified(element);
      return;
    }
    // To tell how many entries something has takes as long as going through them.
    if (this.later.isFull && this.#trail.length < DEEPEST_LEFT) {
      this.later.leave(this.here().#compareLater(element, sharing, before, after));
      return;
    }
    this.#compareInside(element, sharing, before, after);
  }

  *#compareLater(element: string, sharing: Sharing, before: unknown, after: unknown): Steps<void> {
    yield;
    this.#compareInside(element, sharing, before, after);
  }

  #compareInside(element: string, sharing: Sharing, before: unknown, after: unknown): void {
    // One has fields and the other has not: that is another value, besides what is in it.
    if (before !== null && after !== null && isObject(before) !== isObject(after)) this.noteModified(element);
    this.#trail.push(element);
    sharing.compare(before, after, this);
    this.#trail.pop();
  }

  noteModified(element: string): void {
    this.#at(this.#modified).add(element);
  }

  /** An entry that only the new value has. */
  noteAdded(element: string, sharing: Sharing, value: unknown): void {
    noteWhole(this.#at(this.#added), element, sharing, value);
  }

  /** An entry that only the old value has. */
  noteRemoved(element: string, sharing: Sharing, value: unknown): void {
    noteWhole(this.#at(this.#removed), element, sharing, value);
  }

  #at(builder: FieldSetBuilder): FieldSetBuilder {
    let here = builder;
    for (const element of this.#trail) here = here.below(element);
    return here;
  }
}

/** A container that comes or goes is noted itself, besides what is in it. */
function noteWhole(into: FieldSetBuilder, element: string, sharing: Sharing, value: unknown): void {
  into.add(element);
  if (!sharing.isLeaf) sharing.addAll(value, into.below(element));
}

/** The recorded form of an entry of a new value; undefined when the entry says no more than a blank one. */
export function newEntry(
  sharing: Sharing,
  blank: unknown,
  value: unknown,
  ignored: FieldSet,
  later: Later,
): FieldsV1 | undefined {
  if (blank === undefined) return newWhole(sharing, value, ignored, later);
  if (sharing.isLeaf || (sharing.isBare(blank) && sharing.isBare(value))) {
    return sameJson(blank, value) ? undefined : NO_FIELDS;
  }
  const inside: FieldsV1 = {};
  return sharing.writeNew(blank, value, ignored, inside, later) ? inside : undefined;
}

/** An entry that a blank value does not have is noted itself, besides what is in it. */
export function newWhole(sharing: Sharing, value: unknown, ignored: FieldSet, later: Later): FieldsV1 {
  if (sharing.isLeaf) return NO_FIELDS;
  const inside: FieldsV1 = { [SELF]: NO_FIELDS };
  return sharing.writeNew(undefined, value, ignored, inside, later) ? inside : NO_FIELDS;
}

/** What other values have to be like for `newEntry` to say the same of them; undefined where that is not known. */
export function outlineOfEntry(
  sharing: Sharing,
  blank: unknown,
  value: unknown,
  ignored: FieldSet,
  budget: OutlineBudget,
): Outline | undefined {
  const isOne = sharing.isLeaf || (sharing.isBare(blank) && sharing.isBare(value));
  if (blank !== undefined && isOne) return outlineOfSame(value);
  return sharing.outline(blank, value, ignored, budget);
}
