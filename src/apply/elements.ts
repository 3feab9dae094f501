/** So many are kept: clients choose the names. */
const MOST = 2000;

/**
 * The path elements of names that recur. An element is looked up in records several times in every write, and one that
 * was a key before is found without being compared letter by letter.
 */
export class Elements {
  readonly #known = new Map<string, string>();
  readonly #spell: (name: string) => string;

  constructor(spell: (name: string) => string) {
    this.#spell = spell;
  }

  of(name: string): string {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    if (this.#known.size >= MOST) this.#known.clear();
    const made = asKey(this.#spell(name));
    this.#known.set(name, made);
    return made;
  }
}

/** The same text, in the form in which keys of objects are kept. */
const asKey = (text: string): string => Object.keys({ [text]: text })[0] ?? text;

/** The elements of fields and of entries of maps. */
export const fieldElements = new Elements((name) => `f:${name}`);
