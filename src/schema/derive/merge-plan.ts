import type { Facts, Topology } from '../facts.ts';
import type { Node, StructShape, Visitor } from '../node.ts';

/** What a strategic merge must know of one place in a document. */
export interface MergePlan {
  readonly topology: Topology;
  /** The plan of a field of a struct, or of any entry of a map; undefined where the declaration knows none. */
  field(name: string): MergePlan | undefined;
  /** The plan of the elements of a list. */
  readonly item: MergePlan | undefined;
}

const plans = new WeakMap<Node, MergePlan>();

class StructPlan implements MergePlan {
  readonly topology: Topology;
  readonly item = undefined;
  readonly #shape: StructShape;
  #known: Map<string, MergePlan> | undefined;

  constructor(shape: StructShape, facts: Facts) {
    this.#shape = shape;
    this.topology = { ...shape.topology, ...facts.topology };
  }

  field(name: string): MergePlan | undefined {
    this.#known ??= new Map(fieldsOf(this.#shape).map(([field, node]) => [field, mergePlan(node)]));
    return this.#known.get(name);
  }
}

/** Declared fields, those of inlined structs included. */
function fieldsOf(shape: StructShape): [string, Node][] {
  return Object.entries(shape.fields).flatMap(([name, { node, inline }]): [string, Node][] =>
    inline ? node.accept(INLINED) : [[name, node]],
  );
}

const INLINED: Visitor<[string, Node][]> = {
  struct: fieldsOf,
  scalar: () => [],
  list: () => [],
  map: () => [],
  union: () => [],
  loose: () => [],
};

const leaf = (facts: Facts): MergePlan => ({ topology: facts.topology, item: undefined, field: () => undefined });

const COMPILE: Visitor<MergePlan> = {
  scalar: (_shape, facts) => leaf(facts),
  union: (_shape, facts) => leaf(facts),
  loose: (_shape, facts) => leaf(facts),
  struct: (shape, facts) => new StructPlan(shape, facts),
  list: (shape, facts) => ({ topology: facts.topology, item: mergePlan(shape.item()), field: () => undefined }),
  map: (shape, facts) => ({ topology: facts.topology, item: undefined, field: () => mergePlan(shape.item()) }),
};

/** How documents of this declaration merge. */
export function mergePlan(node: Node): MergePlan {
  const known = plans.get(node);
  if (known) return known;
  const plan = node.accept(COMPILE);
  plans.set(node, plan);
  return plan;
}
