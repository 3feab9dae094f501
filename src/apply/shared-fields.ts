import { type Later, MANY_ENTRIES } from '../runtime/later.ts';
import type { Steps } from '../runtime/pacing.ts';
import { isObject, setOwn } from '../schema/json-object.ts';
import { sameJson } from '../schema/same-json.ts';
import { fieldElements } from './elements.ts';
import { FieldSet, type FieldSetBuilder } from './field-set.ts';
import type { FieldsV1 } from './fields-v1.ts';
import { ANYTHING, FieldsOutline, type Outline, type OutlineBudget, outlineOfSame } from './outline.ts';
import {
  type ChangeNotes,
  countEntries,
  fitEntries,
  isEntryTold,
  newEntry,
  type OnRepeat,
  outlineOfEntry,
  type SharedEntry,
  type Sharing,
} from './sharing.ts';

type JsonObject = { [name: string]: unknown };

const NOTHING: JsonObject = {};

/** What is known of one field: its path element, and how its value is shared. */
export interface SharedField {
  readonly element: string;
  readonly sharing: Sharing;
  /** Whether owning something inside means owning the field too. */
  readonly isEntry: boolean;
}

/** A struct or map whose fields are shared one by one. Fields that it does not know belong to nobody. */
abstract class SharedFields implements Sharing {
  readonly isLeaf = false;
  /** Whether every name is a field. */
  protected abstract readonly takesAny: boolean;
  protected abstract field(name: string): SharedField | undefined;
  /** Of the field, for those who need no path element. */
  protected abstract sharingOf(name: string): Sharing | undefined;
  abstract withHolders(set: FieldSet): FieldSet;

  isBare(value: unknown): boolean {
    if (!isObject(value)) return true;
    for (const name in value) if (value[name] !== undefined) return false;
    return true;
  }

  addOwned(value: unknown, into: FieldSetBuilder, onRepeat: OnRepeat, later: Later): void {
    if (!isObject(value)) return;
    const names = Object.keys(value);
    if (!later.fits(names.length)) later.leave(this.#addManyOwned(names, value, into, onRepeat, later));
    else for (const name of names) this.#addOwnedField(name, value[name], into, onRepeat, later);
  }

  *#addManyOwned(
    names: readonly string[],
    value: JsonObject,
    into: FieldSetBuilder,
    onRepeat: OnRepeat,
    later: Later,
  ): Steps<void> {
    for (const name of names) {
      if (later.isRestDue()) yield;
      this.#addOwnedField(name, value[name], into, onRepeat, later);
    }
  }

  #addOwnedField(name: string, value: unknown, into: FieldSetBuilder, onRepeat: OnRepeat, later: Later): void {
    const field = value === undefined ? undefined : this.field(name);
    if (!field) return;
    const { element, sharing, isEntry } = field;
    if (isEntry || sharing.isBare(value)) into.add(element);
    if (!sharing.isLeaf) sharing.addOwned(value, into.below(element), onRepeat, later);
  }

  isToldBy(fields: FieldsV1, value: unknown, ignored: FieldSet): boolean {
    const ignores = !ignored.isEmpty;
    let told = 0;
    if (isObject(value)) {
      for (const name in value) {
        const inside = value[name];
        const field = inside === undefined ? undefined : this.field(name);
        if (!field || (ignores && ignored.members.has(field.element))) continue;
        const { element, sharing, isEntry } = field;
        const isPlace = isEntry || sharing.isLeaf || sharing.isBare(inside);
        const below = ignores ? ignored.below(element) : ignored;
        if (!isEntryTold(fields[element], isPlace, sharing, inside, below)) return false;
        told++;
      }
    }
    return told === countEntries(fields);
  }

  addAll(value: unknown, into: FieldSetBuilder): void {
    if (!isObject(value)) return;
    for (const name in value) {
      const field = value[name] === undefined ? undefined : this.field(name);
      if (!field) continue;
      into.add(field.element);
      if (!field.sharing.isLeaf) field.sharing.addAll(value[name], into.below(field.element));
    }
  }

  *entries(value: unknown): Generator<SharedEntry> {
    if (!isObject(value)) return;
    for (const name in value) {
      const field = value[name] === undefined ? undefined : this.field(name);
      if (field) yield { element: field.element, sharing: field.sharing, value: value[name] };
    }
  }

  compare(before: unknown, after: unknown, changes: ChangeNotes): void {
    const [old, now] = [isObject(before) ? before : NOTHING, isObject(after) ? after : NOTHING];
    const [was, is] = [Object.keys(old), Object.keys(now)];
    if (!changes.later.fits(was.length + is.length)) {
      changes.later.leave(this.#compareMany(was, is, old, now, changes.here()));
      return;
    }
    for (const name of is) this.#compareField(name, old, now, changes);
    for (const name of was) this.#compareLost(name, old, now, changes);
  }

  *#compareMany(
    was: readonly string[],
    is: readonly string[],
    old: JsonObject,
    now: JsonObject,
    changes: ChangeNotes,
  ): Steps<void> {
    for (const name of is) {
      if (changes.later.isRestDue()) yield;
      this.#compareField(name, old, now, changes);
    }
    for (const name of was) {
      if (changes.later.isRestDue()) yield;
      this.#compareLost(name, old, now, changes);
    }
  }

  #compareField(name: string, old: JsonObject, now: JsonObject, changes: ChangeNotes): void {
    const [was, is] = [Object.hasOwn(old, name) ? old[name] : undefined, now[name]];
    if (is === was || is === undefined) return;
    const field = this.field(name);
    if (!field) return;
    if (was === undefined) changes.noteAdded(field.element, field.sharing, is);
    else changes.compareEntry(field.element, field.sharing, was, is);
  }

  /** Of a name that there was before, if it is gone. */
  #compareLost(name: string, old: JsonObject, now: JsonObject, changes: ChangeNotes): void {
    if (old[name] === undefined || (Object.hasOwn(now, name) && now[name] !== undefined)) return;
    const field = this.field(name);
    if (field) changes.noteRemoved(field.element, field.sharing, old[name]);
  }

  writeNew(blank: unknown, value: unknown, ignored: FieldSet, into: FieldsV1, later: Later): boolean {
    if (!isObject(value)) return false;
    const names = Object.keys(value).sort();
    if (!later.fits(names.length) && this.takesAny && blank === undefined && ignored.isEmpty && names.length > 0) {
      later.leave(this.#writeManyNew(names, value, into, later));
      return true;
    }
    const before = isObject(blank) ? blank : undefined;
    let isAny = false;
    for (const name of names) {
      const was = before && Object.hasOwn(before, name) ? before[name] : undefined;
      if (this.#writeField(name, was, value[name], ignored, into, later)) isAny = true;
    }
    return isAny;
  }

  *#writeManyNew(names: readonly string[], value: JsonObject, into: FieldsV1, later: Later): Steps<void> {
    for (const name of names) {
      if (later.isRestDue()) yield;
      this.#writeField(name, undefined, value[name], FieldSet.EMPTY, into, later);
    }
  }

  /** Whether there is anything to write. */
  #writeField(name: string, was: unknown, is: unknown, ignored: FieldSet, into: FieldsV1, later: Later): boolean {
    const field = is === undefined ? undefined : this.field(name);
    if (!field || ignored.members.has(field.element)) return false;
    const entry = newEntry(field.sharing, was, is, ignored.below(field.element), later);
    if (entry) into[field.element] = entry;
    return entry !== undefined;
  }

  outline(blank: unknown, value: unknown, ignored: FieldSet, budget: OutlineBudget): Outline | undefined {
    if (!isObject(value)) return outlineOfSame(value);
    const before = isObject(blank) ? blank : NOTHING;
    const outline = new FieldsOutline();
    for (const name in value) {
      const is = value[name];
      if (is === undefined || !budget.take(name)) return undefined;
      const was = Object.hasOwn(before, name) ? before[name] : undefined;
      const inside = this.#outlineOfField(name, was, is, ignored, budget);
      if (!inside) return undefined;
      outline.add(name, inside);
    }
    return outline;
  }

  #outlineOfField(
    name: string,
    was: unknown,
    is: unknown,
    ignored: FieldSet,
    budget: OutlineBudget,
  ): Outline | undefined {
    const field = this.field(name);
    if (!field || ignored.members.has(field.element)) return ANYTHING;
    return outlineOfEntry(field.sharing, was, is, ignored.below(field.element), budget);
  }

  /** Saying null of something that has entries of others says nothing about those. */
  merge(live: unknown, applied: unknown): unknown {
    if (this.isBare(live)) return sameJson(live, applied) ? live : applied;
    if (!isObject(applied) || !isObject(live)) return applied === null ? live : applied;
    let result: JsonObject | undefined;
    for (const name in applied) {
      const wanted = applied[name];
      const sharing = wanted === undefined ? undefined : this.sharingOf(name);
      if (!sharing) continue;
      const held = Object.hasOwn(live, name) ? live[name] : undefined;
      const merged = sharing.merge(held, wanted);
      if (merged === held) continue;
      result ??= { ...live };
      setOwn(result, name, merged);
    }
    return result ?? live;
  }

  *mergeInSteps(live: unknown, applied: unknown, levels: number): Steps<unknown> {
    if (levels === 0 || this.isBare(live) || !isObject(applied) || !isObject(live)) return this.merge(live, applied);
    const changed: [name: string, merged: unknown][] = [];
    let seen = 0;
    for (const name in applied) {
      if (++seen % MANY_ENTRIES === 0) yield;
      const wanted = applied[name];
      const sharing = wanted === undefined ? undefined : this.sharingOf(name);
      if (!sharing) continue;
      const held = Object.hasOwn(live, name) ? live[name] : undefined;
      const merged = sharing.isLeaf
        ? sharing.merge(held, wanted)
        : yield* sharing.mergeInSteps(held, wanted, levels - 1);
      if (merged !== held) changed.push([name, merged]);
    }
    if (changed.length === 0) return live;
    yield;
    const result: JsonObject = { ...live };
    for (const [name, merged] of changed) {
      if (++seen % MANY_ENTRIES === 0) yield;
      setOwn(result, name, merged);
    }
    return result;
  }

  remove(value: unknown, places: FieldSet): unknown {
    if (places.isEmpty || !isObject(value) || this.isBare(value)) return value;
    const result: JsonObject = {};
    for (const name in value) {
      const field = this.field(name);
      if (!field || places.members.has(field.element)) continue;
      setOwn(result, name, field.sharing.remove(value[name], places.below(field.element)));
    }
    return this.isBare(result) ? null : result;
  }

  fitted(set: FieldSet): FieldSet {
    return fitEntries(set, (element) => this.field(element.slice(2))?.sharing);
  }
}

/** A struct: its fields are declared. It may have others, which are entries as those of a map are. */
export class SharedStruct extends SharedFields {
  protected readonly takesAny = false;
  readonly #declare: () => ReadonlyMap<string, SharedField>;
  readonly #others: (() => Sharing) | undefined;
  #fields: ReadonlyMap<string, SharedField> | undefined;

  /** Both are called on first use: start-up stays quick, and a type may contain itself. */
  constructor(declare: () => ReadonlyMap<string, SharedField>, others?: () => Sharing) {
    super();
    this.#declare = declare;
    this.#others = others;
  }

  protected field(name: string): SharedField | undefined {
    this.#fields ??= this.#declare();
    const declared = this.#fields.get(name);
    return declared ?? (this.#others && entryNamed(name, this.#others()));
  }

  protected sharingOf(name: string): Sharing | undefined {
    this.#fields ??= this.#declare();
    return this.#fields.get(name)?.sharing ?? this.#others?.();
  }

  withHolders(set: FieldSet): FieldSet {
    const children = new Map<string, FieldSet>();
    const members = new Set(set.members);
    for (const [element, below] of set.children) {
      const field = this.field(element.slice(2));
      if (field && !field.isEntry) members.add(element);
      children.set(element, field ? field.sharing.withHolders(below) : below);
    }
    return new FieldSet(members, children);
  }
}

const entryNamed = (name: string, sharing: Sharing): SharedField => ({
  element: fieldElements.of(name),
  sharing,
  isEntry: true,
});

/** A map: any name is an entry. */
export class SharedMap extends SharedFields {
  protected readonly takesAny = true;
  readonly #declare: () => Sharing;
  #entry: Sharing | undefined;

  /** As for a struct. */
  constructor(declare: () => Sharing) {
    super();
    this.#declare = declare;
  }

  get #sharing(): Sharing {
    this.#entry ??= this.#declare();
    return this.#entry;
  }

  protected field(name: string): SharedField {
    return entryNamed(name, this.#sharing);
  }

  protected sharingOf(): Sharing {
    return this.#sharing;
  }

  withHolders(set: FieldSet): FieldSet {
    const sharing = this.#sharing;
    return new FieldSet(
      set.members,
      new Map([...set.children].map(([element, below]) => [element, sharing.withHolders(below)])),
    );
  }
}
