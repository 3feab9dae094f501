import { type Checked, operandsOf } from '../check/checked.ts';
import type { Overload } from '../functions/signature.ts';
import type { Bind, Call, Expression, ListLiteral, Loop, MapLiteral, Select } from '../syntax/ast.ts';
import { REQUEST_BYTES } from '../types/schema-types.ts';
import type { Type } from '../types/type.ts';

/** The most an expression can cost, given what the schema allows its values to be. */
export interface Estimate {
  readonly cost: number;
  /** What has no bound in the schema and is gone through, such as `self.hosts has no maxItems`. */
  readonly drivers: readonly string[];
}

const SELECT = 1;
const LIST = 10;
const MAP = 30;
/** For each turn of a loop, beside its body. */
const DECISION = 3;
const COLLECTION = 12;
const MOST_DRIVERS = 10;
/** Sizes and costs beyond this are all the same. */
const MOST = 2 ** 63;

export function estimate(checked: Checked): Estimate {
  const estimator = new Estimator(checked);
  const cost = estimator.cost(checked.expression);
  return { cost, drivers: [...estimator.drivers].slice(0, MOST_DRIVERS) };
}

const atMost = (amount: number): number => Math.min(amount, MOST);

class Estimator {
  readonly drivers = new Set<string>();
  readonly #checked: Checked;
  /** Sizes of what expressions make, which no schema bounds. */
  readonly #sizes = new Map<Expression, number>();
  /** What variables of loops stand for, as drivers name them. */
  readonly #names = new Map<number, string>();

  constructor(checked: Checked) {
    this.#checked = checked;
  }

  cost(expression: Expression): number {
    return atMost(this.#cost(expression));
  }

  #cost(expression: Expression): number {
    switch (expression.kind) {
      case 'literal':
        return 0;
      case 'message':
        return expression.fields.reduce((sum, { value }) => sum + this.cost(value), MAP);
      case 'identifier':
        return SELECT;
      case 'select':
        return this.#select(expression);
      case 'call':
        return this.#call(expression);
      case 'list':
        return this.#list(expression);
      case 'map':
        return this.#map(expression);
      case 'loop':
        return this.#loop(expression);
      case 'bind':
        return this.#bind(expression);
    }
  }

  #select(select: Select): number {
    return this.#checked.references.has(select) ? SELECT : this.cost(select.operand) + SELECT;
  }

  /** The largest size of a value: as computed, as its type says, or as much as a request can hold. Scalars have 1. */
  #size(expression: Expression): number {
    const known = this.#sizes.get(expression);
    if (known !== undefined) return known;
    const type = this.#checked.typeOf(expression);
    this.#drive(expression, type);
    return sizeOfType(type);
  }

  #drive(expression: Expression, type: Type): void {
    const missing = 'missing' in type ? type.missing : undefined;
    if (missing !== undefined) this.drivers.add(`${this.#name(expression)} has no ${missing}`);
  }

  /** How a driver is called: the path that leads to it. */
  #name(expression: Expression): string {
    const reference = this.#checked.references.get(expression);
    const local = reference && 'slot' in reference ? this.#names.get(reference.slot) : undefined;
    if (local !== undefined) return local;
    switch (expression.kind) {
      case 'identifier':
        return expression.name;
      case 'select':
        return `${this.#name(expression.operand)}.${expression.field}`;
      case 'call': {
        const [operand] = expression.args;
        return expression.name.startsWith('_[') && operand ? `${this.#name(operand)}[]` : 'a value';
      }
      default:
        return 'a value';
    }
  }

  #call(call: Call): number {
    const { name, args } = call;
    const [first, second, third] = args;
    if ((name === '_&&_' || name === '_||_') && first && second) return this.cost(first) + this.cost(second);
    if (name === '_?_:_' && first && second && third) {
      const cost = this.cost(first) + Math.max(this.cost(second), this.cost(third));
      this.#sizes.set(call, Math.max(this.#size(second), this.#size(third)));
      return cost;
    }
    const operands = operandsOf(call, this.#checked);
    const inner = operands.reduce((sum, operand) => sum + this.cost(operand), 0);
    const overloads = this.#checked.calls.get(call);
    return inner + (overloads ? this.#ofOverloads(call, overloads, operands) : 1);
  }

  /** The most of all overloads that may be meant. */
  #ofOverloads(call: Call, overloads: readonly Overload[], operands: readonly Expression[]): number {
    let most = 0;
    let size = 0;
    const sizes: [number, number, number] = [1, 1, 1];
    const isSized = overloads.some((one) => one.estimate ?? one.units ?? one.resultSize);
    if (isSized)
      operands.slice(0, 3).forEach((operand, at) => {
        sizes[at] = this.#size(operand);
      });
    for (const { estimate: estimated, units, resultSize } of overloads) {
      const cost = (estimated ?? units)?.(...sizes) ?? 1;
      most = Math.max(most, cost);
      if (resultSize) size = Math.max(size, resultSize(...sizes));
    }
    if (size > 0) this.#sizes.set(call, atMost(size));
    return most;
  }

  #list({ items }: ListLiteral): number {
    return items.reduce((sum, { value }) => sum + this.cost(value), LIST);
  }

  #map({ entries }: MapLiteral): number {
    return entries.reduce((sum, { key, value }) => sum + this.cost(key) + this.cost(value), MAP);
  }

  #loop(loop: Loop): number {
    const { range, condition, transform } = loop;
    const ranged = this.cost(range);
    const turns = this.#size(range);
    const slots = this.#checked.slots.get(loop) ?? [];
    for (const slot of slots) this.#names.set(slot, `${this.#name(range)}[]`);
    const isCollection = !['all', 'exists', 'existsOne'].includes(loop.loop);
    const own = isCollection ? COLLECTION : DECISION;
    const body = (condition ? this.cost(condition) : 0) + (transform ? this.cost(transform) : 0);
    if (isCollection) this.#sizes.set(loop, turns);
    return ranged + turns * (own + body) + (isCollection ? LIST : 0) + SELECT;
  }

  #bind(bind: Bind): number {
    const cost = this.cost(bind.value) + this.cost(bind.body) + LIST;
    this.#sizes.set(bind, this.#size(bind.body));
    return cost;
  }
}

const SCALARS = new Set(['bool', 'int', 'uint', 'double', 'null', 'timestamp', 'duration', 'type', 'opaque']);

function sizeOfType(type: Type): number {
  if (SCALARS.has(type.kind)) return 1;
  if (type.kind === 'object') return type.fields.size;
  return 'size' in type && type.size !== undefined ? type.size : REQUEST_BYTES;
}
