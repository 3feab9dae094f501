import { DYN, type Type, type VariableType } from './type.ts';

/** A type that is made of variables can be much larger than the expression it is of: no more of it is looked at. */
const MOST_PARTS = 1_000;

const isOpen = (type: Type): boolean => type.kind === 'dyn';

/** Takes null besides values of its own. */
const takesNull = (type: Type): boolean => {
  switch (type.kind) {
    case 'object':
    case 'timestamp':
    case 'duration':
    case 'opaque':
    case 'optional':
      return true;
    default:
      return 'isNullable' in type && type.isNullable === true;
  }
};

/** The type without what its values are known to be bounded by: a variable stands for other values too. */
function unbounded(type: Type): Type {
  if (type.kind !== 'string' && type.kind !== 'bytes' && type.kind !== 'list' && type.kind !== 'map') return type;
  const { size: _, missing: __, ...plain } = type;
  return plain;
}

/** What a function takes and gives. */
export interface Signature {
  readonly params: readonly Type[];
  readonly result: Type;
}

/** Finds out what type variables stand for, while an expression is checked. An attempt can be taken back. */
export class Unifier {
  readonly #bound: (Type | undefined)[] = [];
  readonly #trail: number[] = [];
  /** Parts of types that may yet be looked at for one question. */
  #left = MOST_PARTS;

  variable(): VariableType {
    this.#bound.push(undefined);
    return { kind: 'variable', id: this.#bound.length - 1 };
  }

  /** The type that a variable stands for by now; others are themselves. */
  resolve(type: Type): Type {
    let current = type;
    while (current.kind === 'variable') {
      const bound = this.#bound[current.id];
      if (!bound) return current;
      current = bound;
    }
    return current;
  }

  /** A type without variables; what stayed unknown is dynamic. */
  settle(type: Type): Type {
    this.#left = MOST_PARTS;
    return this.#settle(type);
  }

  #settle(type: Type): Type {
    const known = this.resolve(type);
    if (--this.#left < 0) return DYN;
    switch (known.kind) {
      case 'variable':
        return DYN;
      case 'list': {
        const item = this.#settle(known.item);
        return item === known.item ? known : { ...known, item };
      }
      case 'map': {
        const key = this.#settle(known.key);
        const value = this.#settle(known.value);
        return key === known.key && value === known.value ? known : { ...known, key, value };
      }
      case 'optional':
      case 'type': {
        const of = this.#settle(known.of);
        return of === known.of ? known : { ...known, of };
      }
      default:
        return known;
    }
  }

  /** Each parameter of a signature as a variable of its own. */
  instantiate({ params, result }: Signature): Signature {
    const variables = new Map<string, Type>();
    const replace = (type: Type): Type => {
      switch (type.kind) {
        case 'parameter': {
          const variable = variables.get(type.name) ?? this.variable();
          variables.set(type.name, variable);
          return variable;
        }
        case 'list':
          return { ...type, item: replace(type.item) };
        case 'map':
          return { ...type, key: replace(type.key), value: replace(type.value) };
        case 'optional':
        case 'type':
          return { ...type, of: replace(type.of) };
        default:
          return type;
      }
    };
    return { params: params.map(replace), result: replace(result) };
  }

  /** Whether each of `given` can be used where `wanted` is; if not, nothing is learned from the attempt. */
  accepts(wanted: readonly Type[], given: readonly Type[]): boolean {
    if (wanted.length !== given.length) return false;
    const mark = this.#trail.length;
    this.#left = MOST_PARTS;
    if (wanted.every((type, at) => this.#fits(type, given[at] ?? DYN))) return true;
    while (this.#trail.length > mark) {
      const id = this.#trail.pop();
      if (id !== undefined) this.#bound[id] = undefined;
    }
    return false;
  }

  #bind(variable: VariableType, type: Type): boolean {
    if (this.#occurs(variable, type)) return false;
    this.#bound[variable.id] = unbounded(type);
    this.#trail.push(variable.id);
    return true;
  }

  #occurs(variable: VariableType, within: Type): boolean {
    const type = this.resolve(within);
    if (--this.#left < 0) return true;
    switch (type.kind) {
      case 'variable':
        return type.id === variable.id;
      case 'list':
        return this.#occurs(variable, type.item);
      case 'map':
        return this.#occurs(variable, type.key) || this.#occurs(variable, type.value);
      case 'optional':
      case 'type':
        return this.#occurs(variable, type.of);
      default:
        return false;
    }
  }

  #fits(wantedType: Type, givenType: Type): boolean {
    const wanted = this.resolve(wantedType);
    const given = this.resolve(givenType);
    if (--this.#left < 0) return false;
    if (wanted.kind === 'variable') return sameVariable(wanted, given) || this.#bind(wanted, given);
    if (given.kind === 'variable') return this.#bind(given, wanted);
    if (isOpen(wanted) || isOpen(given)) return true;
    if (given.kind === 'null' && takesNull(wanted)) return true;
    if (wanted.kind === 'null' && takesNull(given)) return true;
    return this.#sameShape(wanted, given);
  }

  #sameShape(wanted: Type, given: Type): boolean {
    switch (wanted.kind) {
      case 'list':
        return given.kind === 'list' && this.#fits(wanted.item, given.item);
      case 'map':
        return given.kind === 'map' && this.#fits(wanted.key, given.key) && this.#fits(wanted.value, given.value);
      case 'optional':
        return given.kind === 'optional' && this.#fits(wanted.of, given.of);
      // Types of types can be compared whatever they are.
      case 'type':
        return given.kind === 'type';
      case 'object':
        // An object is of one place in a schema: two places that say the same are two types.
        return given === wanted;
      case 'opaque':
        return given.kind === 'opaque' && given.name === wanted.name;
      default:
        return given.kind === wanted.kind;
    }
  }
}

const sameVariable = (wanted: Type, given: Type): boolean =>
  wanted.kind === 'variable' && given.kind === 'variable' && wanted.id === given.id;
