import type { Draft } from './draft.ts';
import type { Check, Facts, Presence, Topology } from './facts.ts';
import type { ValueOf, Values } from './infer.ts';
import { formOf, type JsonForm } from './json-form.ts';
import type { JsonObject } from './json-object.ts';
import type { ScalarType } from './scalar-type.ts';

/** One method for each shape. A derivation is a visitor; shared code never asks a shape what it is. */
export interface Visitor<R> {
  scalar(shape: ScalarShape, facts: Facts): R;
  struct(shape: StructShape, facts: Facts): R;
  list(shape: ListShape, facts: Facts): R;
  map(shape: MapShape, facts: Facts): R;
  union(shape: UnionShape, facts: Facts): R;
  loose(shape: LooseShape, facts: Facts): R;
}

/** `Type` is the value in memory, `Zero` what JSON shows for an unset field that is always written. */
export abstract class Shape<Type = unknown, Zero = unknown> {
  /** Types only; never set. */
  declare readonly type: Type;
  declare readonly zeroType: Zero;
  abstract accept<R>(visitor: Visitor<R>, facts: Facts): R;
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
  #declared: Fields | (() => Fields);
  readonly typed: boolean;
  readonly setDefaults: StructOptions<Type>['defaults'];
  readonly topology: Topology;
  readonly discriminator: Discriminator | undefined;
  readonly description: string | undefined;
  readonly rest: Node | undefined;

  constructor(name: string, fields: Fields | (() => Fields), typed: boolean, options: StructOptions<Type>) {
    super();
    this.name = name;
    this.#declared = fields;
    this.typed = typed;
    this.setDefaults = options.defaults?.bind(options);
    this.topology = options.topology ?? {};
    this.discriminator = options.discriminator;
    this.description = options.description;
    this.rest = options.rest;
  }

  get fields(): Fields {
    if (typeof this.#declared === 'function') this.#declared = this.#declared();
    return this.#declared;
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

/** What a loose value has inside. */
export interface LooseContents {
  /** The fields that it has as an object. */
  readonly fields: ReadonlyMap<string, Node>;
  /** What its other fields hold; absent: they are dropped, unless the value is open. */
  readonly rest: Node | undefined;
  /** What it holds as a list; absent: fields of objects in there are dropped, unless the value is open. */
  readonly item: Node | undefined;
}

/** Of a value that nothing is declared of. */
export const NO_CONTENTS: LooseContents = Object.freeze({ fields: new Map(), rest: undefined, item: undefined });

export interface LooseOptions {
  /** Undeclared fields are kept as they are, with all that is in them. */
  readonly isOpen?: boolean;
  /** Whether anything inside may have a default; true unless given. */
  readonly mayFillIn?: boolean;
  /** The schema that is published for it; absent: anything goes. `refer` publishes a part that has a name of its own. */
  readonly publish?: ((flavour: 'v2' | 'v3', refer: (node: Node) => JsonObject) => JsonObject) | undefined;
}

/** What a loose value is meant to be. */
export type LooseForm = 'object' | 'list' | 'scalar' | 'any';

/**
 * A value whose form JSON decides. What is declared holds for objects and for lists that stand there; a value of another
 * form than the one that is meant is read all the same, so that checks can name it with all other problems. Names of
 * fields are in order. A null is kept in lists, and in fields whose presence is `explicit`; other fields lose it.
 */
export class LooseShape extends Shape<unknown, null> {
  readonly form: LooseForm;
  /** Undeclared fields are kept as they are, with all that is in them. */
  readonly isOpen: boolean;
  readonly publish: LooseOptions['publish'];
  /** Whether anything inside may have a default. */
  readonly mayFillIn: boolean;
  #contents: LooseContents | (() => LooseContents);

  /** `contents` may be a function, called on first use: of a large schema only what is used is looked at. */
  constructor(form: LooseForm, contents: LooseContents | (() => LooseContents), options: LooseOptions = {}) {
    super();
    this.form = form;
    this.#contents = contents;
    this.isOpen = options.isOpen ?? false;
    this.publish = options.publish;
    this.mayFillIn = options.mayFillIn ?? true;
  }

  get contents(): LooseContents {
    if (typeof this.#contents === 'function') this.#contents = this.#contents();
    return this.#contents;
  }

  accept<R>(visitor: Visitor<R>, facts: Facts): R {
    return visitor.loose(this, facts);
  }
}

type Written<P extends Presence> = P extends 'optional' | 'nullable' | 'explicit' ? 'nullable' : 'always';

/** A node of one of these shapes, for methods that make sense for no others. */
interface Of<S extends Shape> {
  readonly shape: S;
}

type ListLike = ListShape | LooseShape;
type MapLike = MapShape | StructShape | LooseShape;
/** Other toolchains take binary data for a list of bytes. */
type Bytes = ScalarShape<string, null>;
type TextLike = ScalarShape<string, '' | '0' | null>;

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

  /** Unset, null and zero all differ. */
  explicit(): Node<S, 'explicit'> {
    return new Node(this.shape, { ...this.facts, presence: 'explicit' });
  }

  /** JSON writes the field also when it is unset. */
  always(): Node<S, Written<P>> {
    return new Node(this.shape, { ...this.facts, presence: this.#written() });
  }

  /** Always written, and required in the published schema. */
  required(): Node<S, Written<P>> {
    return new Node(this.shape, { ...this.facts, presence: this.#written(), required: true });
  }

  /** The server's value for an unset field. */
  default(value: S['type']): Node<S, P> {
    return this.#knowing({ default: value });
  }

  /** A default that the published schema shows as well. */
  publishedDefault(value: S['type']): Node<S, P> {
    return this.#knowing({ default: value, publishedDefault: true });
  }

  /** Understood, but newer than the published schema. */
  unpublished(): Node<S, P> {
    return this.#knowing({ unpublished: true });
  }

  /** Published as an enumeration, and refused otherwise. */
  oneOf(this: Node<S, P> & Of<TextLike>, ...allowed: readonly string[]): Node<S, P> {
    return this.#knowing({ allowed });
  }

  /** Published as an enumeration; other rules say what is refused. */
  suggests(this: Node<S, P> & Of<TextLike>, ...suggested: readonly string[]): Node<S, P> {
    return this.#knowing({ suggested });
  }

  /** Refused when set and not as the check wants it. */
  check(check: Check<S['type']>): Node<S, P> {
    return this.#knowing({ checks: [...this.facts.checks, check] });
  }

  /** Lists: elements are told apart by these fields. */
  mapBy(this: Node<S, P> & Of<ListLike>, ...keys: readonly string[]): Node<S, P> {
    return this.#shared({ listType: 'map', keys });
  }

  /** Lists of scalars: each value at most once. */
  set(this: Node<S, P> & Of<ListLike>): Node<S, P> {
    return this.#shared({ listType: 'set' });
  }

  /** Lists: one owner for the whole list. */
  atomicList(this: Node<S, P> & Of<ListLike | Bytes>): Node<S, P> {
    return this.#shared({ listType: 'atomic' });
  }

  /** Maps and structs: one owner for the whole value. */
  atomic(this: Node<S, P> & Of<MapLike>): Node<S, P> {
    return this.#shared({ mapType: 'atomic' });
  }

  /** Structs that are atomic elsewhere: here each field has its own owner. */
  granular(this: Node<S, P> & Of<MapLike>): Node<S, P> {
    return this.#shared({ mapType: 'granular' });
  }

  /** Strategic merge: elements are merged, by this field or (scalars) by value. Of other shapes it is published only. */
  mergeBy(mergeKey?: string): Node<S, P> {
    return this.#shared({ patchStrategy: ['merge'], ...(mergeKey === undefined ? {} : { mergeKey }) });
  }

  /** Strategic merge: the exact strategies, where they are more than `merge`. */
  patchStrategy(...patchStrategy: readonly ('merge' | 'replace' | 'retainKeys')[]): Node<S, P> {
    return this.#shared({ patchStrategy });
  }

  #written(): Written<P> {
    const { presence } = this.facts;
    return (presence === 'implicit' || presence === 'always' ? 'always' : 'nullable') as Written<P>;
  }

  #knowing(more: Partial<Omit<Facts, 'presence'>>): Node<S, P> {
    return new Node(this.shape, { ...this.facts, ...more });
  }

  #shared(more: Topology): Node<S, P> {
    return this.#knowing({ topology: { ...this.facts.topology, ...more } });
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

/** The fields of a struct, by their names in JSON. */
export type Fields = Readonly<Record<string, Field>>;

export interface StructOptions<Type> {
  /** Fills in what depends on other fields, after the defaults of the fields themselves. */
  defaults?(value: Draft<Type>): void;
  readonly topology?: Topology;
  readonly discriminator?: Discriminator;
  readonly description?: string | undefined;
  /** What fields hold that are not declared; they come last, in the order of their names. Absent: they are dropped. */
  readonly rest?: Node | undefined;
}

/** A field whose value names the one other field that counts. Published only. */
export interface Discriminator {
  readonly field: string;
  /** Field to the value that selects it. */
  readonly selects: Readonly<Record<string, string>>;
}
