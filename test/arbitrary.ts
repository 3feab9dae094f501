import fc from 'fast-check';
import type { Node, StructShape, Visitor } from '../src/schema/node.ts';

/** How many structs an arbitrary value nests at most. */
const DEEPEST = 6;

const text = fc.oneof(
  fc.constantFrom('', 'v1', 'True', 'a-name', 'example.com/some-key', 'é', '𝕏', '__proto__', 'constructor', '10', '9'),
  fc.string({ maxLength: 50 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
);

const seconds = fc.integer({ min: -62_167_219_200, max: 253_402_300_799 });
const time = seconds.map((at) => `${new Date(at * 1000).toISOString().slice(0, 19)}Z`);
const microTime = fc
  .tuple(time, fc.integer({ min: 0, max: 999_999 }))
  .map(([at, micros]) => at.replace('Z', `.${String(micros).padStart(6, '0')}Z`));
const object = fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3, noNullPrototype: true });

/** Values that JSON can have for each scalar, by its name. */
const SCALARS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  string: text,
  bool: fc.boolean(),
  int32: fc.oneof(fc.nat(200), fc.integer()),
  int64: fc.oneof(fc.nat(200), fc.maxSafeInteger()),
  double: fc.double({ noNaN: true, noDefaultInfinity: true }),
  bytes: fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  Time: fc.option(time),
  MicroTime: fc.option(microTime),
  Quantity: fc.constantFrom('0', '1', '500m', '1Gi', '1e3', '-3', '1500', '0.1', '12E'),
  IntOrString: fc.oneof(fc.integer(), text),
  RawExtension: fc.option(object),
  FieldsV1: object,
  JSON: fc.jsonValue({ maxDepth: 2 }),
  StringItems: fc.array(text, { maxLength: 3 }),
};

/** JSON values for a declaration, with any of the fields it has. Not yet in canonical form. */
export function arbitraryOf(node: Node): fc.Arbitrary<unknown> {
  const remembered = new Map<StructShape, fc.Arbitrary<unknown>[]>();
  return node.accept(atDepth(0, remembered));
}

function atDepth(depth: number, remembered: Map<StructShape, fc.Arbitrary<unknown>[]>): Visitor<fc.Arbitrary<unknown>> {
  const visitor: Visitor<fc.Arbitrary<unknown>> = {
    scalar({ scalar }) {
      const values = SCALARS[scalar.name];
      if (!values) throw new TypeError(`no values are known for ${scalar.name}`);
      return values;
    },
    list: (shape) => fc.array(shape.item().accept(visitor), { maxLength: 3 }),
    map: (shape) => fc.dictionary(text, shape.item().accept(visitor), { maxKeys: 3, noNullPrototype: true }),
    // In binary, a union cannot tell an empty list from nothing.
    union: (shape) =>
      fc.oneof(...Object.values(shape.forms).map(({ node }) => node().accept({ ...visitor, list: nonEmpty }))),
    loose: () => fc.jsonValue({ maxDepth: 2 }),
    struct(shape) {
      const known = remembered.get(shape) ?? [];
      remembered.set(shape, known);
      known[depth] ??= depth === DEEPEST ? fc.constant({}) : structAt(shape, depth, remembered);
      return known[depth];
    },
  };
  const nonEmpty: Visitor<fc.Arbitrary<unknown>>['list'] = (shape) =>
    fc.array(shape.item().accept(visitor), { minLength: 1, maxLength: 3 });
  return visitor;
}

/** Fields that are inline are there as a whole or not at all, beside the others. */
function structAt(
  shape: StructShape,
  depth: number,
  remembered: Map<StructShape, fc.Arbitrary<unknown>[]>,
): fc.Arbitrary<unknown> {
  const below = atDepth(depth + 1, remembered);
  const fields = Object.entries(shape.fields);
  const own = fields.filter(([, { inline }]) => !inline);
  const inlined = fields.filter(([, { inline }]) => inline);
  const values = own.map(([name, { node }]) => [name, sparse(node.accept(below), depth)] as const);
  return fc
    .tuple(fc.record(Object.fromEntries(values)), ...inlined.map(([, { node }]) => node.accept(below)))
    .map((parts) => Object.assign({}, ...parts));
}

/** The deeper, the rarer: objects stay of a size that real ones have. */
const sparse = (values: fc.Arbitrary<unknown>, depth: number): fc.Arbitrary<unknown> =>
  fc.oneof({ arbitrary: fc.constant(undefined), weight: depth + 1 }, { arbitrary: values, weight: 2 });
