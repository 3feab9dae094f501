import { isList, isObject } from '../../schema/json-object.ts';
import { parseJsonPath, type Step, type Test } from './json-path-syntax.ts';

/** So many values are looked at for one answer: a path of wildcards must not take longer than the object is worth. */
const MOST_VISITS = 10_000;

/** Finds values in objects, by a path as columns of custom kinds have it. */
export interface JsonPath {
  /** The first value at the path; undefined when there is none, or none is found soon. */
  first(object: unknown): unknown;
}

/** Throws a `JsonPathError` when the text is no path. */
export function jsonPath(text: string): JsonPath {
  const steps = parseJsonPath(text);
  return {
    first(object) {
      const search = new Search(object);
      for (const value of search.all(object, steps, 0)) return value;
      return undefined;
    },
  };
}

/** One evaluation. Values are found one after the other, depth first, so that the first one costs no more than it must. */
class Search {
  readonly #root: unknown;
  #visits = 0;

  constructor(root: unknown) {
    this.#root = root;
  }

  *all(value: unknown, steps: readonly Step[], at: number): Generator<unknown> {
    if (++this.#visits > MOST_VISITS) return;
    const step = steps[at];
    if (!step) {
      yield value;
      return;
    }
    for (const next of this.#take(value, step)) yield* this.all(next, steps, at + 1);
  }

  *#take(value: unknown, step: Step): Generator<unknown> {
    switch (step.kind) {
      case 'field':
        if (isObject(value) && Object.hasOwn(value, step.name)) yield value[step.name];
        return;
      case 'all':
        yield* inside(value);
        return;
      case 'slice':
        if (isList(value)) yield* sliced(value, step);
        return;
      case 'union':
        for (const one of step.steps) yield* this.#take(value, one);
        return;
      case 'descend':
        yield* this.#descendants(value);
        return;
      case 'filter':
        for (const item of inside(value)) if (this.#passes(item, step.test)) yield item;
    }
  }

  /** The value itself and all that is in it. */
  *#descendants(value: unknown): Generator<unknown> {
    if (++this.#visits > MOST_VISITS) return;
    yield value;
    for (const item of inside(value)) yield* this.#descendants(item);
  }

  #passes(item: unknown, { left, operator, right }: Test): boolean {
    const one = this.#operand(item, left);
    if (operator === 'exists' || !right) return one !== undefined;
    return compare(one, operator, this.#operand(item, right));
  }

  #operand(item: unknown, operand: Test['left']): unknown {
    if ('value' in operand) return operand.value;
    const start = operand.from === '@' ? item : this.#root;
    for (const value of this.all(start, operand.steps, 0)) return value;
    return undefined;
  }
}

const inside = (value: unknown): readonly unknown[] => {
  if (isList(value)) return value;
  return isObject(value) ? Object.values(value) : [];
};

/** Indexes below zero count from the end. */
function* sliced(list: readonly unknown[], { from, to, step }: Extract<Step, { kind: 'slice' }>): Generator<unknown> {
  const { length } = list;
  const at = (index: number): number => (index < 0 ? index + length : index);
  const begin = Math.max(0, at(from ?? 0));
  const end = Math.min(length, to === undefined ? length : at(to));
  for (let index = begin; index < end; index += step) yield list[index];
}

function compare(one: unknown, operator: string, other: unknown): boolean {
  if (operator === '==') return one === other;
  if (operator === '!=') return one !== other;
  if (!isOrdered(one, other)) return false;
  const [a, b] = [one, other] as [string, string];
  if (operator === '<') return a < b;
  if (operator === '<=') return a <= b;
  return operator === '>' ? a > b : a >= b;
}

const isOrdered = (one: unknown, other: unknown): boolean =>
  typeof one === typeof other && (typeof one === 'number' || typeof one === 'string');
