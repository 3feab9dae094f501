/**
 * Sets of places in an object. A place is a path of elements, each in its recorded spelling: `f:spec` a field,
 * `k:{"name":"a"}` an element of a keyed list, `v:"a"` an element of a set, `i:0` an element by position.
 *
 * Sets are values: no operation changes its arguments.
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
    if (other.isEmpty) return this;
    if (this.isEmpty) return other;
    const children = new Map(this.children);
    for (const [element, below] of other.children) children.set(element, this.below(element).union(below));
    return new FieldSet(new Set([...this.members, ...other.members]), children);
  }

  /** What is in this set and not in the other. A place in the other takes only itself away, not what is below it. */
  difference(other: FieldSet): FieldSet {
    if (other.isEmpty || this.isEmpty) return this;
    const members = new Set([...this.members].filter((element) => !other.members.has(element)));
    return new FieldSet(
      members,
      mapChildren(this.children, (below, element) => below.difference(other.below(element))),
    );
  }

  /** As `difference`, but a place in the other takes everything below it away as well. */
  without(other: FieldSet): FieldSet {
    if (other.isEmpty || this.isEmpty) return this;
    const members = new Set([...this.members].filter((element) => !other.members.has(element)));
    return new FieldSet(
      members,
      mapChildren(this.children, (below, element) =>
        other.members.has(element) ? FieldSet.EMPTY : below.without(other.below(element)),
      ),
    );
  }

  intersection(other: FieldSet): FieldSet {
    if (other.isEmpty || this.isEmpty) return FieldSet.EMPTY;
    const members = new Set([...this.members].filter((element) => other.members.has(element)));
    return new FieldSet(
      members,
      mapChildren(this.children, (below, element) => below.intersection(other.below(element))),
    );
  }

  equals(other: FieldSet): boolean {
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
}

function mapChildren(
  children: ReadonlyMap<string, FieldSet>,
  change: (below: FieldSet, element: string) => FieldSet,
): Map<string, FieldSet> {
  const result = new Map<string, FieldSet>();
  for (const [element, below] of children) {
    const changed = change(below, element);
    if (!changed.isEmpty) result.set(element, changed);
  }
  return result;
}

/** Puts a set together. Not a value: it is changed until `build` is called. */
export class FieldSetBuilder {
  private members: Set<string> | undefined;
  private children: Map<string, FieldSetBuilder> | undefined;

  add(element: string): void {
    this.members ??= new Set();
    this.members.add(element);
  }

  below(element: string): FieldSetBuilder {
    this.children ??= new Map();
    const known = this.children.get(element);
    if (known) return known;
    const made = new FieldSetBuilder();
    this.children.set(element, made);
    return made;
  }

  build(): FieldSet {
    const children = new Map<string, FieldSet>();
    for (const [element, builder] of this.children ?? []) {
      const below = builder.build();
      if (!below.isEmpty) children.set(element, below);
    }
    if (!this.members && children.size === 0) return FieldSet.EMPTY;
    return new FieldSet(this.members ?? new Set(), children);
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
