import type { Overload } from '../functions/signature.ts';
import type { Call, Expression } from '../syntax/ast.ts';
import type { Type } from '../types/type.ts';

/** What a name stands for: a place in the frame, or a value. */
export type Reference = { readonly slot: number } | { readonly value: unknown };

/** An expression whose types are known. */
export interface Checked {
  readonly expression: Expression;
  typeOf(expression: Expression): Type;
  readonly references: ReadonlyMap<Expression, Reference>;
  /** Calls of functions, with the overloads that fit what is known; others are operators of the language. */
  readonly calls: ReadonlyMap<Call, readonly Overload[]>;
  /** Calls whose target is but part of the name of the function. */
  readonly global: ReadonlySet<Call>;
  /** Where the variables of loops and bindings are kept. */
  readonly slots: ReadonlyMap<Expression, readonly number[]>;
  readonly slotCount: number;
}

/** What a call hands to its function: the target is the first argument, unless it is part of the name. */
export function operandsOf(call: Call, { global }: Pick<Checked, 'global'>): readonly Expression[] {
  return call.target !== undefined && !global.has(call) ? [call.target, ...call.args] : call.args;
}
