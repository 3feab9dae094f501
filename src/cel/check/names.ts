import { type Expression, qualifiedName } from '../syntax/ast.ts';
import type { Type } from '../types/type.ts';
import type { Reference } from './checked.ts';
import { candidates, type Environment, TYPE_CONSTANTS } from './environment.ts';

interface Local {
  readonly name: string;
  readonly type: Type;
  readonly slot: number;
}

/** What names mean at the place that is being checked: variables of loops and bindings, of the environment, and types. */
export class Names {
  readonly references = new Map<Expression, Reference>();
  /** Where the variables of loops and bindings are kept. */
  readonly slots = new Map<Expression, readonly number[]>();
  readonly #environment: Environment;
  readonly #variableSlots: ReadonlyMap<string, number>;
  readonly #locals: Local[] = [];
  #slotCount: number;

  constructor(environment: Environment) {
    this.#environment = environment;
    this.#variableSlots = new Map([...environment.variables.keys()].map((name, slot) => [name, slot]));
    this.#slotCount = environment.variables.size;
  }

  get slotCount(): number {
    return this.#slotCount;
  }

  /** The type of a local, a variable or a constant; undefined when nothing has the name. */
  find(expression: Expression, name: string): Type | undefined {
    const local = this.#local(name);
    if (local) {
      this.references.set(expression, { slot: local.slot });
      return local.type;
    }
    for (const candidate of candidates(name, this.#environment.container)) {
      const slot = this.#variableSlots.get(candidate);
      if (slot !== undefined) {
        this.references.set(expression, { slot });
        return this.#environment.variables.get(candidate);
      }
      const constant = TYPE_CONSTANTS.get(candidate);
      if (constant) {
        this.references.set(expression, { value: constant.value });
        return constant.type;
      }
    }
    return undefined;
  }

  /** `a.b` may be a name with a dot in it, unless `a` is a local. */
  qualified(expression: Expression): string | undefined {
    const name = qualifiedName(expression);
    if (name === undefined || this.#local(name.split('.', 1)[0] ?? '')) return undefined;
    return name;
  }

  /** Declares variables for as long as `inside` takes. */
  scoped<T>(expression: Expression, variables: readonly (readonly [string, Type])[], inside: () => T): T {
    const slots = variables.map(([name, type]) => {
      const slot = this.#slotCount++;
      this.#locals.push({ name, type, slot });
      return slot;
    });
    this.slots.set(expression, slots);
    const result = inside();
    this.#locals.length -= variables.length;
    return result;
  }

  #local(name: string): Local | undefined {
    return this.#locals.findLast((local) => local.name === name);
  }
}
