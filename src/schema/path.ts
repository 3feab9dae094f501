/** Where in an object something is: `spec.containers[0].ports[1].name`, `metadata.labels[a.b/c]`. */
export class Path {
  readonly #parent: Path | undefined;
  readonly #segment: string | number;

  private constructor(parent: Path | undefined, segment: string | number) {
    this.#parent = parent;
    this.#segment = segment;
  }

  static of(...names: readonly string[]): Path {
    const [first = '', ...rest] = names;
    return rest.reduce((path, name) => path.child(name), new Path(undefined, first));
  }

  /** A field. */
  child(name: string): Path {
    return new Path(this, name);
  }

  /** A list element. */
  index(at: number): Path {
    return new Path(this, at);
  }

  /** An entry of a map. */
  key(name: string): Path {
    return new Path(this, `[${name}]`);
  }

  toString(): string {
    const [parent, segment] = [this.#parent, this.#segment];
    const own = typeof segment === 'number' ? `[${segment}]` : segment;
    if (!parent) return own;
    const before = parent.toString();
    return before === '' || own.startsWith('[') ? `${before}${own}` : `${before}.${own}`;
  }
}

/** The same form, from a list of segments: numbers are list indexes. */
export function pathText(segments: readonly (string | number)[]): string {
  let text = '';
  for (const segment of segments) {
    if (typeof segment === 'number') text += `[${segment}]`;
    else text += text === '' ? segment : `.${segment}`;
  }
  return text;
}
