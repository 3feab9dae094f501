import { type Checked, operandsOf } from '../check/checked.ts';
import type { Bind, Call, Expression, ListLiteral, Loop, MapLiteral, MessageLiteral, Select } from '../syntax/ast.ts';
import type { Type } from '../types/type.ts';
import { MapBuilder } from '../values/map-builder.ts';
import { Failure, Optional } from '../values/values.ts';
import { binding } from './bindings.ts';
import { compileCall } from './calls.ts';
import type { Code } from './frame.ts';
import { choice, either } from './logic.ts';
import { isPresent, itemAt, member, optionalItem, optionalMember } from './lookup.ts';
import { compileLoop } from './loops.ts';
import { differsInside, readerOf, readWhole } from './readers.ts';

const NO_OVERLOAD = new Failure('no such overload');
const UNSET = new Failure('no such attribute');

/** Turns a checked expression into closures. Nothing is looked up by name when they run. */
export function compile(checked: Checked): Code {
  return new Compiler(checked).whole(checked.expression);
}

export class Compiler {
  readonly #checked: Checked;
  readonly #kept = new Map<Expression, number>();

  constructor(checked: Checked) {
    this.#checked = checked;
  }

  /** The value of the expression will be found in a slot: nothing is compiled for it any more. */
  keep(expression: Expression, slot: number): void {
    this.#kept.set(expression, slot);
  }

  /** For those who look at the value as a whole: everything in it is what its type says. */
  whole(expression: Expression): Code {
    const code = this.part(expression);
    const type = this.#checked.typeOf(expression);
    if (!differsInside(type)) return code;
    return (frame) => readWhole(frame, type, code(frame));
  }

  /** For those who look into the value: what is in it is still as the document has it. */
  part(expression: Expression): Code {
    const kept = this.#kept.get(expression);
    if (kept !== undefined) return (frame) => frame.slots[kept];
    switch (expression.kind) {
      case 'literal': {
        const { value } = expression;
        return () => value;
      }
      case 'identifier':
        return this.#reference(expression) ?? (() => UNSET);
      case 'select':
        return this.#reference(expression) ?? this.#select(expression);
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
      case 'message':
        return this.#message(expression);
    }
  }

  #loop(expression: Loop): Code {
    const { loop, range, condition, transform } = expression;
    const slots = this.#checked.slots.get(expression) ?? [];
    return compileLoop({ loop, slots, rangeType: this.#checked.typeOf(range) }, this.part(range), {
      condition: condition && this.whole(condition),
      transform: transform && this.whole(transform),
    });
  }

  #reference(expression: Expression): Code | undefined {
    const reference = this.#checked.references.get(expression);
    if (!reference) return undefined;
    if ('value' in reference) return () => reference.value;
    const { slot } = reference;
    const read = readerOf(this.#checked.typeOf(expression));
    if (read) {
      return (frame) => {
        frame.spend(1);
        const value = frame.slots[slot];
        return value === undefined ? UNSET : read(value, frame);
      };
    }
    return (frame) => {
      frame.spend(1);
      const value = frame.slots[slot];
      return value === undefined ? UNSET : value;
    };
  }

  #select(select: Select): Code {
    const operand = this.part(select.operand);
    const operandType = this.#checked.typeOf(select.operand);
    const container = operandType.kind === 'optional' ? operandType.of : operandType;
    const declared = container.kind === 'object' ? container.fields.get(select.field) : undefined;
    const name = declared?.name ?? select.field;
    if (select.isTest) return isPresent(operand, name);
    const read = readerOf(fieldType(container, declared?.type));
    if (select.isOptional || operandType.kind === 'optional') return optionalMember(operand, name, read);
    return member(operand, name, select.field, read, operandType.kind === 'object');
  }

  #call(call: Call): Code {
    const { name, args } = call;
    const [first, second, third] = args;
    switch (name) {
      case '_&&_':
      case '_||_':
        return first && second ? either(this.part(first), this.part(second), name === '_||_') : () => NO_OVERLOAD;
      case '_?_:_':
        return first && second && third
          ? choice(this.part(first), this.whole(second), this.whole(third))
          : () => NO_OVERLOAD;
      case '_[_]':
      case '_[?_]':
        return first && second ? this.#index(call, first, second) : () => NO_OVERLOAD;
      default: {
        const codes = operandsOf(call, this.#checked).map((operand) => this.whole(operand));
        return compileCall(this.#checked.calls.get(call) ?? [], codes);
      }
    }
  }

  #index(call: Call, operand: Expression, key: Expression): Code {
    const operandType = this.#checked.typeOf(operand);
    const container = operandType.kind === 'optional' ? operandType.of : operandType;
    const read = readerOf(itemType(container));
    const isOptional = call.name === '_[?_]' || operandType.kind === 'optional';
    const codes = [this.part(operand), this.whole(key)] as const;
    return isOptional ? optionalItem(...codes, read) : itemAt(...codes, read);
  }

  #list({ items }: ListLiteral): Code {
    const parts = items.map(({ value, isOptional }) => ({ code: this.whole(value), isOptional }));
    const isConstant = items.every(({ value, isOptional }) => value.kind === 'literal' && !isOptional);
    if (isConstant) {
      const values = items.map(({ value }) => (value.kind === 'literal' ? value.value : undefined));
      return (frame) => {
        frame.spend(1);
        return values;
      };
    }
    return (frame) => {
      frame.spend(10 + parts.length);
      const made: unknown[] = [];
      for (const { code, isOptional } of parts) {
        const value = code(frame);
        if (value instanceof Failure) return value;
        if (!isOptional) made.push(value);
        else if (!(value instanceof Optional)) return NO_OVERLOAD;
        else if (value.hasValue) made.push(value.value);
      }
      return made;
    };
  }

  #map({ entries }: MapLiteral): Code {
    const parts = entries.map(({ key, value, isOptional }) => ({
      key: this.whole(key),
      value: this.whole(value),
      isOptional,
    }));
    return (frame) => {
      frame.spend(30 + 2 * parts.length);
      const made = new MapBuilder();
      for (const part of parts) {
        const key = part.key(frame);
        if (key instanceof Failure) return key;
        const value = part.value(frame);
        if (value instanceof Failure) return value;
        if (part.isOptional && !(value instanceof Optional)) return NO_OVERLOAD;
        const isLeftOut = part.isOptional && value instanceof Optional && !value.hasValue;
        const problem = isLeftOut ? undefined : made.add(key, part.isOptional ? unwrapped(value) : value);
        if (problem) return problem;
      }
      return made.entries;
    };
  }

  /** A message is an object as documents have them. */
  #message({ fields }: MessageLiteral): Code {
    const parts = fields.map(({ name, value, isOptional }) => ({ name, code: this.whole(value), isOptional }));
    return (frame) => {
      frame.spend(30 + 2 * parts.length);
      const made: Record<string, unknown> = Object.create(null);
      for (const { name, code, isOptional } of parts) {
        const value = code(frame);
        if (value instanceof Failure) return value;
        if (!isOptional) made[name] = value;
        else if (!(value instanceof Optional)) return NO_OVERLOAD;
        else if (value.hasValue) made[name] = value.value;
      }
      return made;
    };
  }

  #bind(bind: Bind): Code {
    const [slot = 0] = this.#checked.slots.get(bind) ?? [];
    return binding(slot, bind.optional, this.whole(bind.value), this.whole(bind.body));
  }
}

const unwrapped = (value: unknown): unknown => (value instanceof Optional ? value.value : value);

const fieldType = (container: Type, declared: Type | undefined): Type =>
  declared ?? (container.kind === 'map' ? container.value : { kind: 'dyn' });

const itemType = (container: Type): Type => {
  if (container.kind === 'list') return container.item;
  return container.kind === 'map' ? container.value : { kind: 'dyn' };
};
