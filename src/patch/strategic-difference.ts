import type { MergePlan } from '../schema/derive/merge-plan.ts';
import { isObject, setOwn } from '../schema/json-object.ts';
import { sameJson } from '../schema/same-json.ts';
import { DELETE_FROM, type JsonObject, ORDER, PATCH, RETAIN } from './strategic-directives.ts';

/**
 * The patch that makes `current` what `wanted` says: what is wanted otherwise is set, what was wanted before and is not any
 * more is removed, and what others put there stays. Empty when there is nothing to do.
 *
 * Without a plan it is a JSON merge patch; with the plan of a kind it is a strategic one, which merges lists by key.
 */
export function threeWayDifference(
  before: JsonObject,
  wanted: JsonObject,
  current: JsonObject,
  plan: MergePlan | undefined,
): JsonObject {
  const patch: JsonObject = {};
  for (const [key, value] of Object.entries(wanted)) {
    const place = { before: before[key], current: current[key], plan: plan?.field(key) };
    if (value === null) {
      if (current[key] !== undefined && current[key] !== null) setOwn(patch, key, null);
    } else if (current[key] === undefined) setOwn(patch, key, value);
    else addDifference(patch, key, value, place);
  }
  for (const key of Object.keys(before)) {
    if (!Object.hasOwn(wanted, key) && Object.hasOwn(current, key)) setOwn(patch, key, null);
  }
  return patch;
}

/** The patch that makes one document another. */
export const twoWayDifference = (from: JsonObject, to: JsonObject, plan: MergePlan | undefined): JsonObject =>
  threeWayDifference(from, to, from, plan);

/** A field that is there already. */
interface Place {
  readonly before: unknown;
  readonly current: unknown;
  readonly plan: MergePlan | undefined;
}

function addDifference(patch: JsonObject, key: string, wanted: unknown, { before, current, plan }: Place): void {
  const strategies = plan?.topology.patchStrategy ?? [];
  if (isObject(wanted) && isObject(current) && !strategies.includes('replace')) {
    const inner = threeWayDifference(isObject(before) ? before : {}, wanted, current, plan);
    if (Object.keys(inner).length === 0) return;
    if (strategies.includes('retainKeys')) inner[RETAIN] = Object.keys(wanted).sort();
    setOwn(patch, key, inner);
  } else if (Array.isArray(wanted) && Array.isArray(current) && plan && strategies.includes('merge')) {
    addListDifference(patch, key, wanted, { before: Array.isArray(before) ? before : [], current, plan });
  } else if (!sameJson(wanted, current)) setOwn(patch, key, wanted);
}

interface ListPlace {
  readonly before: readonly unknown[];
  readonly current: readonly unknown[];
  readonly plan: MergePlan;
}

function addListDifference(patch: JsonObject, key: string, wanted: readonly unknown[], place: ListPlace): void {
  const { mergeKey } = place.plan.topology;
  if (mergeKey === undefined) addScalarDifference(patch, key, wanted, place);
  else addKeyedDifference(patch, key, wanted, place, mergeKey);
}

function addScalarDifference(
  patch: JsonObject,
  key: string,
  wanted: readonly unknown[],
  { before, current }: ListPlace,
) {
  const [there, kept] = [new Set(current), new Set(wanted)];
  const added = wanted.filter((item) => !there.has(item));
  const removed = before.filter((item) => !kept.has(item) && there.has(item));
  if (added.length > 0) setOwn(patch, key, added);
  if (removed.length > 0) setOwn(patch, `${DELETE_FROM}${key}`, removed);
  if (added.length > 0 || removed.length > 0) setOwn(patch, `${ORDER}${key}`, wanted);
}

function addKeyedDifference(
  patch: JsonObject,
  key: string,
  wanted: readonly unknown[],
  { before, current, plan }: ListPlace,
  mergeKey: string,
): void {
  const keyed = (items: readonly unknown[]): Map<unknown, JsonObject> =>
    new Map(items.filter(isObject).map((item) => [item[mergeKey], item]));
  const [known, there, kept] = [keyed(before), keyed(current), keyed(wanted)];
  // Elements that cannot be told apart, or have no key, can only be set all together.
  if (kept.size !== wanted.length || kept.has(undefined)) {
    if (!sameJson(wanted, current)) setOwn(patch, key, [...wanted, { [PATCH]: 'replace' }]);
    return;
  }
  const changes: JsonObject[] = [];
  for (const [id, item] of kept) {
    const now = there.get(id);
    const change = now ? threeWayDifference(known.get(id) ?? {}, item, now, plan.item) : item;
    if (Object.keys(change).length > 0) changes.push({ ...change, [mergeKey]: id });
  }
  const removed = [...known.keys()].filter((id) => !kept.has(id) && there.has(id));
  for (const id of removed) changes.push({ [mergeKey]: id, [PATCH]: 'delete' });
  const order = [...kept.keys()];
  const orderNow = [...there.keys()].filter((id) => kept.has(id));
  if (changes.length === 0 && sameJson(order, orderNow)) return;
  if (changes.length > 0) setOwn(patch, key, changes);
  setOwn(
    patch,
    `${ORDER}${key}`,
    order.map((id) => ({ [mergeKey]: id })),
  );
}
