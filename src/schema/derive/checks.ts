import type { Facts } from '../facts.ts';
import type { Node, StructShape, Visitor } from '../node.ts';
import { Path } from '../path.ts';
import type { Problems } from '../problems.ts';

/** Runs the checks of one node and of all below it. Absent where a declaration has none, so that walks stay short. */
type Checker = (value: unknown, path: Path, problems: Problems) => void;

type JsonObject = { [key: string]: unknown };

/** Checks of the node itself: its allowed values, then whatever else its declaration asks. */
function ownChecks({ allowed, checks }: Facts): Checker | undefined {
  if (!allowed && checks.length === 0) return undefined;
  const permitted = allowed && new Set<unknown>(allowed);
  return (value, path, problems) => {
    if (value === '' || value === null) return;
    if (allowed && !permitted?.has(value)) problems.notSupported(path, value, allowed);
    for (const check of checks) {
      const problem = check(value as never);
      if (problem) problems.add(path, problem.reason, problem.message);
    }
  };
}

function both(first: Checker | undefined, second: Checker | undefined): Checker | undefined {
  if (!first || !second) return first ?? second;
  return (value, path, problems) => {
    first(value, path, problems);
    second(value, path, problems);
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
  return (value, path, problems) => {
    const object = value as JsonObject;
    for (const { name, inline, checker } of fields) {
      if (inline) {
        checker(object, path, problems);
        continue;
      }
      const present = object[name];
      if (present !== undefined && present !== null) checker(present, path.child(name), problems);
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
      ((value, path, problems) =>
        (value as unknown[]).forEach((item, at) => {
          inner(item, path.index(at), problems);
        }));
    return both(ownChecks(facts), each);
  },
  map(shape, facts) {
    const inner = shape.item().accept(COMPILE);
    const each: Checker | undefined =
      inner &&
      ((value, path, problems) => {
        for (const [key, item] of Object.entries(value as JsonObject)) inner(item, path.key(key), problems);
      });
    return both(ownChecks(facts), each);
  },
  union(shape, facts) {
    const inner = shape.pick((node) => node.accept(COMPILE));
    return both(ownChecks(facts), (value, path, problems) => inner(value)?.(value, path, problems));
  },
  // What a loose value must be is for whoever declares it to say: zero is no special value there.
  loose: () => undefined,
};

/** Holds a canonical value against every check its declaration carries, and notes what fails. */
export function runChecks(node: Node, value: unknown, problems: Problems): void {
  node.accept(COMPILE)?.(value, Path.of(''), problems);
}
