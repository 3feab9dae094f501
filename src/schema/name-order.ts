import { type Fields, ListShape, MapShape, Node, type Shape, StructShape, type Visitor } from './node.ts';

/**
 * The same declaration, with the fields of all structs inside in the order of their names: so the reference writes what
 * is part of a custom object. The struct itself keeps its order.
 */
export function partsInNameOrder<N extends Node>(node: N): N;
export function partsInNameOrder(node: Node): Node {
  return new Node(node.shape.accept(PARTS, node.facts), node.facts);
}

const inNameOrder = (node: Node): Node => new Node(node.shape.accept(WHOLE, node.facts), node.facts);

const changed = (shape: StructShape, fields: Fields): StructShape => {
  const { name, typed, setDefaults, topology, discriminator, description, rest } = shape;
  return new StructShape(name, fields, typed, {
    topology,
    rest,
    description,
    ...(setDefaults && { defaults: setDefaults }),
    ...(discriminator && { discriminator }),
  });
};

const fieldsOf = ({ fields }: StructShape): [string, Fields[string]][] =>
  Object.entries(fields).map(([name, field]) => [name, { ...field, node: inNameOrder(field.node) }]);

const WHOLE: Visitor<Shape> = {
  scalar: (shape) => shape,
  union: (shape) => shape,
  loose: (shape) => shape,
  list: (shape) => new ListShape(() => inNameOrder(shape.item())),
  map: (shape) => new MapShape(() => inNameOrder(shape.item())),
  struct: (shape) => changed(shape, Object.fromEntries(fieldsOf(shape).sort(([a], [b]) => (a < b ? -1 : 1)))),
};

const PARTS: Visitor<Shape> = { ...WHOLE, struct: (shape) => changed(shape, Object.fromEntries(fieldsOf(shape))) };
