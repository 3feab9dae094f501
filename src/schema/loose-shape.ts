import type { Facts } from './facts.ts';
import type { JsonObject } from './json-object.ts';
import { type Node, Shape, type Visitor } from './node.ts';

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
