import type { ListShape, LooseShape, MapShape, Node, ScalarShape, StructShape, UnionShape, Visitor } from '../node.ts';
import type { TypeMismatch } from './reading.ts';

/** A mismatch in the words of the reference's decoder, with the exact place. */
export function mismatchText(schema: Node, { segments, path, found, complaint }: TypeMismatch): string {
  if (complaint !== undefined) return `${path}: ${complaint}`;
  const { struct, type } = placeOf(schema, segments);
  return `json: cannot unmarshal ${found} into Go struct field ${struct}.${path} of type ${type}`;
}

interface Place {
  /** The innermost struct around. */
  readonly struct: string;
  readonly type: string;
}

function placeOf(schema: Node, segments: readonly (string | number)[]): Place {
  let struct = '';
  let node: Node | undefined = schema;
  for (const segment of segments) {
    struct = node?.accept(STRUCT_NAME) ?? struct;
    node = node?.accept(inside(segment));
  }
  return { struct, type: node?.accept(TYPE_NAME) ?? 'object' };
}

/** `apps.v1.DeploymentSpec` -> `DeploymentSpec`. */
const lastWord = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

const STRUCT_NAME: Visitor<string | undefined> = {
  struct: ({ name }) => lastWord(name),
  scalar: () => undefined,
  list: () => undefined,
  map: () => undefined,
  union: () => undefined,
  loose: () => undefined,
};

/** What a segment leads to; undefined where no declaration says. */
const inside = (segment: string | number): Visitor<Node | undefined> => ({
  struct: (shape) => fieldOf(shape, String(segment)),
  list: (shape: ListShape) => shape.item(),
  map: (shape: MapShape) => shape.item(),
  scalar: () => undefined,
  union: (shape: UnionShape) => {
    const forms = Object.values(shape.forms).map(({ node }) => node().accept(inside(segment)));
    return forms.find((form) => form !== undefined);
  },
  loose: ({ contents: { fields, rest, item } }: LooseShape) =>
    typeof segment === 'number' ? item : (fields.get(segment) ?? rest),
});

function fieldOf({ fields }: StructShape, name: string): Node | undefined {
  const own = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (own && !own.inline) return own.node;
  for (const { node, inline } of Object.values(fields)) {
    const inlined = inline ? node.accept(inside(name)) : undefined;
    if (inlined) return inlined;
  }
  return undefined;
}

/** Scalars that other toolchains call otherwise. */
const SCALARS: Readonly<Record<string, string>> = { double: 'float64', bytes: '[]uint8' };

const TYPE_NAME: Visitor<string> = {
  scalar: ({ scalar: { name } }: ScalarShape) => SCALARS[name] ?? name,
  struct: ({ name }) => name.split('.').slice(-2).join('.'),
  list: (shape) => `[]${shape.item().accept(TYPE_NAME)}`,
  map: (shape) => `map[string]${shape.item().accept(TYPE_NAME)}`,
  union: () => 'object',
  loose: () => 'object',
};
