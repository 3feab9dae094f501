import type { Toleration } from '../../kinds/core/node/taint.ts';

/** A text that tolerations share if they are the same in every field. */
export const tolerationText = ({ key, operator, value, effect, tolerationSeconds }: Toleration): string =>
  JSON.stringify([key, operator, value, effect, tolerationSeconds]);

const secondsOf = ({ tolerationSeconds }: Toleration): number => tolerationSeconds ?? Number.POSITIVE_INFINITY;

const EVERYTHING: unique symbol = Symbol('for every key');

/**
 * Tolerations, found by what they tolerate. One includes another if it tolerates all that the other does, for at least as
 * long: it is for the same key or for everything, for the same effect or all, and for the same value or any.
 */
export class TolerationSet {
  readonly #texts = new Set<string>();
  readonly #longest = new Map<string | typeof EVERYTHING, Map<string, Longest>>();

  constructor(tolerations: readonly Toleration[] = []) {
    for (const one of tolerations) this.add(one);
  }

  add(one: Toleration): void {
    const key = !one.key && one.operator === 'Exists' ? EVERYTHING : (one.key ?? '');
    const ofKey = this.#longest.get(key) ?? new Map<string, Longest>();
    this.#longest.set(key, ofKey);
    const target = targetText(one.effect, one.operator === 'Exists' ? undefined : (one.value ?? ''));
    const longest = ofKey.get(target) ?? new Longest();
    ofKey.set(target, longest);
    const text = tolerationText(one);
    longest.add(text, one.effect === 'NoExecute' ? secondsOf(one) : Number.POSITIVE_INFINITY);
    this.#texts.add(text);
  }

  /** Whether one of them includes `narrow`, be it the same. */
  includes(narrow: Toleration): boolean {
    return this.#texts.has(tolerationText(narrow)) || this.includesByAnother(narrow);
  }

  /** Whether one of them that is not the same includes `narrow`. */
  includesByAnother(narrow: Toleration): boolean {
    const text = tolerationText(narrow);
    const values = narrow.operator === 'Exists' ? [undefined] : [undefined, narrow.value ?? ''];
    const targets = ['', narrow.effect ?? ''].flatMap((effect) => values.map((value) => targetText(effect, value)));
    return [this.#longest.get(narrow.key ?? ''), this.#longest.get(EVERYTHING)].some((ofKey) =>
      targets.some((target) => ofKey?.get(target)?.isAnotherAsLong(text, secondsOf(narrow))),
    );
  }
}

/** No value: any. */
const targetText = (effect: string | undefined, value: string | undefined): string =>
  JSON.stringify([effect ?? '', value]);

/** The longest of some tolerations, and the longest of those that are not the same as it. */
class Longest {
  #first = { text: '', seconds: Number.NEGATIVE_INFINITY };
  #second = this.#first;

  add(text: string, seconds: number): void {
    const added = { text, seconds };
    if (text === this.#first.text) return;
    if (seconds > this.#first.seconds) [this.#first, this.#second] = [added, this.#first];
    else if (seconds > this.#second.seconds) this.#second = added;
  }

  isAnotherAsLong(text: string, seconds: number): boolean {
    const other = text === this.#first.text ? this.#second : this.#first;
    return other.seconds >= seconds && other.text !== '';
  }
}

/** Those of both lists, in order, without any that another one includes; of equal ones the first stays. */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): Toleration[] {
  const all = [...first, ...second];
  const later = new TolerationSet();
  const isIncludedLater = all.toReversed().map((one) => {
    const isIncluded = later.includesByAnother(one);
    later.add(one);
    return isIncluded;
  });
  const kept = new TolerationSet();
  return all.filter((one, at) => {
    if (kept.includes(one) || isIncludedLater[all.length - 1 - at]) return false;
    kept.add(one);
    return true;
  });
}
