import { isObject } from '../schema/json-object.ts';
import { sameValue } from '../schema/same-value.ts';

/** More would hide what matters, and a message is no place for whole objects. */
const MOST_DIFFERENCES = 10;
const LONGEST_VALUE = 200;

/** What differs between two JSON values, a pair of lines for each place, for people. Empty when nothing does. */
export function differenceText(path: string, before: unknown, after: unknown): string {
  const lines: string[] = [];
  const found = new Differences((place, old, now) => {
    lines.push(`- ${place}: ${shown(old)}`, `+ ${place}: ${shown(now)}`);
  });
  found.compare(path, before, after);
  return found.more ? [...lines, '  … and more'].join('\n') : lines.join('\n');
}

class Differences {
  readonly #onDifference: (place: string, before: unknown, after: unknown) => void;
  #count = 0;

  constructor(onDifference: (place: string, before: unknown, after: unknown) => void) {
    this.#onDifference = onDifference;
  }

  get more(): boolean {
    return this.#count > MOST_DIFFERENCES;
  }

  compare(place: string, before: unknown, after: unknown): void {
    if (this.more || before === after) return;
    if (isObject(before) && isObject(after)) this.#compareFields(place, before, after);
    else if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
      for (const [at, item] of before.entries()) this.compare(`${place}[${at}]`, item, after[at]);
    } else if (!sameValue(before, after)) {
      this.#count++;
      if (!this.more) this.#onDifference(place, before, after);
    }
  }

  #compareFields(place: string, before: JsonObject, after: JsonObject): void {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      this.compare(`${place}.${key}`, before[key], after[key]);
    }
  }
}

type JsonObject = { readonly [key: string]: unknown };

function shown(value: unknown): string {
  const text = value === undefined ? 'unset' : JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}
