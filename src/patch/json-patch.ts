import { setOwn } from '../schema/json-object.ts';
import { sameJson } from '../schema/same-json.ts';

/** RFC 6902, with the one leniency clients rely on: `replace` of a missing map key adds it. */

/** A patch that is not one: 400. */
export class MalformedPatch extends Error {
  override readonly name = 'MalformedPatch';
}

/** A patch of more operations, or with more copied by them, than anyone needs: 413. */
export class PatchTooLong extends Error {
  override readonly name = 'PatchTooLong';
}

/** A patch that does not fit the document, or whose `test` failed: 422. */
export class PatchFailed extends Error {
  override readonly name = 'PatchFailed';
}

const MOST_OPERATIONS = 10_000;

/** Copies can grow a document with every step: together they may take as much room as the largest body. */
const MOST_COPIED = 3 * 1024 * 1024;

type JsonObject = { [key: string]: unknown };

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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

/** Applies all operations or none. The document is not changed. */
export function applyJsonPatch(document: unknown, operations: readonly Operation[]): unknown {
  const root: JsonObject = { '': structuredClone(document) };
  const copies: Copies = { size: 0 };
  for (const operation of operations) APPLY[operation.op]?.(root, operation, copies);
  return root[''];
}

interface Copies {
  size: number;
}

type Apply = (root: JsonObject, operation: Operation, copies: Copies) => void;

const APPLY: Readonly<Record<string, Apply>> = {
  add: (root, { path, value }) => place(locate(root, path), structuredClone(value ?? null), true),
  replace: (root, { path, value }) => place(locate(root, path), structuredClone(value ?? null), false),
  remove: (root, { path }) => take(locate(root, path)),
  copy(root, { path, from = '' }, copies) {
    const text = JSON.stringify(valueAt(locate(root, from)));
    copies.size += text.length;
    if (copies.size > MOST_COPIED) throw new PatchTooLong(`the patch copies more than ${MOST_COPIED} bytes`);
    place(locate(root, path), JSON.parse(text), true);
  },
  move(root, { path, from = '' }) {
    const source = locate(root, from);
    const moved = valueAt(source);
    take(source);
    place(locate(root, path), moved, true);
  },
  test(root, { path, value }) {
    if (sameJson(testedValue(locate(root, path)), value ?? null)) return;
    throw new PatchFailed(`testing path ${path} failed: the value differs`);
  },
};

interface Location {
  readonly holder: unknown;
  readonly key: string;
  readonly path: string;
}

function locate(root: JsonObject, path: string): Location {
  if (path !== '' && !path.startsWith('/')) throw new PatchFailed(`path "${path}" must start with "/"`);
  const segments = path.split('/').map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  const key = segments.pop() ?? '';
  let holder: unknown = root;
  for (const segment of segments) holder = child(holder, segment, path);
  return { holder, key, path };
}

function child(holder: unknown, key: string, path: string): unknown {
  if (Array.isArray(holder)) return holder[indexIn(holder, key, path, false)];
  if (isObject(holder) && Object.hasOwn(holder, key)) return holder[key];
  throw new PatchFailed(`path "${path}" does not exist`);
}

function indexIn(list: readonly unknown[], key: string, path: string, end: boolean): number {
  if (end && key === '-') return list.length;
  const index = /^(0|-?[1-9]\d{0,9})$/.test(key) ? Number(key) : Number.NaN;
  const at = index < 0 ? index + list.length : index;
  if (!(at >= 0 && at < list.length + (end ? 1 : 0))) throw new PatchFailed(`path "${path}": no element "${key}"`);
  return at;
}

/** A field that is not there is null. */
function testedValue(location: Location): unknown {
  const { holder, key } = location;
  return isObject(holder) && !Object.hasOwn(holder, key) ? null : valueAt(location);
}

const valueAt = ({ holder, key, path }: Location): unknown => child(holder, key, path);

function place({ holder, key, path }: Location, value: unknown, insert: boolean): void {
  if (Array.isArray(holder)) {
    const at = indexIn(holder, key, path, insert);
    holder.splice(at, insert ? 0 : 1, value);
  } else if (isObject(holder)) setOwn(holder, key, value);
  else throw new PatchFailed(`path "${path}" does not exist`);
}

function take({ holder, key, path }: Location): void {
  if (Array.isArray(holder)) holder.splice(indexIn(holder, key, path, false), 1);
  else if (isObject(holder) && Object.hasOwn(holder, key)) delete holder[key];
  else throw new PatchFailed(`path "${path}" does not exist`);
}
