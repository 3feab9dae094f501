/**
 * Sets of places in an object. A place is a path of elements, each in its recorded spelling: `f:spec` a field,
 * `k:{"name":"a"}` an element of a keyed list, `v:"a"` an element of a set, `i:0` an element by position.
 *
 * Sets are values: no operation changes its arguments, and one that would change nothing returns the set itself.
 */
export class FieldSet {
  static readonly EMPTY = new FieldSet(new Set(), new Map());

  /** Elements that are in the set themselves. */
  readonly members: ReadonlySet<string>;
  /** What is in the set below an element; never empty. */
  readonly children: ReadonlyMap<string, FieldSet>;

  constructor(members: ReadonlySet<string>, children: ReadonlyMap<string, FieldSet>) {
    this.members = members;
    this.children = children;
  }

  get isEmpty(): boolean {
    return this.members.size === 0 && this.children.size === 0;
  }

  has(path: readonly string[]): boolean {
    const [first, ...rest] = path;
    if (first === undefined) return false;
    if (rest.length === 0) return this.members.has(first);
    return this.children.get(first)?.has(rest) ?? false;
  }

  below(element: string): FieldSet {
    return this.children.get(element) ?? FieldSet.EMPTY;
  }

  union(other: FieldSet): FieldSet {
    if (other.isEmpty || this === other) return this;
    if (this.isEmpty) return other;
    let members: Set<string> | undefined;
    for (const element of other.members) {
      if (!this.members.has(element)) {
        members ??= new Set(this.members);
        members.add(element);
      }
    }
    let children: Map<string, FieldSet> | undefined;
    for (const [element, below] of other.children) {
      const own = this.below(element);
      const united = own.union(below);
      if (united !== own) {
        children ??= new Map(this.children);
        children.set(element, united);
      }
    }
    return this.#changedTo(members, children);
  }

  /** What is in this set and not in the other. A place in the other takes only itself away, not what is below it. */
  difference(other: FieldSet): FieldSet {
    if (other.isEmpty) return this;
    return this.#filtered(
      (element) => !other.members.has(element),
      (below, element) => below.difference(other.below(element)),
    );
  }

  /** As `difference`, but a place in the other takes everything below it away as well. */
  without(other: FieldSet): FieldSet {
    if (other.isEmpty) return this;
    return this.#filtered(
      (element) => !other.members.has(element),
      (below, element) => (other.members.has(element) ? FieldSet.EMPTY : below.without(other.below(element))),
    );
  }

  intersection(other: FieldSet): FieldSet {
    if (other.isEmpty) return FieldSet.EMPTY;
    return this.#filtered(
      (element) => other.members.has(element),
      (below, element) => below.intersection(other.below(element)),
    );
  }

  equals(other: FieldSet): boolean {
    if (this === other) return true;
    if (this.members.size !== other.members.size || this.children.size !== other.children.size) return false;
    for (const element of this.members) if (!other.members.has(element)) return false;
    for (const [element, below] of this.children) if (!other.children.get(element)?.equals(below)) return false;
    return true;
  }

  /** Every place in the set. */
  *paths(before: readonly string[] = []): Generator<readonly string[]> {
    for (const element of this.members) yield [...before, element];
    for (const [element, below] of this.children) yield* below.paths([...before, element]);
  }

  /** The set with fewer members, and with something less below its elements. */
  #filtered(keeps: (element: string) => boolean, lessen: (below: FieldSet, element: string) => FieldSet): FieldSet {
    let members: Set<string> | undefined;
    for (const element of this.members) {
      if (!keeps(element)) {
        members ??= new Set(this.members);
        members.delete(element);
      }
    }
    let children: Map<string, FieldSet> | undefined;
    for (const [element, below] of this.children) {
      const less = lessen(below, element);
      if (less !== below) {
        children ??= new Map(this.children);
        if (less.isEmpty) children.delete(element);
        else children.set(element, less);
      }
    }
    return this.#changedTo(members, children);
  }

  #changedTo(members: Set<string> | undefined, children: Map<string, FieldSet> | undefined): FieldSet {
    if (!members && !children) return this;
    return made(members ?? this.members, children ?? this.children);
  }
}

const made = (members: ReadonlySet<string>, children: ReadonlyMap<string, FieldSet>): FieldSet =>
  members.size === 0 && children.size === 0 ? FieldSet.EMPTY : new FieldSet(members, children);

/** Puts a set together. Not a value: it is changed until `build` is called. */
export class FieldSetBuilder {
  #members: Set<string> | undefined;
  #children: Map<string, FieldSetBuilder> | undefined;

  add(element: string): void {
    this.#members ??= new Set();
    this.#members.add(element);
  }

  below(element: string): FieldSetBuilder {
    this.#children ??= new Map();
    const known = this.#children.get(element);
    if (known) return known;
    const made = new FieldSetBuilder();
    this.#children.set(element, made);
    return made;
  }

  addAll({ members, children }: FieldSet): void {
    for (const element of members) this.add(element);
    for (const [element, below] of children) this.below(element).addAll(below);
  }

  build(): FieldSet {
    if (!this.#children) return this.#members ? new FieldSet(this.#members, FieldSet.EMPTY.children) : FieldSet.EMPTY;
    const children = new Map<string, FieldSet>();
    for (const [element, builder] of this.#children) {
      const below = builder.build();
      if (!below.isEmpty) children.set(element, below);
    }
    return made(this.#members ?? FieldSet.EMPTY.members, children);
  }
}

/** A set of dotted paths of plain fields, such as `metadata.name`. */
export function fieldSetOf(...paths: readonly string[]): FieldSet {
  const builder = new FieldSetBuilder();
  for (const path of paths) {
    const elements = path.split('.').map((name) => `f:${name}`);
    const last = elements.pop();
    let at = builder;
    for (const element of elements) at = at.below(element);
    if (last !== undefined) at.add(last);
  }
  return builder.build();
}

/** A place as people read it: `.spec.containers[name="a"].image`. */
export function placeText(path: readonly string[]): string {
  return path.map(elementText).join('');
}

function elementText(element: string): string {
  const [kind, rest] = [element.slice(0, 2), element.slice(2)];
  if (kind === 'f:') return `.${rest}`;
  if (kind === 'k:') {
    const keys: unknown = JSON.parse(rest);
    return `[${Object.entries(keys as object)
      .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
      .join(',')}]`;
  }
  return kind === 'v:' ? `[=${rest}]` : `[${rest}]`;
}
