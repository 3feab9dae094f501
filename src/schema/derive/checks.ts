import type { Facts, Problem } from '../facts.ts';
import { isList, isObject, type JsonObject } from '../json-object.ts';
import type { Node, StructShape, Visitor } from '../node.ts';
import { Path } from '../path.ts';
import type { Problems } from '../problems.ts';

/** Runs the checks of one node and of all below it. Absent where a declaration has none, so that walks stay short. */
type Checker = (value: unknown, old: unknown, path: Path, problems: Problems) => void;

/** Checks of the node itself: its allowed values, then whatever else its declaration asks. */
function ownChecks({ allowed, checks }: Facts): Checker | undefined {
  if (!allowed && checks.length === 0) return undefined;
  const permitted = allowed && new Set<unknown>(allowed);
  return (value, old, path, problems) => {
    if (value === '' || value === null) return;
    if (allowed && !permitted?.has(value)) problems.notSupported(path, value, allowed);
    for (const check of checks) {
      const found = check(value as never, (old ?? undefined) as never);
      if (found) noteAll(found, path, problems);
    }
  };
}

function noteAll(found: Problem | readonly Problem[], path: Path, problems: Problems): void {
  if (isList(found)) for (const { reason, message } of found) problems.add(path, reason, message);
  else problems.add(path, found.reason, found.message);
}

function both(first: Checker | undefined, second: Checker | undefined): Checker | undefined {
  if (!first || !second) return first ?? second;
  return (value, old, path, problems) => {
    first(value, old, path, problems);
    second(value, old, path, problems);
  };
}

const structs = new WeakMap<StructShape, { checker: Checker | undefined; compiling: boolean }>();

function structChecker(shape: StructShape): Checker | undefined {
  const known = structs.get(shape);
  if (known) return known.compiling ? (...all) => structs.get(shape)?.checker?.(...all) : known.checker;
  const entry: { checker: Checker | undefined; compiling: boolean } = { checker: undefined, compiling: true };
  structs.set(shape, entry);
  entry.checker = compileStruct(shape);
  entry.compiling = false;
  return entry.checker;
}

function compileStruct(shape: StructShape): Checker | undefined {
  const fields: { name: string; inline: boolean; checker: Checker }[] = [];
  for (const [name, { node, inline }] of Object.entries(shape.fields)) {
    const checker = node.accept(COMPILE);
    if (checker) fields.push({ name, inline, checker });
  }
  if (fields.length === 0) return undefined;
  return (value, old, path, problems) => {
    const object = value as JsonObject;
    const before = isObject(old) ? old : undefined;
    for (const { name, inline, checker } of fields) {
      if (inline) {
        checker(object, before, path, problems);
        continue;
      }
      const present = object[name];
      if (present !== undefined && present !== null) checker(present, before?.[name], path.child(name), problems);
    }
  };
}

const COMPILE: Visitor<Checker | undefined> = {
  scalar: (_shape, facts) => ownChecks(facts),
  struct: (shape, facts) => both(ownChecks(facts), structChecker(shape)),
  list(shape, facts) {
    const inner = shape.item().accept(COMPILE);
    const each: Checker | undefined =
      inner &&
      ((value, old, path, problems) => {
        const before = itemsBefore(value, old, facts);
        (value as unknown[]).forEach((item, at) => {
          inner(item, before?.(item), path.index(at), problems);
        });
      });
    return both(ownChecks(facts), each);
  },
  map(shape, facts) {
    const inner = shape.item().accept(COMPILE);
    const each: Checker | undefined =
      inner &&
      ((value, old, path, problems) => {
        const before = isObject(old) ? old : undefined;
        const entries = value as JsonObject;
        for (const key in entries) {
          inner(entries[key], before && Object.hasOwn(before, key) ? before[key] : undefined, path.key(key), problems);
        }
      });
    return both(ownChecks(facts), each);
  },
  union(shape, facts) {
    const inner = shape.pick((node) => node.accept(COMPILE));
    return both(ownChecks(facts), (value, old, path, problems) => inner(value)?.(value, old, path, problems));
  },
  // What a loose value must be is for whoever declares it to say: zero is no special value there.
  loose: () => undefined,
};

/** Finds what an item was before; undefined where items have no keys. */
function itemsBefore(value: unknown, old: unknown, { topology }: Facts): ((item: unknown) => unknown) | undefined {
  if (!isList(old) || topology.listType !== 'map') return undefined;
  if (value === old) return (item) => item;
  const keyOf = (item: unknown): string =>
    JSON.stringify(topology.keys?.map((key) => (isObject(item) ? item[key] : undefined)));
  const byKey = new Map(old.map((item) => [keyOf(item), item]));
  return (item) => byKey.get(keyOf(item));
}

/**
 * Holds a canonical value against every check its declaration carries, and notes what fails. `old`: what an update
 * changes.
 */
export function runChecks(node: Node, value: unknown, problems: Problems, old?: unknown): void {
  node.accept(COMPILE)?.(value, old, Path.of(''), problems);
}
