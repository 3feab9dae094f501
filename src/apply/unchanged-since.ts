import { MANY_ENTRIES } from '../runtime/later.ts';
import type { Steps } from '../runtime/pacing.ts';
import { sameJson } from '../schema/same-json.ts';
import { entriesByElement } from './changed-values.ts';
import { FieldSet } from './field-set.ts';
import type { SharedEntry, Sharing } from './sharing.ts';

/** A place whose value an earlier state does not have, with the value that it has instead; undefined: none. */
export interface OtherBefore {
  readonly path: readonly string[];
  readonly before: unknown;
}

/**
 * Which of some places of a value had the same value in an earlier state; what was otherwise then is handed to `onOther`. A
 * place with others below it stands for an item being there, whatever is in it.
 */
export function* unchangedSince(
  places: FieldSet,
  sharing: Sharing,
  value: unknown,
  earlier: unknown,
  onOther: (other: OtherBefore) => void,
  above: readonly string[] = [],
): Steps<FieldSet> {
  if (places.isEmpty || value === earlier) return places;
  const is = yield* entriesByElement(sharing, value);
  const was = yield* entriesByElement(sharing, earlier);
  let looks = is.size;
  const members = new Set<string>();
  for (const element of places.members) {
    if (++looks % MANY_ENTRIES === 0) yield;
    const [now, old] = [is.get(element), was.get(element)];
    if (isSame(now, old, places.children.has(element))) members.add(element);
    else onOther({ path: [...above, element], before: old?.value });
  }
  const children = new Map<string, FieldSet>();
  for (const [element, below] of places.children) {
    const [now, old] = [is.get(element), was.get(element)];
    if (!now) continue;
    if (++looks % MANY_ENTRIES === 0) yield;
    const left = yield* unchangedSince(below, now.sharing, now.value, old?.value, onOther, [...above, element]);
    if (!left.isEmpty) children.set(element, left);
  }
  return members.size === 0 && children.size === 0 ? FieldSet.EMPTY : new FieldSet(members, children);
}

const isSame = (now: SharedEntry | undefined, old: SharedEntry | undefined, isHolder: boolean): boolean =>
  old !== undefined && (isHolder || sameJson(now?.value, old.value));
