import { atOnce, type Steps } from '../runtime/pacing.ts';
import type { MergePlan } from '../schema/derive/merge-plan.ts';
import { isObject, setOwn } from '../schema/json-object.ts';
import {
  DELETE_FROM,
  directiveOf,
  isDirective,
  type JsonObject,
  listIn,
  ORDER,
  RETAIN,
  StrategicPatchError,
  stripped,
  withoutDirectives,
} from './strategic-directives.ts';

/** After so many elements or keys of one list or object, and at least once for each list, there may be a rest. */
const SOME = 32;
/** To bring so many elements into an order takes long. */
const MANY = 500;

/**
 * Like a merge patch, but lists whose elements have a key merge element by element, as the declaration of the kind says,
 * and directives inside the patch can ask for something else. Neither argument is changed.
 */
export const strategicMerge = (original: JsonObject, patch: JsonObject, plan: MergePlan | undefined): JsonObject =>
  atOnce(strategicMergeInSteps(original, patch, plan));

/** As `strategicMerge`, for patches of any size. */
export function* strategicMergeInSteps(
  original: JsonObject,
  patch: JsonObject,
  plan: MergePlan | undefined,
): Steps<JsonObject> {
  const directive = directiveOf(patch);
  if (directive === 'replace') return withoutDirectives(patch);
  if (directive === 'delete') return {};
  const keys = Object.keys(patch);
  const directs = keys.some(isDirective);
  const result = retained(original, directs ? listIn(patch, RETAIN) : undefined, patch);
  for (const [at, key] of keys.entries()) {
    if (at % SOME === SOME - 1) yield;
    if (directs && isDirective(key)) continue;
    const change = patch[key];
    const order = directs ? listIn(patch, `${ORDER}${key}`) : undefined;
    if (change === null) delete result[key];
    else setOwn(result, key, yield* mergeValue(own(result, key), change, plan?.field(key), order));
  }
  if (directs) yield* applyListDirectives(result, patch, plan);
  return result;
}

const own = (object: JsonObject, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined);

/** `$retainKeys`: of what is there only these keys stay, and the patch may set no others. */
function retained(original: JsonObject, keep: unknown[] | undefined, patch: JsonObject): JsonObject {
  if (!keep) return { ...original };
  const kept = new Set(keep);
  const stray = Object.keys(patch).find((key) => !isDirective(key) && patch[key] !== null && !kept.has(key));
  if (stray !== undefined) throw new StrategicPatchError(`${RETAIN} does not name "${stray}", which the patch sets`);
  const result: JsonObject = {};
  for (const key of Object.keys(original)) if (kept.has(key)) setOwn(result, key, original[key]);
  return result;
}

function* mergeValue(
  original: unknown,
  change: unknown,
  plan: MergePlan | undefined,
  order: unknown[] | undefined,
): Steps<unknown> {
  const strategies = plan?.topology.patchStrategy ?? [];
  if (isObject(change)) {
    const merges = isObject(original) && !strategies.includes('replace');
    return merges ? yield* strategicMergeInSteps(original, change, plan) : withoutDirectives(change);
  }
  if (!Array.isArray(change)) return change;
  if (!plan || !strategies.includes('merge')) return change.map(stripped);
  return yield* mergeLists(Array.isArray(original) ? original : [], change, plan, order);
}

/** What concerns lists without merging into them: values to take out, an order to bring in. */
function* applyListDirectives(result: JsonObject, patch: JsonObject, plan: MergePlan | undefined): Steps<void> {
  for (const key of Object.keys(patch)) {
    const directive = [DELETE_FROM, ORDER].find((prefix) => key.startsWith(prefix));
    if (directive === undefined) continue;
    yield;
    const values = listIn(patch, key) ?? [];
    const field = key.slice(directive.length);
    const list = own(result, field);
    if (!Array.isArray(list)) continue;
    if (directive === DELETE_FROM) setOwn(result, field, without(list, values));
    else if (!Object.hasOwn(patch, field))
      setOwn(result, field, yield* inOrder(list, values, list, keyOf(plan?.field(field))));
  }
}

function without(list: readonly unknown[], values: readonly unknown[]): unknown[] {
  const gone = new Set(values);
  return list.filter((item) => !gone.has(item));
}

/** Tells elements apart: by their key, scalars by themselves. */
type Identify = (item: unknown) => unknown;

function keyOf(plan: MergePlan | undefined): Identify {
  const mergeKey = plan?.topology.mergeKey;
  return (item) => (mergeKey !== undefined && isObject(item) ? item[mergeKey] : item);
}

/** Merges a patch list into a stored one, by the key of its elements or, for scalars, by value. */
function* mergeLists(
  original: unknown[],
  patch: unknown[],
  plan: MergePlan,
  order: unknown[] | undefined,
): Steps<unknown[]> {
  const identify = keyOf(plan);
  const { mergeKey } = plan.topology;
  if (mergeKey === undefined) {
    return yield* inOrder([...new Set([...original, ...patch])], order ?? patch, original, identify);
  }
  const changes = patch.map((item) => keyedItem(item, mergeKey));
  if (changes.some(({ directive }) => directive === 'replace')) {
    return changes.filter(({ directive }) => directive === 'merge').map(({ item }) => withoutDirectives(item));
  }
  const items = new MergedItems(original, identify, plan.item);
  for (const [at, change] of changes.entries()) {
    if (at % SOME === 0) yield;
    yield* items.apply(change);
  }
  const kept = changes.filter(({ directive }) => directive === 'merge').map(({ item }) => item);
  return yield* inOrder(items.result, order ?? kept, original, identify);
}

interface KeyedItem {
  readonly item: JsonObject;
  readonly directive: ReturnType<typeof directiveOf>;
}

/** An element of the patch. One that only says `$patch: replace` needs no key. */
function keyedItem(item: unknown, mergeKey: string): KeyedItem {
  if (!isObject(item)) throw new StrategicPatchError(`elements with the merge key "${mergeKey}" must be objects`);
  const directive = directiveOf(item);
  if (directive !== 'replace' && (item[mergeKey] === undefined || item[mergeKey] === null)) {
    throw new StrategicPatchError(`map: ${JSON.stringify(item)} does not contain declared merge key: ${mergeKey}`);
  }
  return { item, directive };
}

/** Elements of a list that are merged one after the other, each found by its key. */
class MergedItems {
  readonly #identify: Identify;
  readonly #plan: MergePlan | undefined;
  /** What is taken out leaves a gap. */
  readonly #items: (unknown | typeof GAP)[];
  readonly #places = new Map<unknown, number[]>();

  constructor(original: readonly unknown[], identify: Identify, plan: MergePlan | undefined) {
    this.#identify = identify;
    this.#plan = plan;
    this.#items = [...original];
    for (const [at, item] of original.entries()) this.#place(identify(item), at);
  }

  *apply({ item: change, directive }: KeyedItem): Steps<void> {
    const key = this.#identify(change);
    const places = this.#places.get(key) ?? [];
    if (directive === 'delete') {
      for (const at of places) this.#items[at] = GAP;
      this.#places.delete(key);
    } else if (places.length === 0) {
      this.#place(key, this.#items.length);
      this.#items.push(withoutDirectives(change));
    } else yield* this.#merge(places[0] ?? 0, change);
  }

  /** Where several elements have the key, the first one counts. */
  *#merge(at: number, change: JsonObject): Steps<void> {
    const item = this.#items[at];
    if (isObject(item)) this.#items[at] = yield* strategicMergeInSteps(item, change, this.#plan);
  }

  get result(): unknown[] {
    return this.#items.filter((item) => item !== GAP);
  }

  #place(key: unknown, at: number): void {
    const places = this.#places.get(key);
    if (places) places.push(at);
    else this.#places.set(key, [at]);
  }
}

const GAP: unique symbol = Symbol('gap');

/**
 * Elements that `order` names come in its order, the others keep theirs; where both meet, what stood first in the stored
 * list stays first, and what is new comes before what was there.
 */
function* inOrder(
  items: readonly unknown[],
  order: readonly unknown[],
  stored: readonly unknown[],
  identify: Identify,
): Steps<unknown[]> {
  const rank = new Map(order.map((item, at) => [identify(item), at]));
  const place = new Map(stored.map((item, at) => [identify(item), at]));
  if (items.length > MANY) yield;
  const named = items.filter((item) => rank.has(identify(item)));
  named.sort((a, b) => (rank.get(identify(a)) ?? 0) - (rank.get(identify(b)) ?? 0));
  if (items.length > MANY) yield;
  const others = items.filter((item) => !rank.has(identify(item)));
  const result: unknown[] = [];
  let [left, right] = [0, 0];
  while (left < named.length && right < others.length) {
    const before = place.get(identify(named[left])) ?? -1;
    const after = place.get(identify(others[right])) ?? Number.POSITIVE_INFINITY;
    result.push(before <= after ? named[left++] : others[right++]);
  }
  return [...result, ...named.slice(left), ...others.slice(right)];
}
