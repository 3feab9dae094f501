import type { Overload } from '../functions/signature.ts';
import type { Bind, Call, Expression, ListLiteral, Loop, MapLiteral, MessageLiteral, Select } from '../syntax/ast.ts';
import type { Issue } from '../syntax/issue.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  STRING,
  type Type,
  typeText,
  UINT,
} from '../types/type.ts';
import { Unifier } from '../types/unifier.ts';
import { type Checked, operandsOf } from './checked.ts';
import { candidates, type Environment, TYPE_CONSTANTS } from './environment.ts';
import { type Iterated, iterated, resultOf, UNKNOWN_ITEMS } from './loop-types.ts';
import { Names } from './names.ts';
import { widened } from './widened.ts';

export type CheckResult = { readonly checked: Checked } | { readonly issues: readonly Issue[] };

/** Finds the type of every part of an expression, and what its names and calls mean. */
export function check(expression: Expression, environment: Environment): CheckResult {
  const checker = new Checker(environment);
  checker.type(expression);
  return checker.issues.length > 0 ? { issues: checker.issues } : { checked: checker.result(expression) };
}

const LITERALS = { null: NULL, bool: BOOL, int: INT, uint: UINT, double: DOUBLE, string: STRING, bytes: BYTES };
const NOT_A_RANGE = 'cannot be range of a comprehension (must be list, map, or dynamic)';

/** Of a type in a message. */
const LONGEST_TEXT = 300;

class Checker {
  readonly issues: Issue[] = [];
  readonly #environment: Environment;
  readonly #unifier = new Unifier();
  readonly #types = new Map<Expression, Type>();
  readonly #calls = new Map<Call, readonly Overload[]>();
  readonly #global = new Set<Call>();
  readonly #names: Names;

  constructor(environment: Environment) {
    this.#environment = environment;
    this.#names = new Names(environment);
  }

  result(expression: Expression): Checked {
    return {
      expression,
      typeOf: (part) => this.#unifier.settle(this.#types.get(part) ?? DYN),
      references: this.#names.references,
      calls: this.#calls,
      global: this.#global,
      slots: this.#names.slots,
      slotCount: this.#names.slotCount,
    };
  }

  type(expression: Expression): Type {
    const type = this.#typeOf(expression);
    this.#types.set(expression, type);
    return type;
  }

  #issue(at: number, message: string): Type {
    this.issues.push({ at, message });
    return DYN;
  }

  #text(type: Type): string {
    const text = typeText(this.#unifier.settle(type));
    return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
  }

  #typeOf(expression: Expression): Type {
    switch (expression.kind) {
      case 'literal': {
        const type = LITERALS[expression.type];
        const { value } = expression;
        return typeof value === 'string' || value instanceof Uint8Array
          ? ({ ...type, size: value.length } as Type)
          : type;
      }
      case 'identifier':
        return this.#names.find(expression, expression.name) ?? this.#undeclared(expression.at, expression.name);
      case 'select':
        return this.#select(expression);
      case 'call':
        return this.#call(expression);
      case 'list':
        return this.#list(expression);
      case 'map':
        return this.#map(expression);
      case 'message':
        return this.#message(expression);
      case 'loop':
        return this.#loop(expression);
      case 'bind':
        return this.#bind(expression);
    }
  }

  #undeclared(at: number, name: string): Type {
    const shown = name.startsWith('.') ? name.slice(1) : name;
    return this.#issue(at, `undeclared reference to '${shown}' (in container '${this.#environment.container ?? ''}')`);
  }

  #message({ name, at, fields }: MessageLiteral): Type {
    const { messages } = this.#environment;
    const type = messages?.typeOf(name);
    if (messages && type) {
      for (const { name: field, value, isOptional, at: place } of fields) {
        const given = this.#unifier.settle(this.#element(value, isOptional));
        const problem = messages.fieldProblem(type, field, given);
        if (problem !== undefined) this.#issue(place, problem);
      }
      return type;
    }
    return TYPE_CONSTANTS.has(name) ? this.#issue(at, `'${name}' is not a message type`) : this.#undeclared(at, name);
  }

  #select(expression: Select): Type {
    const { operand, field, at, isTest, isOptional } = expression;
    if (!isTest && !isOptional) {
      const name = this.#names.qualified(expression);
      const found = name === undefined ? undefined : this.#names.find(expression, name);
      if (found) return found;
    }
    const type = this.#unifier.resolve(this.type(operand));
    const isChain = type.kind === 'optional';
    const found = this.#field(isChain ? this.#unifier.resolve(type.of) : type, field, at);
    if (isTest) return BOOL;
    return isChain || isOptional ? optionalOf(found) : found;
  }

  #field(type: Type, name: string, at: number): Type {
    switch (type.kind) {
      case 'dyn':
      case 'variable':
        return DYN;
      case 'object':
        return type.fields.get(name)?.type ?? this.#issue(at, `undefined field '${name}'`);
      case 'map':
        if (this.#unifier.accepts([type.key], [STRING])) return type.value;
        break;
      default:
    }
    return this.#issue(at, `type '${this.#text(type)}' does not support field selection`);
  }

  #call(call: Call): Type {
    switch (call.name) {
      case '_&&_':
      case '_||_':
        return this.#operator(call, [BOOL, BOOL], BOOL);
      case '_?_:_':
        return this.#choice(call);
      case '_[_]':
      case '_[?_]':
        return this.#index(call);
      default:
        return this.#function(call);
    }
  }

  #operator(call: Call, wanted: readonly Type[], result: Type): Type {
    const given = call.args.map((arg) => this.type(arg));
    return this.#unifier.accepts(wanted, given) ? result : this.#noOverload(call, given, false);
  }

  #choice(call: Call): Type {
    const given = call.args.map((arg) => this.type(arg));
    const [, yes = DYN, no = DYN] = given;
    const either = this.#unifier.variable();
    if (!this.#unifier.accepts([BOOL, either, either], given)) return this.#noOverload(call, given, false);
    return this.#unifier.resolve(yes).kind === 'dyn' || this.#unifier.resolve(no).kind === 'dyn'
      ? DYN
      : widened(this.#unifier.resolve(yes).kind === 'null' ? no : yes, no);
  }

  #index(call: Call): Type {
    const given = call.args.map((arg) => this.type(arg));
    const [operand = DYN, key = DYN] = given.map((type) => this.#unifier.resolve(type));
    const isChain = operand.kind === 'optional';
    const container = isChain ? this.#unifier.resolve(operand.of) : operand;
    const found = this.#item(container, key);
    if (!found) return this.#noOverload(call, given, false);
    return isChain || call.name === '_[?_]' ? optionalOf(found) : found;
  }

  #item(container: Type, key: Type): Type | undefined {
    switch (container.kind) {
      case 'list':
        return this.#unifier.accepts([INT], [key]) ? container.item : undefined;
      case 'map':
        return this.#unifier.accepts([container.key], [key]) ? container.value : undefined;
      case 'dyn':
      case 'variable':
        return DYN;
      default:
        return undefined;
    }
  }

  #noOverload({ name, at }: Call, given: readonly Type[], isMember: boolean): Type {
    const [target, ...args] = given.map((type) => this.#text(type));
    const shown = isMember ? `${target}.(${args.join(', ')})` : `(${[target, ...args].filter(Boolean).join(', ')})`;
    return this.#issue(at, `found no matching overload for '${name}' applied to '${shown}'`);
  }

  #function(call: Call): Type {
    const overloads = this.#overloads(call);
    const isMember = call.target !== undefined && !this.#global.has(call);
    const given = operandsOf(call, { global: this.#global }).map((arg) => this.type(arg));
    if (overloads === undefined) return this.#undeclared(call.at, call.name);
    let result: Type | undefined;
    const fitting: Overload[] = [];
    for (const overload of overloads) {
      if (overload.isMember !== isMember || overload.params.length !== given.length) continue;
      const { params, result: returned } = overload.isGeneric ? this.#unifier.instantiate(overload) : overload;
      if (!this.#unifier.accepts(params, given)) continue;
      fitting.push(overload);
      result = result === undefined || this.#isSame(result, returned) ? returned : DYN;
    }
    this.#calls.set(call, fitting);
    return result ?? this.#noOverload(call, given, isMember);
  }

  #isSame(a: Type, b: Type): boolean {
    return typeText(this.#unifier.settle(a)) === typeText(this.#unifier.settle(b));
  }

  /** The overloads of a function, whose name may begin with what looks like a target: `math.abs(x)`. */
  #overloads(call: Call): readonly Overload[] | undefined {
    const { functions, container } = this.#environment;
    const prefix = call.target && this.#names.qualified(call.target);
    if (prefix !== undefined) {
      const name = candidates(`${prefix}.${call.name}`, container).find((candidate) => functions.has(candidate));
      if (name !== undefined) {
        this.#global.add(call);
        return functions.get(name);
      }
    }
    if (call.target) return functions.get(call.name);
    const name = candidates(call.name, container).find((candidate) => functions.has(candidate));
    return name === undefined ? undefined : functions.get(name);
  }

  #list({ items }: ListLiteral): Type {
    const types = items.map(({ value, isOptional }) => this.#element(value, isOptional));
    const at = (index: number): number => items[index]?.value.at ?? 0;
    return listOf(this.#joined(types, at), { size: items.length });
  }

  #map({ entries }: MapLiteral): Type {
    const keys = entries.map(({ key }) => this.type(key));
    const values = entries.map(({ value, isOptional }) => this.#element(value, isOptional));
    const key = this.#joined(keys, (index) => entries[index]?.key.at ?? 0);
    const value = this.#joined(values, (index) => entries[index]?.value.at ?? 0);
    return mapOf(key, value, { size: entries.length });
  }

  /** Of `?value`, the type of what is in the optional value. */
  #element(value: Expression, isOptional: boolean): Type {
    const type = this.type(value);
    if (!isOptional) return type;
    const inner = this.#unifier.variable();
    if (this.#unifier.accepts([optionalOf(inner)], [type])) return inner;
    return this.#issue(value.at, `expected type 'optional_type(dyn)' but found '${this.#text(type)}'`);
  }

  #joined(types: readonly Type[], at: (index: number) => number): Type {
    const [first] = types;
    if (!first) return this.#unifier.variable();
    let joined = first;
    for (const [index, type] of types.entries()) {
      if (index === 0) continue;
      if (this.#unifier.resolve(type).kind === 'dyn') joined = DYN;
      else if (this.#unifier.accepts([joined], [type])) {
        joined = widened(this.#unifier.resolve(joined).kind === 'null' ? type : joined, type);
      } else if (this.#environment.allowsMixedLiterals) joined = DYN;
      else {
        return this.#issue(at(index), `expected type '${this.#text(joined)}' but found '${this.#text(type)}'`);
      }
    }
    return joined;
  }

  #loop(loop: Loop): Type {
    const { range, variables, condition, transform } = loop;
    const rangeType = this.#unifier.resolve(this.type(range));
    const items = iterated(rangeType) ?? this.#notARange(rangeType, range.at);
    const types = variables.length === 2 ? [items.key, items.value] : [items.single];
    const declared = variables.map((name, at) => [name, types[at] ?? DYN] as const);
    return this.#names.scoped(loop, declared, () => {
      if (condition) this.#condition(condition);
      const made = transform ? this.type(transform) : DYN;
      const entries = loop.loop === 'transformMapEntry' ? this.#entries(made, transform?.at ?? 0) : made;
      return resultOf(loop.loop, rangeType, items, entries);
    });
  }

  #notARange(type: Type, at: number): Iterated {
    this.#issue(at, `expression of type '${this.#text(type)}' ${NOT_A_RANGE}`);
    return UNKNOWN_ITEMS;
  }

  /** The entries that each turn gives are a map. */
  #entries(made: Type, at: number): Type {
    const entry = mapOf(this.#unifier.variable(), this.#unifier.variable());
    if (this.#unifier.accepts([entry], [made])) return entry;
    this.#issue(at, `expected type 'map' but found '${this.#text(made)}'`);
    return entry;
  }

  #condition(condition: Expression): void {
    const type = this.type(condition);
    if (this.#unifier.accepts([BOOL], [type])) return;
    this.#issue(condition.at, `expected type 'bool' but found '${this.#text(type)}'`);
  }

  #bind(bind: Bind): Type {
    const { name, value, body, optional } = bind;
    const type = this.type(value);
    if (!optional) return this.#names.scoped(bind, [[name, type]], () => this.type(body));
    const inner = this.#unifier.variable();
    if (!this.#unifier.accepts([optionalOf(inner)], [type])) {
      const method = optional === 'map' ? 'optMap' : 'optFlatMap';
      return this.#issue(bind.at, `found no matching overload for '${method}' applied to '${this.#text(type)}.(…)'`);
    }
    const made = this.#names.scoped(bind, [[name, inner]], () => this.type(body));
    if (optional === 'map') return optionalOf(made);
    const flat = optionalOf(this.#unifier.variable());
    if (this.#unifier.accepts([flat], [made])) return flat;
    return this.#issue(body.at, `expected type 'optional_type' but found '${this.#text(made)}'`);
  }
}
