import { atOnce, type Steps } from '../runtime/pacing.ts';
import { isObject } from '../schema/json-object.ts';
import { sameJson } from '../schema/same-json.ts';
import { Draft, PatchFailed, PatchTooLong } from './json-draft.ts';

/** RFC 6902, with the one leniency clients rely on: `replace` of a missing map key adds it. */

/** A patch that is not one: 400. */
export class MalformedPatch extends Error {
  override readonly name = 'MalformedPatch';
}

const MOST_OPERATIONS = 10_000;

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/** Checks the form of a patch, so that nothing is half applied because its end is nonsense. `null` is a patch of nothing. */
export function parseJsonPatch(document: unknown): readonly Operation[] {
  if (document === null) return [];
  if (!Array.isArray(document)) throw new MalformedPatch('a JSON patch is a list of operations');
  if (document.length > MOST_OPERATIONS) {
    throw new PatchTooLong(
      `Request entity too large: The allowed maximum operations in a JSON patch is ${MOST_OPERATIONS}, got ${document.length}`,
    );
  }
  return document.map((operation: unknown, at) => {
    if (!isObject(operation) || typeof operation.op !== 'string' || typeof operation.path !== 'string') {
      throw new MalformedPatch(`operation ${at} needs "op" and "path"`);
    }
    const { op, path, from } = operation;
    if (!Object.hasOwn(APPLY, op)) throw new PatchFailed(`operation ${at}: unknown op "${op}"`);
    if ((op === 'move' || op === 'copy') && typeof from !== 'string') {
      throw new MalformedPatch(`operation ${at}: "${op}" needs "from"`);
    }
    return { op, path, value: operation.value, ...(typeof from === 'string' ? { from } : {}) };
  });
}

const KNOWN = new Set(['op', 'path', 'from', 'value']);

/** The paths of what operations say that no operation knows; it is passed over. The form of the patch must be checked. */
export function unknownInJsonPatch(document: unknown): string[] {
  const operations: readonly unknown[] = Array.isArray(document) ? document : [];
  return operations.flatMap((operation, at) =>
    Object.keys(isObject(operation) ? operation : {})
      .filter((key) => !KNOWN.has(key))
      .map((key) => `[${at}].${key}`),
  );
}

/** Applies all operations or none. The document is not changed; the result shares with it what no operation touches. */
export const applyJsonPatch = (document: unknown, operations: readonly Operation[]): unknown =>
  atOnce(applyJsonPatchInSteps(document, operations));

/** As `applyJsonPatch`, for patches of any length. */
export function* applyJsonPatchInSteps(document: unknown, operations: readonly Operation[]): Steps<unknown> {
  const draft = new Draft(document);
  for (const [at, operation] of operations.entries()) {
    if (at % SOME === SOME - 1) yield;
    APPLY[operation.op]?.(draft, operation);
  }
  return draft.result;
}

/** After so many operations there is a rest. */
const SOME = 100;

type Apply = (draft: Draft, operation: Operation) => void;

const APPLY: Readonly<Record<string, Apply>> = {
  add: (draft, { path, value }) => draft.place(path, value ?? null, true),
  replace: (draft, { path, value }) => draft.place(path, value ?? null, false),
  remove: (draft, { path }) => draft.take(path),
  copy: (draft, { path, from = '' }) => draft.copy(from, path),
  move: (draft, { path, from = '' }) => draft.move(from, path),
  test(draft, { path, value }) {
    if (sameJson(draft.testedAt(path), value ?? null)) return;
    throw new PatchFailed(`testing path ${path} failed: the value differs`);
  },
};
