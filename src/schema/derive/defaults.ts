import type { ListShape, MapShape, Node, StructShape, Visitor } from '../schema.ts';

/** Fills in defaults in place. The result is no longer in declared order: canonicalise it before it is stored. */
type Defaulter = (value: unknown) => void;

type JsonObject = { [key: string]: unknown };

interface FieldDefault {
  readonly name: string;
  readonly value: unknown;
  readonly isUnset: (value: unknown) => boolean;
  readonly inner: Defaulter | undefined;
}

/** A default that is an object or list must not be shared between the objects that receive it. */
const fresh = (value: unknown): unknown => (typeof value === 'object' ? structuredClone(value) : value);

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
  for (const [name, { node, inline }] of Object.entries(shape.fields)) {
    const inner = node.accept(COMPILE);
    if (inline) {
      if (inner) inlined.push(inner);
    } else if (inner || node.facts.default !== undefined) {
      const { default: fallback, presence } = node.facts;
      fields.push({ name, value: fallback, isUnset: UNSET[presence], inner });
    }
  }
  const { setDefaults } = shape;
  if (fields.length === 0 && inlined.length === 0 && !setDefaults) return undefined;
  return (value) => {
    const object = value as JsonObject;
    for (const { name, value: fallback, isUnset, inner } of fields) {
      if (fallback !== undefined && isUnset(object[name])) object[name] = fresh(fallback);
      const present = object[name];
      if (inner && present !== undefined && present !== null) inner(present);
    }
    for (const inline of inlined) inline(object);
    setDefaults?.(object);
  };
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;
const isZero = (value: unknown): boolean => isAbsent(value) || value === '' || value === 0 || value === false;

/** Only a field that tells unset from zero can be set to zero. */
const UNSET = { implicit: isZero, always: isZero, optional: isAbsent, nullable: isAbsent };

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
};

/** Applies every default the declaration of `node` holds, innermost structs first. */
export function applyDefaults(node: Node, value: unknown): void {
  node.accept(COMPILE)?.(value);
}
