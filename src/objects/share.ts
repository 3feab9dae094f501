import { Later } from '../runtime/later.ts';
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

/** As `share`, for large objects: with a rest whenever so many parts have been looked at. */
export const shareInSteps = <T>(before: T, draft: Draft<T>): Steps<T> =>
  new SteppedShare().of(before, draft) as Steps<T>;

class SteppedShare {
  readonly #looks = new Later();

  *of(before: unknown, draft: unknown): Steps<unknown> {
    if (this.#looks.isRestDue()) yield;
    if (before === draft || typeof draft !== 'object' || draft === null) return draft;
    if (Array.isArray(draft)) return yield* this.#list(Array.isArray(before) ? before : undefined, draft);
    return yield* this.#fields(isObject(before) ? before : undefined, draft as JsonObject);
  }

  *#list(before: readonly unknown[] | undefined, draft: readonly unknown[]): Steps<unknown> {
    const result: unknown[] = [];
    let isSame = before?.length === draft.length;
    for (let at = 0; at < draft.length; at++) {
      const kept = yield* this.of(before?.[at], draft[at]);
      result.push(kept);
      isSame &&= kept === before?.[at];
    }
    return isSame ? before : result;
  }

  *#fields(before: JsonObject | undefined, draft: JsonObject): Steps<unknown> {
    const result: JsonObject = {};
    let isSame = true;
    let surplus = 0;
    for (const name of Object.keys(draft)) {
      const part = draft[name];
      if (part === undefined) continue;
      surplus--;
      const earlier = before && Object.hasOwn(before, name) ? before[name] : undefined;
      const kept = yield* this.of(earlier, part);
      setOwn(result, name, kept);
      isSame &&= kept === earlier;
    }
    if (isSame) for (const _ in before) surplus++;
    return before && isSame && surplus === 0 ? before : result;
  }
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
