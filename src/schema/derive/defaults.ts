import { draftOf } from '../draft.ts';
import { isObject, type JsonObject, setOwn } from '../json-object.ts';
import type { ListShape, LooseContents, LooseShape, MapShape, Node, StructShape, Visitor } from '../node.ts';

/** Fills in defaults in place. The result is no longer in declared order: canonicalise it before it is stored. */
type Defaulter = (value: unknown) => void;

interface FieldDefault {
  readonly name: string;
  readonly value: unknown;
  readonly isUnset: (value: unknown) => boolean;
}

/** A default that is an object or list must not be shared between the objects that receive it. */
const fresh = (value: unknown): unknown => (typeof value === 'object' ? draftOf(value) : value);

/** Structs whose defaulters are being compiled: a type that contains itself finds its own entry here. */
const structs = new WeakMap<StructShape, { defaulter: Defaulter | undefined; compiling: boolean }>();

function structDefaulter(shape: StructShape): Defaulter | undefined {
  const known = structs.get(shape);
  if (known) return known.compiling ? (value) => structs.get(shape)?.defaulter?.(value) : known.defaulter;
  const entry: { defaulter: Defaulter | undefined; compiling: boolean } = { defaulter: undefined, compiling: true };
  structs.set(shape, entry);
  entry.defaulter = compileStruct(shape);
  entry.compiling = false;
  return entry.defaulter;
}

function compileStruct(shape: StructShape): Defaulter | undefined {
  const inlined: Defaulter[] = [];
  const fields: FieldDefault[] = [];
  const inside = new Map<string, Defaulter>();
  for (const [name, { node, inline }] of Object.entries(shape.fields)) {
    const inner = node.accept(COMPILE);
    const { default: fallback, presence } = node.facts;
    if (inline) {
      if (inner) inlined.push(inner);
      continue;
    }
    if (inner) inside.set(name, inner);
    if (fallback !== undefined) fields.push({ name, value: fallback, isUnset: UNSET[presence] });
  }
  const { setDefaults, fields: declared } = shape;
  const ofOthers = shape.rest?.accept(COMPILE);
  if (fields.length === 0 && inside.size === 0 && inlined.length === 0 && !setDefaults && !ofOthers) return undefined;
  return (value) => {
    const object = value as JsonObject;
    for (const { name, value: fallback, isUnset } of fields) {
      if (isUnset(object[name])) setOwn(object, name, fresh(fallback));
    }
    if (inside.size > 0) fillInside(object, inside);
    for (const inline of inlined) inline(object);
    if (ofOthers) for (const name of Object.keys(object)) if (!Object.hasOwn(declared, name)) ofOthers(object[name]);
    setDefaults?.(object);
  };
}

/** Looks at what is there: a volume is of one of thirty kinds. */
function fillInside(object: JsonObject, inside: ReadonlyMap<string, Defaulter>): void {
  for (const name in object) {
    const present = object[name];
    if (typeof present === 'object' && present !== null) inside.get(name)?.(present);
  }
}

const looseOnes = new WeakMap<LooseShape, { readonly defaulter: Defaulter | undefined }>();

/** Compiled level by level, on first use: of a large schema only what is used is looked at. */
function looseDefaulter(shape: LooseShape): Defaulter | undefined {
  if (!shape.mayFillIn) return undefined;
  return (value) => {
    const known = looseOnes.get(shape) ?? { defaulter: compileLoose(shape) };
    looseOnes.set(shape, known);
    known.defaulter?.(value);
  };
}

/** Objects and lists get the defaults of what they hold, whatever the value is meant to be. */
function compileLoose({ contents }: LooseShape): Defaulter | undefined {
  const ofFields = looseFields(contents);
  const ofItems = looseItems(contents.item);
  if (!ofFields && !ofItems) return undefined;
  return (value) => {
    if (Array.isArray(value)) ofItems?.(value);
    else if (isObject(value)) ofFields?.(value);
  };
}

function looseFields({ fields, rest }: LooseContents): ((object: JsonObject) => void) | undefined {
  const defaults = [...fields]
    .map(([name, node]) => ({
      name,
      inner: node.accept(COMPILE),
      value: node.facts.default,
      isUnset: UNSET[node.facts.presence],
    }))
    .filter(({ inner, value }) => inner || value !== undefined);
  const ofOthers = rest?.accept(COMPILE);
  if (defaults.length === 0 && !ofOthers) return undefined;
  return (object) => {
    for (const { name, value, isUnset, inner } of defaults) {
      const given = Object.hasOwn(object, name) ? object[name] : undefined;
      const present = value !== undefined && isUnset(given) ? fresh(value) : given;
      if (present !== given) setOwn(object, name, present);
      inner?.(present);
    }
    if (ofOthers) for (const name of Object.keys(object)) if (!fields.has(name)) ofOthers(object[name]);
  };
}

/** Only an item that is null can lack a value. */
function looseItems(item: Node | undefined): ((list: unknown[]) => void) | undefined {
  const inner = item?.accept(COMPILE);
  const fallback = item?.facts.presence === 'explicit' ? undefined : item?.facts.default;
  if (!inner && fallback === undefined) return undefined;
  return (list) => {
    for (let at = 0; at < list.length; at++) {
      if (list[at] === null && fallback !== undefined) list[at] = fresh(fallback);
      inner?.(list[at]);
    }
  };
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;
const isZero = (value: unknown): boolean => isAbsent(value) || value === '' || value === 0 || value === false;

/** Only a field that tells unset from zero can be set to zero. */
const UNSET = {
  implicit: isZero,
  always: isZero,
  optional: isAbsent,
  nullable: isAbsent,
  explicit: (value: unknown) => value === undefined,
};

const COMPILE: Visitor<Defaulter | undefined> = {
  scalar: () => undefined,
  struct: structDefaulter,
  list(shape: ListShape) {
    const inner = shape.item().accept(COMPILE);
    return inner && ((value) => (value as unknown[]).forEach(inner));
  },
  map(shape: MapShape) {
    const inner = shape.item().accept(COMPILE);
    return inner && ((value) => Object.values(value as JsonObject).forEach(inner));
  },
  union(shape) {
    const inner = shape.pick((node) => node.accept(COMPILE));
    return (value) => inner(value)?.(value);
  },
  loose: looseDefaulter,
};

/** Applies every default the declaration of `node` holds, innermost structs first. */
export function applyDefaults(node: Node, value: unknown): void {
  node.accept(COMPILE)?.(value);
}
