import { BoundedCache, textBytes } from '../bounds/bounded-cache.ts';

/** For each of them; there is one for every list whose items have names. */
const CAPACITY = 512 << 10;
/** Longer ones do not recur. */
const LONGEST = 100;
/** Of names that come in such a row, none of them known, the others do not recur either. */
const MOST_STRANGERS = 200;

/**
 * The path elements of names that recur. An element is looked up in records several times in every write, and one that
 * was a key before is found without being compared letter by letter.
 */
export class Elements {
  readonly #known = new BoundedCache<string, string>({
    name: 'path-elements',
    capacity: CAPACITY,
    sizeOf: (name, element) => textBytes(name) + textBytes(element),
  });
  readonly #spell: (name: string) => string;
  /** How many names in a row were not known. */
  #strangers = 0;

  constructor(spell: (name: string) => string) {
    this.#spell = spell;
  }

  of(name: string): string {
    if (name.length > LONGEST) return this.#spell(name);
    const known = this.#known.get(name);
    if (known !== undefined) {
      this.#strangers = 0;
      return known;
    }
    if (++this.#strangers > MOST_STRANGERS) return this.#spell(name);
    const made = asKey(this.#spell(name));
    this.#known.set(name, made);
    return made;
  }
}

/** An object of one key at a time. One without a prototype needs no new shape for each key. */
const holder: { [text: string]: true } = Object.create(null);

/** The same text, in the form in which keys of objects are kept. */
function asKey(text: string): string {
  holder[text] = true;
  const [key = text] = Object.keys(holder);
  delete holder[text];
  return key;
}

/** The elements of fields and of entries of maps. */
export const fieldElements = new Elements((name) => `f:${name}`);
