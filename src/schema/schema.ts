/**
 * The schema language. A kind is declared once, as a tree of frozen nodes; everything else (type checking, pruning,
 * defaulting, encodings, merge topology, published schemas) is derived from that tree by the visitors in `derive/`.
 *
 * A node is a shape (scalar, struct, list, map, union) together with its presence and what is known about its use as a field.
 */

import type { Draft, Value } from './draft.ts';
import type { WireType } from './wire.ts';
import type { WireReader } from './wire-reader.ts';
import type { WireWriter } from './wire-writer.ts';

/**
 * How a field tells "unset" from its zero value, and whether JSON writes it when it is unset.
 *
 * - `implicit`: zero means unset, and is left out.
 * - `always`: zero means unset, and is written (`""`, `0`, `{}`, `null` for lists and times).
 * - `optional`: unset differs from zero and is left out; zero is written.
 * - `nullable`: unset differs from zero and is written as `null`.
 */
export type Presence = 'implicit' | 'always' | 'optional' | 'nullable';

/** A problem a check finds in a value: the reason of the cause, and what to say about it. */
export interface Problem {
  readonly reason: string;
  readonly message: string;
}

/** Looks at one present, non-zero value. Pure. */
export type Check<T> = (value: T) => Problem | undefined;

/** How concurrent writers share a list, map or struct. */
export interface Topology {
  /** `map`: elements are told apart by `keys`. Absent: atomic, unless `mergeKey` says otherwise. */
  readonly listType?: 'atomic' | 'set' | 'map';
  readonly keys?: readonly string[];
  /** Structs and maps: `atomic` has one owner as a whole. Absent: granular. */
  readonly mapType?: 'atomic' | 'granular';
  /** Strategic merge patch: how a patch list meets the stored one, and by which key. */
  readonly patchStrategy?: readonly ('merge' | 'replace' | 'retainKeys')[];
  readonly mergeKey?: string;
}

/** What a declaration says about a node besides its shape. */
export interface Facts<P extends Presence = Presence> {
  readonly presence: P;
  /** Listed as required in the published schema. Whether a write is refused without it is for checks to say. */
  readonly required: boolean;
  readonly default: unknown;
  /** The default appears in the published schema as well. */
  readonly publishedDefault: boolean;
  readonly allowed: readonly string[] | undefined;
  /** Published as an enumeration like `allowed`, but nothing is refused for it. */
  readonly suggested: readonly string[] | undefined;
  readonly checks: readonly Check<never>[];
  readonly topology: Topology;
}

const PLAIN: Omit<Facts, 'presence'> = Object.freeze({
  required: false,
  default: undefined,
  publishedDefault: false,
  allowed: undefined,
  suggested: undefined,
  checks: [],
  topology: {},
});

/** One method for each shape. A derivation is a visitor; shared code never asks a shape what it is. */
export interface Visitor<R> {
  scalar(shape: ScalarShape, facts: Facts): R;
  struct(shape: StructShape, facts: Facts): R;
  list(shape: ListShape, facts: Facts): R;
  map(shape: MapShape, facts: Facts): R;
  union(shape: UnionShape, facts: Facts): R;
}

/** `Type` is the value in memory, `Zero` what JSON shows for an unset field that is always written. */
export abstract class Shape<Type = unknown, Zero = unknown> {
  /** Types only; never set. */
  declare readonly type: Type;
  declare readonly zeroType: Zero;
  abstract accept<R>(visitor: Visitor<R>, facts: Facts): R;
}

/** How a scalar travels in binary messages, without its tag. */
export interface ScalarWire<Type = unknown, Zero = unknown> {
  readonly wireType: WireType;
  /** Written as zero where it is unset, unless the field tells unset from zero. */
  readonly byValue: boolean;
  /** Takes a value in canonical form. Like `read`, it is called as a plain function. */
  write(writer: WireWriter, value: Type | Zero): void;
  /** Gives a value for `ScalarType.read`, or null for one that is unset. */
  read(reader: WireReader): unknown;
}

/** What the published schema says of a scalar. */
export interface PublishedScalar {
  /** Absent: anything goes. */
  readonly type?: string;
  readonly format?: string;
  /** Types of JSON that are accepted, where they are more than one. */
  readonly accepts?: readonly string[];
  /** Of a list: what it is a list of. */
  readonly items?: PublishedScalar;
  /** Published once, as a type of this name, and referred to. */
  readonly name?: string;
  readonly description?: string;
}

/** A leaf: how it is read from JSON, what its zero is, and how it travels in binary. */
export interface ScalarType<Type = unknown, Zero = unknown> {
  readonly name: string;
  /** The value in canonical form, or undefined when the JSON value (never null) does not fit. */
  read(value: unknown): Type | undefined;
  /** What `read` wants, for people: "an integer". */
  readonly expects: string;
  /** What is wrong with a value that is of the right type of JSON and does not fit; must not show the value. */
  readonly complain?: ((value: unknown) => string | undefined) | undefined;
  isZero(value: Type): boolean;
  /** What JSON shows for an unset field that is always written. */
  readonly zero: Zero;
  /** The element of a list or map that was sent as null. */
  readonly empty: Type | Zero;
  /** Written even when zero, as structs by value are. */
  readonly byValue?: boolean;
  /** A value may have any number of values inside. */
  readonly open?: boolean;
  readonly published: PublishedScalar;
  /** Absent: the scalar exists in JSON only. */
  readonly wire?: ScalarWire<Type, Zero>;
}

export class ScalarShape<Type = unknown, Zero = unknown> extends Shape<Type, Zero> {
  readonly scalar: ScalarType<Type, Zero>;

  constructor(scalar: ScalarType<Type, Zero>) {
    super();
    this.scalar = scalar;
  }

  accept<R>(visitor: Visitor<R>, facts: Facts): R {
    return visitor.scalar(this as ScalarShape, facts);
  }
}

/** A named message. `typed` ones carry `kind` and `apiVersion` in JSON, before all other fields. */
export class StructShape<Type = unknown> extends Shape<Type, Type> {
  readonly name: string;
  private declared: Fields | (() => Fields);
  readonly typed: boolean;
  readonly setDefaults: StructOptions<Type>['defaults'];
  readonly topology: Topology;
  readonly discriminator: Discriminator | undefined;
  readonly description: string | undefined;

  constructor(name: string, fields: Fields | (() => Fields), typed: boolean, options: StructOptions<Type>) {
    super();
    this.name = name;
    this.declared = fields;
    this.typed = typed;
    this.setDefaults = options.defaults?.bind(options);
    this.topology = options.topology ?? {};
    this.discriminator = options.discriminator;
    this.description = options.description;
  }

  get fields(): Fields {
    if (typeof this.declared === 'function') this.declared = this.declared();
    return this.declared;
  }

  accept<R>(visitor: Visitor<R>, facts: Facts): R {
    return visitor.struct(this as StructShape, facts);
  }
}

export class ListShape<Item extends Node = Node> extends Shape<readonly ValueOf<Item>[], null> {
  readonly item: () => Item;

  constructor(item: () => Item) {
    super();
    this.item = item;
  }

  accept<R>(visitor: Visitor<R>, facts: Facts): R {
    return visitor.list(this as unknown as ListShape, facts);
  }
}

/** A JSON object with free keys. */
export class MapShape<Item extends Node = Node> extends Shape<Values<ValueOf<Item>>, null> {
  readonly item: () => Item;

  constructor(item: () => Item) {
    super();
    this.item = item;
  }

  accept<R>(visitor: Visitor<R>, facts: Facts): R {
    return visitor.map(this as unknown as MapShape, facts);
  }
}

/** How a JSON value can look, where a union tells its forms apart by it. */
export type JsonForm = 'object' | 'array' | 'boolean';

const formOf = (value: unknown): JsonForm | undefined => {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'object' && value !== null ? 'object' : undefined;
};

/** One way to write a union, and the field of the message that holds it. */
export interface Form {
  readonly takes: JsonForm;
  readonly number: number;
  readonly node: () => Node;
  /** What the message says in its other fields when it has this form. */
  readonly implies?: Readonly<Record<string, unknown>>;
}

/** A value that JSON writes in one of several forms. As a message it has a field for each, keyed as in `forms`. */
export class UnionShape<Type = unknown> extends Shape<Type, null> {
  readonly name: string;
  readonly forms: Readonly<Record<string, Form>>;

  constructor(name: string, forms: Readonly<Record<string, Form>>) {
    super();
    this.name = name;
    this.forms = Object.freeze(forms);
  }

  accept<R>(visitor: Visitor<R>, facts: Facts): R {
    return visitor.union(this as UnionShape, facts);
  }

  /** Prepares something for each form; what it gives back finds the one for a value, if the value has any form. */
  pick<R>(prepare: (node: Node, name: string) => R): (value: unknown) => R | undefined {
    const prepared = new Map(
      Object.entries(this.forms).map(([name, { takes, node }]) => [takes, prepare(node(), name)]),
    );
    return (value) => {
      const form = formOf(value);
      return form && prepared.get(form);
    };
  }
}

type Written<P extends Presence> = P extends 'optional' | 'nullable' ? 'nullable' : 'always';

/** A shape with what is known about its use. Immutable: each method gives a new node. */
export class Node<S extends Shape = Shape, P extends Presence = Presence> {
  readonly shape: S;
  readonly facts: Facts<P>;

  constructor(shape: S, facts: Facts<P>) {
    this.shape = shape;
    this.facts = Object.freeze(facts);
  }

  accept<R>(visitor: Visitor<R>): R {
    return this.shape.accept(visitor, this.facts);
  }

  /** Unset differs from zero. */
  optional(): Node<S, 'optional'> {
    return new Node(this.shape, { ...this.facts, presence: 'optional' });
  }

  /** JSON writes the field also when it is unset. */
  always(): Node<S, Written<P>> {
    return new Node(this.shape, { ...this.facts, presence: this.written() });
  }

  /** Always written, and required in the published schema. */
  required(): Node<S, Written<P>> {
    return new Node(this.shape, { ...this.facts, presence: this.written(), required: true });
  }

  /** The server's value for an unset field. */
  default(value: S['type']): Node<S, P> {
    return this.knowing({ default: value });
  }

  /** A default that the published schema shows as well. */
  publishedDefault(value: S['type']): Node<S, P> {
    return this.knowing({ default: value, publishedDefault: true });
  }

  /** Published as an enumeration, and refused otherwise. */
  oneOf(...allowed: readonly string[]): Node<S, P> {
    return this.knowing({ allowed });
  }

  /** Published as an enumeration; other rules say what is refused. */
  suggests(...suggested: readonly string[]): Node<S, P> {
    return this.knowing({ suggested });
  }

  /** Refused when set and not as the check wants it. */
  check(check: Check<S['type']>): Node<S, P> {
    return this.knowing({ checks: [...this.facts.checks, check] });
  }

  /** Lists: elements are told apart by these fields. */
  mapBy(...keys: readonly string[]): Node<S, P> {
    return this.shared({ listType: 'map', keys });
  }

  /** Lists of scalars: each value at most once. */
  set(): Node<S, P> {
    return this.shared({ listType: 'set' });
  }

  /** Lists: one owner for the whole list. */
  atomicList(): Node<S, P> {
    return this.shared({ listType: 'atomic' });
  }

  /** Maps and structs: one owner for the whole value. */
  atomic(): Node<S, P> {
    return this.shared({ mapType: 'atomic' });
  }

  /** Structs that are atomic elsewhere: here each field has its own owner. */
  granular(): Node<S, P> {
    return this.shared({ mapType: 'granular' });
  }

  /** Strategic merge: elements are merged, by this field or (scalars) by value. */
  mergeBy(mergeKey?: string): Node<S, P> {
    return this.shared({ patchStrategy: ['merge'], ...(mergeKey === undefined ? {} : { mergeKey }) });
  }

  /** Strategic merge: the exact strategies, where they are more than `merge`. */
  patchStrategy(...patchStrategy: readonly ('merge' | 'replace' | 'retainKeys')[]): Node<S, P> {
    return this.shared({ patchStrategy });
  }

  private written(): Written<P> {
    const { presence } = this.facts;
    return (presence === 'optional' || presence === 'nullable' ? 'nullable' : 'always') as Written<P>;
  }

  private knowing(more: Partial<Omit<Facts, 'presence'>>): Node<S, P> {
    return new Node(this.shape, { ...this.facts, ...more });
  }

  private shared(more: Topology): Node<S, P> {
    return this.knowing({ topology: { ...this.facts.topology, ...more } });
  }
}

/** A node under its protobuf number; 0 where the message has no binary form. `inline`: JSON shows its fields directly in the parent. */
export interface Field<N extends Node = Node, I extends boolean = boolean> {
  readonly number: number;
  readonly node: N;
  readonly inline: I;
  /** What the field is for, in a sentence or two, for people who look it up. */
  readonly description?: string | undefined;
}

export type Fields = Readonly<Record<string, Field>>;

export interface StructOptions<Type> {
  /** Fills in what depends on other fields, after the defaults of the fields themselves. */
  defaults?(value: Draft<Type>): void;
  readonly topology?: Topology;
  readonly discriminator?: Discriminator;
  readonly description?: string | undefined;
}

/** A field whose value names the one other field that counts. Published only. */
export interface Discriminator {
  readonly field: string;
  /** Field to the value that selects it. */
  readonly selects: Readonly<Record<string, string>>;
}

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
  fields: F,
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

export const map = <N extends Node>(item: N | (() => N)) =>
  new Node(new MapShape(thunk(item)), { ...PLAIN, presence: 'implicit' });

/** A type that JSON writes in one of several forms; at most one for each form of JSON. */
export const union = <Type>(name: string, forms: Readonly<Record<string, Form>>) =>
  new Node(new UnionShape<Type>(name, forms), { ...PLAIN, presence: 'implicit' });

const thunk = <N extends Node>(item: N | (() => N)): (() => N) => (typeof item === 'function' ? item : () => item);

/** What every object that travels on its own says of itself. */
export interface TypeMeta {
  readonly kind: string;
  readonly apiVersion: string;
}

/** The TypeScript type of values in canonical form. */
export type Infer<N extends Node> = ValueOf<N>;

type ValueOf<N> = N extends { readonly shape: { readonly type: infer T } } ? T : never;
type Zero<N> = N extends { readonly shape: { readonly zeroType: infer Z } } ? Z : never;
type PresenceOf<X> = X extends { readonly node: { readonly facts: { readonly presence: infer P } } } ? P : never;
type NodeOf<X> = X extends { readonly node: infer N } ? N : never;
type IsInline<X> = X extends { readonly inline: true } ? true : false;

type WrittenKeys<F> = {
  [K in keyof F]: IsInline<F[K]> extends true ? never : PresenceOf<F[K]> extends 'always' | 'nullable' ? K : never;
}[keyof F];
type OmittedKeys<F> = {
  [K in keyof F]: IsInline<F[K]> extends true ? never : PresenceOf<F[K]> extends 'implicit' | 'optional' ? K : never;
}[keyof F];
type InlineKeys<F> = { [K in keyof F]: IsInline<F[K]> extends true ? K : never }[keyof F];

type WrittenValue<X> = ValueOf<NodeOf<X>> | (PresenceOf<X> extends 'nullable' ? null : Zero<NodeOf<X>>);
type Intersect<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never;
type Flat<T> = { readonly [K in keyof T]: T[K] };

/** A map with free keys. */
export type Values<T> = { readonly [key: string]: T } & Value;

export type StructValue<F> = Value &
  Flat<
    { [K in WrittenKeys<F>]: WrittenValue<F[K]> } & {
      [K in OmittedKeys<F>]?: ValueOf<NodeOf<F[K]>>;
    } & (InlineKeys<F> extends never
        ? unknown
        : Intersect<{ [K in InlineKeys<F>]: ValueOf<NodeOf<F[K]>> }[InlineKeys<F>]>)
  >;
