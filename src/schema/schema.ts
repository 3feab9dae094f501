/**
 * The schema language. A kind is declared once, as a tree of frozen nodes; everything else (type checking, pruning,
 * defaulting, encodings, merge topology, published schemas) is derived from that tree by the visitors in `derive/`.
 *
 * A node is a shape (scalar, struct, list, map, union) together with its presence and what is known about its use as a field.
 */

import { PLAIN } from './facts.ts';
import type { StructValue, TypeMeta } from './infer.ts';
import {
  type Field,
  type Fields,
  type Form,
  ListShape,
  type LooseContents,
  type LooseForm,
  type LooseOptions,
  LooseShape,
  MapShape,
  NO_CONTENTS,
  Node,
  ScalarShape,
  type StructOptions,
  StructShape,
  UnionShape,
} from './node.ts';
import type { ScalarType } from './scalar-type.ts';

export type { Infer, StructValue, TypeMeta, Values } from './infer.ts';
export type { Fields } from './node.ts';

/** A field with the number that protobuf knows it by. */
export const f = <N extends Node>(number: number, node: N, description?: string): Field<N, false> => ({
  number,
  node,
  inline: false,
  description,
});

/** Protobuf nests the message under `number`; JSON has its fields in the parent, and the name appears nowhere. */
export const inline = <N extends Node>(number: number, node: N): Field<N, true> => ({ number, node, inline: true });

/** A field of a message that exists in JSON only. */
export const jsonOnly = <N extends Node>(node: N, description?: string): Field<N, false> => f(0, node, description);

export const scalar = <Type, Zero>(type: ScalarType<Type, Zero>) =>
  new Node(new ScalarShape(type), { ...PLAIN, presence: 'implicit' });

/** Scalars whose zero is written, as structs by value are. */
export const valueScalar = <Type, Zero>(type: ScalarType<Type, Zero>) =>
  new Node(new ScalarShape(type), { ...PLAIN, presence: 'always' });

/** A declared message type. */
export type Struct<Type> = Node<StructShape<Type>, 'always'>;

/**
 * A message type. Used as a field it is there by value; `.optional()` makes it one that may be missing. A type that
 * contains itself gives its fields as a function, which is called on first use.
 */
export function struct<const F extends Fields>(
  name: string,
  fields: F | (() => F),
  options: StructOptions<StructValue<F>> = {},
): Struct<StructValue<F>> {
  return new Node(new StructShape(name, fields, false, options), { ...PLAIN, presence: 'always' });
}

/** A message type that travels on its own: JSON also carries `kind` and `apiVersion`. */
export function kind<const F extends Fields>(
  name: string,
  fields: F | (() => F),
  options: StructOptions<TypeMeta & StructValue<F>> = {},
): Struct<TypeMeta & StructValue<F>> {
  return new Node(new StructShape<TypeMeta & StructValue<F>>(name, fields, true, options), {
    ...PLAIN,
    presence: 'always',
  });
}

/** The item may be given as a function, called on first use, where it is not declared yet. */
export const list = <N extends Node>(item: N | (() => N)) =>
  new Node(new ListShape(thunk(item)), { ...PLAIN, presence: 'implicit' });

/** A map of texts to values of one type. The value may be given as a function, called on first use. */
export const map = <N extends Node>(item: N | (() => N)) =>
  new Node(new MapShape(thunk(item)), { ...PLAIN, presence: 'implicit' });

/** A type that JSON writes in one of several forms; at most one for each form of JSON. */
export const union = <Type>(name: string, forms: Readonly<Record<string, Form>>) =>
  new Node(new UnionShape<Type>(name, forms), { ...PLAIN, presence: 'implicit' });

/** A value whose form JSON decides. The fields and items that it has, if any, may be given as a function, called on first use. */
export const loose = (
  form: LooseForm,
  contents: LooseContents | (() => LooseContents) = NO_CONTENTS,
  options: LooseOptions = {},
) => new Node(new LooseShape(form, contents, options), { ...PLAIN, presence: 'optional' });

/** Any value, kept as it is, names of fields in order; null is one of them. */
export const open = () => loose('any', NO_CONTENTS, { isOpen: true }).explicit();

const thunk = <N extends Node>(item: N | (() => N)): (() => N) => (typeof item === 'function' ? item : () => item);
