import { ListShape, MapShape, Node, type Shape, StructShape, type Visitor } from './node.ts';

/**
 * An older version of a type that differs in nothing but its name: `renamed(FlowSchema, 'flowcontrol.v1beta2.',
 * 'flowcontrol.v1beta1.')` renames the type and everything below it that starts with `from`. Values are the same, so
 * converting between the two versions is only a change of `apiVersion`.
 */
export function renamed<N extends Node>(node: N, from: string, to: string): N;
export function renamed(node: Node, from: string, to: string): Node {
  return new Node(node.accept(renaming(from, to)), node.facts);
}

/** One visitor for each pair of names, which remembers what it renamed: a struct met twice stays one struct. */
const visitors = new Map<string, Visitor<Shape>>();

function renaming(from: string, to: string): Visitor<Shape> {
  const pair = `${from} ${to}`;
  const known = visitors.get(pair);
  if (known) return known;
  const made = visitor(from, to);
  visitors.set(pair, made);
  return made;
}

function visitor(from: string, to: string): Visitor<Shape> {
  const done = new Map<StructShape, StructShape>();
  const again = (node: Node): Node => renamed(node, from, to);
  const rename = (shape: StructShape): StructShape => {
    const { name, fields, typed, setDefaults, topology, discriminator, description } = shape;
    const renamedFields = Object.entries(fields).map(([key, field]) => [key, { ...field, node: again(field.node) }]);
    return new StructShape(to + name.slice(from.length), Object.fromEntries(renamedFields), typed, {
      topology,
      ...(setDefaults && { defaults: setDefaults }),
      ...(discriminator && { discriminator }),
      ...(description !== undefined && { description }),
    });
  };
  return {
    scalar: (shape) => shape,
    union: (shape) => shape,
    loose: (shape) => shape,
    list: (shape) => new ListShape(() => again(shape.item())),
    map: (shape) => new MapShape(() => again(shape.item())),
    struct(shape) {
      if (!shape.name.startsWith(from)) return shape;
      const result = done.get(shape) ?? rename(shape);
      done.set(shape, result);
      return result;
    },
  };
}
