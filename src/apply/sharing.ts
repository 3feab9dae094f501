import { setOwn } from '../schema/derive/canonical.ts';
import type { Facts, ListShape, MapShape, Node, StructShape, Visitor } from '../schema/schema.ts';

/**
 * How writers share a value, derived from the declaration of its place. A leaf has one owner as a whole. Anything else
 * is a container whose entries are shared one by one; it takes values apart and puts them together again, so that the
 * algorithms over it are written once.
 */
export interface Sharing {
  /** Undefined for a leaf. */
  readonly container: Container | undefined;
}

export interface Entry {
  /** The entry's path element, in its recorded spelling. */
  readonly element: string;
  readonly value: unknown;
  readonly sharing: Sharing;
}

export interface Container {
  /** The entries of a value, in order; none when it is null. */
  entries(value: unknown): Entry[];
  assemble(entries: readonly Entry[]): unknown;
  /** Owning something inside an entry means owning the entry itself, as with elements of keyed lists. */
  readonly ownsEntries: boolean;
  /** An empty value counts as a place of its own, as an empty struct does and an empty list does not. */
  readonly emptyCounts: boolean;
}

type JsonObject = { [key: string]: unknown };

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const LEAF: Sharing = { container: undefined };

const fieldEntries = (value: unknown, sharingOf: (name: string) => Sharing | undefined): Entry[] => {
  if (!isObject(value)) return [];
  const entries: Entry[] = [];
  for (const name of Object.keys(value)) {
    const sharing = sharingOf(name);
    if (sharing && value[name] !== undefined) entries.push({ element: `f:${name}`, value: value[name], sharing });
  }
  return entries;
};

function assembleFields(entries: readonly Entry[]): unknown {
  const result: JsonObject = {};
  for (const { element, value } of entries) setOwn(result, element.slice(2), value);
  return result;
}

class StructContainer implements Container {
  readonly ownsEntries = false;
  readonly emptyCounts = true;
  private readonly shape: StructShape;
  private known: Map<string, Sharing> | undefined;

  constructor(shape: StructShape) {
    this.shape = shape;
  }

  entries(value: unknown): Entry[] {
    this.known ??= new Map(declaredFields(this.shape).map(([name, node]) => [name, sharingOf(node)]));
    const known = this.known;
    return fieldEntries(value, (name) => known.get(name) ?? (this.shape.typed ? LEAF : undefined));
  }

  assemble = assembleFields;
}

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

class MapContainer implements Container {
  readonly ownsEntries = true;
  readonly emptyCounts = true;
  private readonly shape: MapShape;

  constructor(shape: MapShape) {
    this.shape = shape;
  }

  entries(value: unknown): Entry[] {
    const sharing = sharingOf(this.shape.item());
    return fieldEntries(value, () => sharing);
  }

  assemble = assembleFields;
}

const assembleList = (entries: readonly Entry[]): unknown => entries.map(({ value }) => value);

/** A list in which every value stands for itself. */
const SET: Container = {
  ownsEntries: true,
  emptyCounts: false,
  entries: (value) =>
    Array.isArray(value)
      ? value.map((item) => ({ element: `v:${JSON.stringify(item)}`, value: item, sharing: LEAF }))
      : [],
  assemble: assembleList,
};

/** A list whose elements are told apart by some of their fields. */
class KeyedListContainer implements Container {
  readonly ownsEntries = true;
  readonly emptyCounts = false;
  private readonly item: () => Node;
  private readonly keys: readonly string[];
  private defaults: ReadonlyMap<string, unknown> | undefined;

  constructor(item: () => Node, keys: readonly string[]) {
    this.item = item;
    this.keys = [...keys].sort();
  }

  entries(value: unknown): Entry[] {
    if (!Array.isArray(value)) return [];
    const sharing = sharingOf(this.item());
    return value.map((item: unknown) => ({ element: this.elementOf(item), value: item, sharing }));
  }

  assemble = assembleList;

  /** A key that the element does not give has the default of its field. */
  private elementOf(item: unknown): string {
    this.defaults ??= this.item().accept(FIELD_DEFAULTS);
    const parts: JsonObject = {};
    for (const key of this.keys) {
      const given = isObject(item) ? item[key] : undefined;
      const value = given ?? this.defaults.get(key);
      if (value !== undefined) parts[key] = value;
    }
    return `k:${JSON.stringify(parts)}`;
  }
}

const NO_DEFAULTS: ReadonlyMap<string, unknown> = new Map();

const FIELD_DEFAULTS: Visitor<ReadonlyMap<string, unknown>> = {
  struct: (shape) => new Map(declaredFields(shape).map(([name, node]) => [name, node.facts.default])),
  scalar: () => NO_DEFAULTS,
  list: () => NO_DEFAULTS,
  map: () => NO_DEFAULTS,
  union: () => NO_DEFAULTS,
};

/** The fields that tell elements apart: declared ones, else the merge key of lists that merge strategically. */
function keysOf({ topology: { listType, keys, mergeKey, patchStrategy } }: Facts): readonly string[] | undefined {
  if (listType === 'map') return keys;
  if (listType !== undefined || mergeKey === undefined || !patchStrategy?.includes('merge')) return undefined;
  return [mergeKey];
}

function listSharing(shape: ListShape, facts: Facts): Sharing {
  const keys = keysOf(facts);
  if (keys) return { container: new KeyedListContainer(shape.item, keys) };
  const { listType, patchStrategy } = facts.topology;
  const isSet = listType === 'set' || (listType === undefined && (patchStrategy?.includes('merge') ?? false));
  return isSet ? { container: SET } : LEAF;
}

const COMPILE: Visitor<Sharing> = {
  scalar: () => LEAF,
  union: () => LEAF,
  list: listSharing,
  struct(shape, facts) {
    const mapType = facts.topology.mapType ?? shape.topology.mapType;
    return mapType === 'atomic' ? LEAF : { container: new StructContainer(shape) };
  },
  map: (shape, facts) => (facts.topology.mapType === 'atomic' ? LEAF : { container: new MapContainer(shape) }),
};

const known = new WeakMap<Node, Sharing>();

export function sharingOf(node: Node): Sharing {
  const existing = known.get(node);
  if (existing) return existing;
  const made = node.accept(COMPILE);
  known.set(node, made);
  return made;
}
