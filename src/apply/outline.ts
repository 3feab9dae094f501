import { isObject } from '../schema/json-object.ts';
import { sameJson } from '../schema/same-json.ts';

/**
 * What of a new value decides which places it fills in: the names of its fields and the keys of its items, not what is said
 * there. Two values that fit one outline have the same record.
 */
export interface Outline {
  fits(value: unknown): boolean;
}

/** Takes what may be said of a place that is filled in whatever is said there. */
export const ANYTHING: Outline = { fits: (value) => value !== undefined };

/** How large an outline may become. Whoever draws more than that gives up. */
export class OutlineBudget {
  static readonly BYTES = 32 << 10;
  /** What a place takes beside its name. */
  static readonly #PLACE_BYTES = 48;
  #left = OutlineBudget.BYTES;

  get spent(): number {
    return OutlineBudget.BYTES - this.#left;
  }

  /** Whether there is room for one more place of this name. */
  take(name: string): boolean {
    this.#left -= OutlineBudget.#PLACE_BYTES + 2 * name.length;
    return this.#left >= 0;
  }
}

/** Takes the very same value only; undefined of one that has something inside, which would have to be kept. */
export function outlineOfSame(value: unknown): Outline | undefined {
  if (Array.isArray(value)) return undefined;
  if (isObject(value) && Object.keys(value).length > 0) return undefined;
  const same = isObject(value) ? {} : value;
  return { fits: (other) => sameJson(same, other) };
}

/** Fields of the same names, in the same order. */
export class FieldsOutline implements Outline {
  readonly #names: string[] = [];
  readonly #insides: Outline[] = [];

  add(name: string, inside: Outline): void {
    this.#names.push(name);
    this.#insides.push(inside);
  }

  fits(value: unknown): boolean {
    if (!isObject(value)) return false;
    let at = 0;
    for (const name in value) {
      if (name !== this.#names[at]) return false;
      const inside = this.#insides[at];
      // Most places are such.
      if (inside === ANYTHING ? value[name] === undefined : !inside?.fits(value[name])) return false;
      at++;
    }
    return at === this.#names.length;
  }
}

/** Items of the same keys, in the same order. */
export class ItemsOutline implements Outline {
  readonly #elements: string[] = [];
  readonly #insides: Outline[] = [];
  readonly #elementOf: (item: unknown) => string;

  constructor(elementOf: (item: unknown) => string) {
    this.#elementOf = elementOf;
  }

  add(element: string, inside: Outline): void {
    this.#elements.push(element);
    this.#insides.push(inside);
  }

  fits(value: unknown): boolean {
    if (!Array.isArray(value) || value.length !== this.#elements.length) return false;
    for (let at = 0; at < value.length; at++) {
      if (this.#elementOf(value[at]) !== this.#elements[at] || !this.#insides[at]?.fits(value[at])) return false;
    }
    return true;
  }
}
