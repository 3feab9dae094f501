import { MANY_ENTRIES } from '../runtime/later.ts';
import { inSteps, type Rest, type Steps } from '../runtime/pacing.ts';
import { compareInSteps } from './difference.ts';
import type { FieldSet } from './field-set.ts';
import type { SharedEntry, Sharing } from './sharing.ts';

/** A place with what was there and what is there; undefined: nothing. */
export interface ChangedValue {
  readonly path: readonly string[];
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * Hands what is different between two values, one after the other, to `found`. What came or went as a whole is told as a
 * whole, and not once more for everything in it. `ignored`: places that are left out with all that is below them.
 */
export async function findChangedValues(
  [sharing, before, after, ignored]: readonly [sharing: Sharing, before: unknown, after: unknown, ignored: FieldSet],
  rest: Rest,
  found: (changed: ChangedValue) => void,
): Promise<void> {
  const { all } = await inSteps(compareInSteps(sharing, before, after), rest);
  await rest();
  await inSteps(changesAt(all.without(ignored), sharing, before, after, [], found), rest);
}

function* changesAt(
  places: FieldSet,
  sharing: Sharing,
  before: unknown,
  after: unknown,
  above: readonly string[],
  found: (changed: ChangedValue) => void,
): Steps<void> {
  if (places.isEmpty) return;
  const was = yield* entriesByElement(sharing, before);
  const is = yield* entriesByElement(sharing, after);
  let looks = 0;
  for (const element of new Set([...is.keys(), ...was.keys()])) {
    if (++looks % MANY_ENTRIES === 0) yield;
    const path = [...above, element];
    const [old, now] = [was.get(element), is.get(element)];
    if (places.members.has(element)) found({ path, before: old?.value, after: now?.value });
    else if (now) yield* changesAt(places.below(element), now.sharing, old?.value, now.value, path, found);
  }
}

/** The entries of a value by their path elements. */
export function* entriesByElement(sharing: Sharing, value: unknown): Steps<ReadonlyMap<string, SharedEntry>> {
  const found = new Map<string, SharedEntry>();
  for (const entry of sharing.entries(value)) {
    found.set(entry.element, entry);
    if (found.size % MANY_ENTRIES === 0) yield;
  }
  return found;
}

/** Every value of a set of places that is there. */
export function* valuesIn(
  places: FieldSet,
  sharing: Sharing,
  value: unknown,
  above: readonly string[] = [],
): Generator<{ readonly path: readonly string[]; readonly value: unknown; readonly isLeaf: boolean }> {
  if (places.isEmpty) return;
  for (const entry of sharing.entries(value)) {
    const path = [...above, entry.element];
    const below = places.below(entry.element);
    if (places.members.has(entry.element)) yield { path, value: entry.value, isLeaf: below.isEmpty };
    yield* valuesIn(below, entry.sharing, entry.value, path);
  }
}
