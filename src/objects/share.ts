import type { Steps } from '../runtime/pacing.ts';
import type { Draft } from '../schema/draft.ts';
import { isObject, type JsonObject, setOwn } from '../schema/json-object.ts';

/**
 * Puts back what says the same. Of a draft that was made of `before`, every part that still says what it said then gives
 * way to the part of `before`, all the way down; at best the result is `before` itself. From there on identity is the one
 * test of "unchanged": for checks, for encoding, for ownership, and for a write that changes nothing.
 *
 * Leaves the draft as it is: parts of `before` may have moved in it, and are values. Fields that are undefined count as
 * not there, and are left out.
 */
export const share = <T>(before: T, draft: Draft<T>): T => shared(before, draft) as T;

/** Below so many levels nothing is cut into steps any more: what is there cannot be large by itself. */
const LEVELS = 2;

/** As `share`, for large objects: part by part. */
export function* shareInSteps<T>(before: T, draft: Draft<T>): Steps<T> {
  return (yield* sharedInSteps(before, draft, LEVELS)) as T;
}

function* sharedInSteps(before: unknown, draft: unknown, levels: number): Steps<unknown> {
  yield;
  if (levels === 0 || before === draft || !isObject(before) || !isObject(draft)) return shared(before, draft);
  const result: JsonObject = {};
  let isSame = true;
  for (const [name, part] of Object.entries(draft)) {
    if (part === undefined) continue;
    const earlier = Object.hasOwn(before, name) ? before[name] : undefined;
    const kept = yield* sharedInSteps(earlier, part, levels - 1);
    setOwn(result, name, kept);
    isSame &&= kept === earlier;
  }
  return isSame && Object.keys(result).length === Object.keys(before).length ? before : result;
}

function shared(before: unknown, draft: unknown): unknown {
  if (before === draft || typeof draft !== 'object' || draft === null) return draft;
  if (Array.isArray(draft)) return sharedList(before, draft);
  return sharedFields(before, draft as JsonObject);
}

function sharedList(before: unknown, draft: readonly unknown[]): unknown {
  if (!Array.isArray(before)) return draft;
  let result: unknown[] | undefined;
  let isSame = before.length === draft.length;
  for (let at = 0; at < draft.length; at++) {
    const part = draft[at];
    const old: unknown = before[at];
    const kept = old === part ? part : shared(old, part);
    if (kept !== part) {
      result ??= [...draft];
      result[at] = kept;
    }
    isSame &&= kept === old;
  }
  return isSame ? before : (result ?? draft);
}

function sharedFields(before: unknown, draft: JsonObject): unknown {
  const isComparable = typeof before === 'object' && before !== null && !Array.isArray(before);
  const old = (isComparable ? before : NOTHING) as JsonObject;
  let result: JsonObject | undefined;
  let isSame = isComparable;
  let surplus = 0;
  for (const name in draft) {
    const part = draft[name];
    if (part === undefined) {
      result ??= { ...draft };
      delete result[name];
      continue;
    }
    surplus--;
    // The one name under which every object has an object already.
    const earlier = name === '__proto__' && !Object.hasOwn(old, name) ? undefined : old[name];
    const kept = earlier === part ? part : shared(earlier, part);
    if (kept !== part) {
      result ??= { ...draft };
      setOwn(result, name, kept);
    }
    isSame &&= kept === earlier;
  }
  if (isSame) for (const _ in old) surplus++;
  return isSame && surplus === 0 ? before : (result ?? draft);
}

const NOTHING: JsonObject = Object.freeze(Object.create(null));
