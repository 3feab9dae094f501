import { type FieldSet, FieldSetBuilder } from './field-set.ts';
import type { Container, Entry, Sharing } from './sharing.ts';

/** What happened between two values. */
export interface Difference {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** A list of an applied document has the same element twice. */
export class DuplicateElement extends Error {
  override readonly name = 'DuplicateElement';
}

const isEmpty = (container: Container, value: unknown): boolean =>
  value === null || (container.emptyCounts && container.entries(value).length === 0);

/** The places that a value fills in. */
export function fieldsOf(sharing: Sharing, value: unknown): FieldSet {
  const builder = new FieldSetBuilder();
  collect(sharing, value, builder);
  return builder.build();
}

function collect({ container }: Sharing, value: unknown, into: FieldSetBuilder): void {
  if (!container) return;
  for (const { element, value: inner, sharing } of container.entries(value)) {
    if (container.ownsEntries || !sharing.container || isEmpty(sharing.container, inner)) into.add(element);
    if (sharing.container) collect(sharing, inner, into.below(element));
  }
}

/** Every place of a value that came or went as a whole, containers included. */
function collectAll({ container }: Sharing, value: unknown, into: FieldSetBuilder): void {
  if (!container) return;
  for (const { element, value: inner, sharing } of container.entries(value)) {
    into.add(element);
    if (sharing.container) collectAll(sharing, inner, into.below(element));
  }
}

/** What was added, modified and removed, down to the last place. A container that comes or goes is noted itself too. */
export function compare(sharing: Sharing, before: unknown, after: unknown): Difference {
  const [added, modified, removed] = [new FieldSetBuilder(), new FieldSetBuilder(), new FieldSetBuilder()];
  compareInto(sharing, before, after, added, modified, removed);
  return { added: added.build(), modified: modified.build(), removed: removed.build() };
}

function compareInto(
  { container }: Sharing,
  before: unknown,
  after: unknown,
  added: FieldSetBuilder,
  modified: FieldSetBuilder,
  removed: FieldSetBuilder,
): void {
  if (!container || before === after) return;
  const old = container.entries(before);
  const left = new Map(old.map((entry) => [entry.element, entry]));
  for (const { element, value, sharing } of container.entries(after)) {
    const was = left.get(element);
    if (!was) {
      added.add(element);
      if (sharing.container) collectAll(sharing, value, added.below(element));
      continue;
    }
    left.delete(element);
    if (was.value === value) continue;
    if (!sharing.container || (isEmpty(sharing.container, was.value) && isEmpty(sharing.container, value))) {
      if (!sameJson(was.value, value)) modified.add(element);
    } else {
      compareInto(sharing, was.value, value, added.below(element), modified.below(element), removed.below(element));
    }
  }
  for (const { element, value, sharing } of left.values()) {
    removed.add(element);
    if (sharing.container) collectAll(sharing, value, removed.below(element));
  }
}

export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [Object.entries(a), Object.entries(b).filter(([, value]) => value !== undefined)];
  const held = left.filter(([, value]) => value !== undefined);
  return (
    held.length === right.length &&
    held.every(([key, value]) => Object.hasOwn(b, key) && sameJson(value, Reflect.get(b, key)))
  );
}

/** The live value with what the document says. Elements keep their order, new ones come last. */
export function mergeValues(sharing: Sharing, live: unknown, applied: unknown): unknown {
  const { container } = sharing;
  if (!container || applied === null || live === undefined || live === null) return applied;
  const wanted = uniqueEntries(container, applied);
  const merged: Entry[] = container.entries(live).map((entry) => {
    const change = wanted.get(entry.element);
    if (!change) return entry;
    wanted.delete(entry.element);
    return { ...entry, value: mergeValues(entry.sharing, entry.value, change.value) };
  });
  return container.assemble([...merged, ...wanted.values()]);
}

function uniqueEntries(container: Container, value: unknown): Map<string, Entry> {
  const entries = container.entries(value);
  const unique = new Map(entries.map((entry) => [entry.element, entry]));
  if (unique.size === entries.length) return unique;
  const seen = new Set<string>();
  const twice = entries.find(({ element }) => seen.size === seen.add(element).size);
  throw new DuplicateElement(`duplicate entries for key ${twice?.element.slice(2)}`);
}

/** The value without the places of the set. A container that loses all it had goes with it. */
export function removePlaces({ container }: Sharing, value: unknown, places: FieldSet): unknown {
  if (!container || places.isEmpty || value === null || value === undefined) return value;
  const entries = container.entries(value);
  const kept = entries
    .filter(({ element }) => !places.members.has(element))
    .map((entry) => ({ ...entry, value: removePlaces(entry.sharing, entry.value, places.below(entry.element)) }));
  return kept.length === 0 && entries.length > 0 ? null : container.assemble(kept);
}
