import { inSteps, type Rest } from '../runtime/pacing.ts';
import { compare, compareInSteps } from './difference.ts';
import type { FieldSet } from './field-set.ts';
import type { SharedEntry, Sharing } from './sharing.ts';

/** A place with what was there and what is there; undefined: nothing. */
export interface ChangedValue {
  readonly path: readonly string[];
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * What is different between two values, with both. What came or went as a whole is told as a whole, and not once more for
 * everything in it. `ignored`: places that are left out with all that is below them.
 */
export function changedValues(
  sharing: Sharing,
  before: unknown,
  after: unknown,
  ignored: FieldSet,
): Iterable<ChangedValue> {
  const { all } = compare(sharing, before, after);
  return valuesAt(all.without(ignored), sharing, before, after, []);
}

/** As `changedValues`, one after the other to `found`, for values of any size. */
export async function findChangedValues(
  [sharing, before, after, ignored]: Readonly<Parameters<typeof changedValues>>,
  rest: Rest,
  found: (changed: ChangedValue) => void,
): Promise<void> {
  const { all } = await inSteps(compareInSteps(sharing, before, after), rest);
  await rest();
  const places = all.without(ignored);
  await rest();
  for (const changed of valuesAt(places, sharing, before, after, [])) {
    found(changed);
    const pause = rest();
    if (pause) await pause;
  }
}

function* valuesAt(
  places: FieldSet,
  sharing: Sharing,
  before: unknown,
  after: unknown,
  above: readonly string[],
): Generator<ChangedValue> {
  if (places.isEmpty) return;
  const was = entriesByElement(sharing, before);
  const is = entriesByElement(sharing, after);
  for (const element of new Set([...is.keys(), ...was.keys()])) {
    const path = [...above, element];
    const [old, now] = [was.get(element), is.get(element)];
    if (places.members.has(element)) yield { path, before: old?.value, after: now?.value };
    else if (now) yield* valuesAt(places.below(element), now.sharing, old?.value, now.value, path);
  }
}

/** The entries of a value by their path elements. */
export function entriesByElement(sharing: Sharing, value: unknown): ReadonlyMap<string, SharedEntry> {
  const found = new Map<string, SharedEntry>();
  for (const entry of sharing.entries(value)) found.set(entry.element, entry);
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
