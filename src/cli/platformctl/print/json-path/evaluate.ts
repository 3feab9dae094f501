import { compareCodePoints } from '../json-text.ts';
import { type Block, JsonPathError, type Node, type Slice } from './syntax.ts';

/** So many values are looked at for one object: wildcards after recursive descents multiply. */
const MOST_VALUES = 1_000_000;

/** The values of a template in an object: a list for each of its blocks, as often as ranges repeat them. */
export function evaluateTemplate(
  blocks: readonly Block[],
  object: unknown,
  { allowMissing = true }: { readonly allowMissing?: boolean } = {},
): unknown[][] {
  return new Evaluation(blocks, allowMissing).run(object);
}

class Evaluation {
  readonly #blocks: readonly Block[];
  readonly #allowMissing: boolean;
  #values = 0;

  constructor(blocks: readonly Block[], allowMissing: boolean) {
    this.#blocks = blocks;
    this.#allowMissing = allowMissing;
  }

  run(object: unknown): unknown[][] {
    const results: unknown[][] = [];
    const { ended } = this.#from(0, object, 0, results);
    if (ended) throw new JsonPathError('not in range, nothing to end');
    return results;
  }

  /** Evaluates blocks from one on, up to the `end` of the range that they are in; gives where the next one is. */
  #from(start: number, object: unknown, depth: number, results: unknown[][]): { next: number; ended: boolean } {
    let at = start;
    while (at < this.#blocks.length) {
      const block = this.#blocks[at] ?? [];
      const [first] = block;
      if (first?.kind === 'word' && first.word === 'end') return { next: at + 1, ended: true };
      if (first?.kind === 'word' && first.word === 'range') {
        at = this.#range(at + 1, this.#all([object], block.slice(1)), depth, results);
      } else {
        results.push(this.#all([object], block));
        at++;
      }
    }
    return { next: at, ended: false };
  }

  #range(start: number, values: readonly unknown[], depth: number, results: unknown[][]): number {
    if (values.length === 0) return this.#from(start, null, depth + 1, []).next;
    let next = start;
    for (const value of values) ({ next } = this.#from(start, value, depth + 1, results));
    return next;
  }

  #all(values: unknown[], nodes: readonly Node[]): unknown[] {
    return nodes.reduce<unknown[]>((at, node) => this.#step(at, node), values);
  }

  #step(values: readonly unknown[], node: Node): unknown[] {
    const found = this.#taken(values, node);
    this.#values += found.length;
    if (this.#values > MOST_VALUES) throw new JsonPathError('the template looks at too many values');
    return found;
  }

  #taken(values: readonly unknown[], node: Node): unknown[] {
    switch (node.kind) {
      case 'text':
        return [node.text];
      case 'value':
        return [node.value];
      case 'field':
        return this.#fields(values, node.name);
      case 'wildcard':
        return values.flatMap(inside);
      case 'recursive':
        return values.flatMap((value) => [...descendants(value)]);
      case 'slice':
        return values.flatMap((value) => sliced(value, node.slice));
      case 'union':
        return node.members.flatMap((member) => this.#all([...values], member));
      case 'filter':
        return values.flatMap((value) => this.#filtered(value, node));
      case 'word':
        throw new JsonPathError(`unrecognized identifier ${node.word}`);
    }
  }

  #fields(values: readonly unknown[], name: string): unknown[] {
    if (name === '') return [...values];
    const found = values.flatMap((value) => (isRecord(value) && Object.hasOwn(value, name) ? [value[name]] : []));
    if (found.length === 0 && !this.#allowMissing) throw new JsonPathError(`${name} is not found`);
    return found;
  }

  #filtered(value: unknown, { left, operator, right }: Extract<Node, { kind: 'filter' }>): unknown[] {
    if (!Array.isArray(value)) {
      throw new JsonPathError(`${JSON.stringify(value)} is not array or slice and cannot be filtered`);
    }
    return value.filter((item: unknown) => {
      if (operator === 'exists') return this.#operand(item, left).length > 0;
      const [lefts, rights] = [this.#operand(item, left), this.#operand(item, right)];
      if (lefts.length === 0 || rights.length === 0) return false;
      if (lefts.length > 1 || rights.length > 1) throw new JsonPathError('can only compare one element at a time');
      return compare(lefts[0], operator, rights[0]);
    });
  }

  /** That one item has no such field is no mistake where items are compared. */
  #operand(item: unknown, nodes: readonly Node[]): unknown[] {
    return new Evaluation([], true).#all([item], nodes);
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** In the order of keys. */
function inside(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return [];
  return Object.keys(value)
    .sort(compareCodePoints)
    .map((key) => value[key]);
}

/** What holds something, from outside in. */
function* descendants(value: unknown): Generator<unknown> {
  const items = inside(value);
  if (items.length === 0) return;
  yield value;
  for (const item of items) yield* descendants(item);
}

function sliced(value: unknown, { from = 0, to, step = 1, isIndex }: Slice): unknown[] {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) throw new JsonPathError(`${typeName(value)} is not array or slice`);
  const { length } = value;
  const begin = from < 0 ? from + length : from;
  const last = to ?? length;
  const end = last < 0 || (last === 0 && isIndex) ? last + length : last;
  if (begin === end) return [];
  for (const index of [begin, end - 1]) {
    if (index >= length || index < 0) {
      throw new JsonPathError(`array index out of bounds: index ${index}, length ${length}`);
    }
  }
  if (begin > end) throw new JsonPathError(`starting index ${begin} is greater than ending index ${end}`);
  if (step <= 0) throw new JsonPathError('step must be > 0');
  return value.slice(begin, end).filter((_, at) => at % step === 0);
}

function typeName(value: unknown): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return 'map[string]interface {}';
}

function compare(one: unknown, operator: string, other: unknown): boolean {
  if (typeof one !== typeof other || typeof one === 'object') {
    throw new JsonPathError('incompatible types for comparison');
  }
  const [a, b] = [one, other] as [string, string];
  switch (operator) {
    case '==':
      return a === b;
    case '!=':
      return a !== b;
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
    default:
      throw new JsonPathError(`unrecognized filter operator ${operator}`);
  }
}
