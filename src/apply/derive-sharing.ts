import type { Facts } from '../schema/facts.ts';
import { isObject } from '../schema/json-object.ts';
import type { LooseShape, Node, StructShape, Visitor } from '../schema/node.ts';
import { sameJson } from '../schema/same-json.ts';
import { Elements, fieldElements } from './elements.ts';
import { type SharedField, SharedMap, SharedStruct } from './shared-fields.ts';
import { type Identity, SharedItems } from './shared-items.ts';
import { LEAF, type Sharing } from './sharing.ts';

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
  list: (shape, facts) => sharedItems(shape.item, facts),
  struct(shape, facts) {
    const mapType = facts.topology.mapType ?? shape.topology.mapType;
    const { rest } = shape;
    return mapType === 'atomic' ? LEAF : new SharedStruct(() => sharedFields(shape), rest && (() => sharingOf(rest)));
  },
  map: (shape, facts) => (facts.topology.mapType === 'atomic' ? LEAF : new SharedMap(() => sharingOf(shape.item()))),
  loose: looseSharing,
};

/** Whatever is in an open value: objects are shared by their fields, each of which is an entry; all else has one owner. */
const OPEN: Sharing = new SharedMap(() => OPEN);

/** A loose value is shared as what it is meant to be; one that may be anything, as what it is. */
function looseSharing(shape: LooseShape, facts: Facts): Sharing {
  const { form, isOpen } = shape;
  if (form === 'list') return looseList(shape, facts);
  if (form === 'any') return isOpen ? OPEN : LEAF;
  if (form === 'scalar' || facts.topology.mapType === 'atomic') return LEAF;
  const { rest } = shape.contents;
  const others = rest ? () => sharingOf(rest) : isOpen ? () => OPEN : undefined;
  return new SharedStruct(() => fieldsOf([...shape.contents.fields]), others);
}

function looseList({ contents: { item } }: LooseShape, facts: Facts): Sharing {
  return item ? sharedItems(() => item, facts) : LEAF;
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
  loose: () => [],
};

function sharedFields(shape: StructShape): ReadonlyMap<string, SharedField> {
  const fields = fieldsOf(declaredFields(shape));
  if (shape.typed) for (const name of ['kind', 'apiVersion']) fields.set(name, fieldNamed(name, LEAF));
  return fields;
}

const fieldNamed = (name: string, sharing: Sharing): SharedField => ({
  element: fieldElements.of(name),
  sharing,
  isEntry: false,
});

const fieldsOf = (declared: readonly [string, Node][]): Map<string, SharedField> =>
  new Map(declared.map(([name, node]) => [name, fieldNamed(name, sharingOf(node))]));

function sharedItems(item: () => Node, facts: Facts): Sharing {
  const keys = keysOf(facts);
  if (keys) return new SharedItems(() => sharingOf(item()), new KeyIdentity(keys, item));
  return isSet(facts) ? new SharedItems(() => LEAF, BY_VALUE) : LEAF;
}

/** The fields that tell elements apart: declared ones, else the merge key of lists that merge strategically. */
function keysOf({ topology: { listType, keys, mergeKey, patchStrategy } }: Facts): readonly string[] | undefined {
  if (listType === 'map') return keys;
  if (listType !== undefined || mergeKey === undefined || !patchStrategy?.includes('merge')) return undefined;
  return [mergeKey];
}

const isSet = ({ topology: { listType, patchStrategy } }: Facts): boolean =>
  listType === 'set' || (listType === undefined && (patchStrategy?.includes('merge') ?? false));

const BY_VALUE: Identity = { elementOf: (item) => `v:${keyText(item)}`, areSame: sameJson };

/** A key that an element does not give has the default of its field. */
class KeyIdentity implements Identity {
  readonly #keys: readonly { readonly key: string; readonly prefix: string }[];
  readonly #item: () => Node;
  readonly #named: Elements;
  #known: ReadonlyMap<string, unknown> | undefined;

  constructor(declared: readonly string[], item: () => Node) {
    this.#keys = [...declared].sort().map((key) => ({ key, prefix: `${JSON.stringify(key)}:` }));
    this.#item = item;
    this.#named = new Elements((name) => `k:{${this.#keys[0]?.prefix}${keyText(name)}}`);
  }

  elementOf(item: unknown): string {
    const [first] = this.#keys;
    const name = first && this.#keys.length === 1 ? this.#keyIn(item, first.key) : undefined;
    return typeof name === 'string' ? this.#named.of(name) : this.#spell(item);
  }

  /** Put together by hand: elements are told apart several times in every write. */
  #spell(item: unknown): string {
    let parts = '';
    for (const { key, prefix } of this.#keys) {
      const part = this.#keyIn(item, key);
      if (part !== undefined) parts += `${parts === '' ? '' : ','}${prefix}${keyText(part)}`;
    }
    return `k:{${parts}}`;
  }

  areSame(a: unknown, b: unknown): boolean {
    for (const { key } of this.#keys) if (!sameJson(this.#keyIn(a, key), this.#keyIn(b, key))) return false;
    return true;
  }

  #keyIn(item: unknown, key: string): unknown {
    const given = isObject(item) ? item[key] : undefined;
    if (given !== undefined && given !== null) return given;
    this.#known ??= this.#item().accept(FIELD_DEFAULTS);
    return this.#known.get(key);
  }
}

const PLAIN = /^[\w./:-]*$/;

/** As JSON; most keys are plain names and numbers. */
const keyText = (key: unknown): string =>
  typeof key === 'string' && PLAIN.test(key) ? `"${key}"` : JSON.stringify(key);

const NO_DEFAULTS: ReadonlyMap<string, unknown> = new Map();

const FIELD_DEFAULTS: Visitor<ReadonlyMap<string, unknown>> = {
  struct: (shape) => new Map(declaredFields(shape).map(([name, node]) => [name, node.facts.default])),
  scalar: () => NO_DEFAULTS,
  list: () => NO_DEFAULTS,
  map: () => NO_DEFAULTS,
  union: () => NO_DEFAULTS,
  loose: ({ contents: { fields } }) => new Map([...fields].map(([name, node]) => [name, node.facts.default])),
};
