import type { Facts, ListShape, Node, StructShape, Visitor } from '../schema/schema.ts';
import { type SharedField, SharedMap, SharedStruct } from './shared-fields.ts';
import { type Identify, SharedItems } from './shared-items.ts';
import { LEAF, type Sharing } from './sharing.ts';

const isObject = (value: unknown): value is { [name: string]: unknown } => typeof value === 'object' && value !== null;

const known = new WeakMap<Node, Sharing>();

/** How values of a declaration are shared. */
export function sharingOf(node: Node): Sharing {
  const existing = known.get(node);
  if (existing) return existing;
  const made = node.accept(COMPILE);
  known.set(node, made);
  return made;
}

const COMPILE: Visitor<Sharing> = {
  scalar: () => LEAF,
  union: () => LEAF,
  list: listSharing,
  struct(shape, facts) {
    const mapType = facts.topology.mapType ?? shape.topology.mapType;
    return mapType === 'atomic' ? LEAF : new SharedStruct(() => sharedFields(shape));
  },
  map: (shape, facts) => (facts.topology.mapType === 'atomic' ? LEAF : new SharedMap(() => sharingOf(shape.item()))),
};

/** Declared fields, those of inlined structs included. */
const declaredFields = (shape: StructShape): [string, Node][] =>
  Object.entries(shape.fields).flatMap(([name, { node, inline }]): [string, Node][] =>
    inline ? node.accept(INLINED) : [[name, node]],
  );

const INLINED: Visitor<[string, Node][]> = {
  struct: declaredFields,
  scalar: () => [],
  list: () => [],
  map: () => [],
  union: () => [],
};

function sharedFields(shape: StructShape): ReadonlyMap<string, SharedField> {
  const fields = new Map(
    declaredFields(shape).map(([name, node]) => [name, { element: `f:${name}`, sharing: sharingOf(node) }]),
  );
  if (shape.typed) for (const name of ['kind', 'apiVersion']) fields.set(name, { element: `f:${name}`, sharing: LEAF });
  return fields;
}

function listSharing(shape: ListShape, facts: Facts): Sharing {
  const keys = keysOf(facts);
  if (keys) return new SharedItems(() => sharingOf(shape.item()), identifyBy(keys, shape.item));
  return isSet(facts)
    ? new SharedItems(
        () => LEAF,
        (item) => `v:${JSON.stringify(item)}`,
      )
    : LEAF;
}

/** The fields that tell elements apart: declared ones, else the merge key of lists that merge strategically. */
function keysOf({ topology: { listType, keys, mergeKey, patchStrategy } }: Facts): readonly string[] | undefined {
  if (listType === 'map') return keys;
  if (listType !== undefined || mergeKey === undefined || !patchStrategy?.includes('merge')) return undefined;
  return [mergeKey];
}

const isSet = ({ topology: { listType, patchStrategy } }: Facts): boolean =>
  listType === 'set' || (listType === undefined && (patchStrategy?.includes('merge') ?? false));

/** A key that an element does not give has the default of its field. */
function identifyBy(declared: readonly string[], item: () => Node): Identify {
  const keys = [...declared].sort().map((key) => ({ key, prefix: `${JSON.stringify(key)}:` }));
  let defaults: ReadonlyMap<string, unknown> | undefined;
  return (value) => {
    defaults ??= item().accept(FIELD_DEFAULTS);
    // Put together by hand: elements are told apart several times in every write.
    let parts = '';
    for (const { key, prefix } of keys) {
      const given: unknown = isObject(value) ? value[key] : undefined;
      const part = given ?? defaults.get(key);
      if (part !== undefined) parts += `${parts === '' ? '' : ','}${prefix}${JSON.stringify(part)}`;
    }
    return `k:{${parts}}`;
  };
}

const NO_DEFAULTS: ReadonlyMap<string, unknown> = new Map();

const FIELD_DEFAULTS: Visitor<ReadonlyMap<string, unknown>> = {
  struct: (shape) => new Map(declaredFields(shape).map(([name, node]) => [name, node.facts.default])),
  scalar: () => NO_DEFAULTS,
  list: () => NO_DEFAULTS,
  map: () => NO_DEFAULTS,
  union: () => NO_DEFAULTS,
};
