/**
 * The tree of an expression. Macros are nodes of their own and not spelled out as folds: checking, costing and running a
 * loop are clearer and faster when it is known for one. `at` is where an issue about the node is shown.
 */

interface Node {
  readonly at: number;
  /** Levels of nodes from here down, which bounds every recursion over the tree. */
  readonly height: number;
}

export interface Literal extends Node {
  readonly kind: 'literal';
  readonly value: unknown;
  readonly type: 'null' | 'bool' | 'int' | 'uint' | 'double' | 'string' | 'bytes';
}

export interface Identifier extends Node {
  readonly kind: 'identifier';
  /** Starts with a dot where the name is to be looked up from the root. */
  readonly name: string;
}

export interface Select extends Node {
  readonly kind: 'select';
  readonly operand: Expression;
  readonly field: string;
  /** `has(operand.field)`: whether it is there. */
  readonly isTest: boolean;
  /** `operand.?field`: an optional value. */
  readonly isOptional: boolean;
}

export interface Call extends Node {
  readonly kind: 'call';
  readonly name: string;
  readonly target: Expression | undefined;
  readonly args: readonly Expression[];
}

export interface ListLiteral extends Node {
  readonly kind: 'list';
  readonly items: readonly { readonly value: Expression; readonly isOptional: boolean }[];
}

export interface MapEntry {
  readonly at: number;
  readonly key: Expression;
  readonly value: Expression;
  readonly isOptional: boolean;
}

export interface MapLiteral extends Node {
  readonly kind: 'map';
  readonly entries: readonly MapEntry[];
}

export interface MessageField {
  readonly at: number;
  readonly name: string;
  readonly value: Expression;
  readonly isOptional: boolean;
}

/** `Name{field: value}`. No schema has named messages: the checker refuses it where the environment has none. */
export interface MessageLiteral extends Node {
  readonly kind: 'message';
  readonly name: string;
  readonly fields: readonly MessageField[];
}

export type LoopKind =
  | 'all'
  | 'exists'
  | 'existsOne'
  | 'filter'
  | 'map'
  | 'transformList'
  | 'transformMap'
  | 'transformMapEntry';

export interface Loop extends Node {
  readonly kind: 'loop';
  readonly loop: LoopKind;
  readonly range: Expression;
  /** One variable is the element of a list or the key of a map; of two, the first is the index or key. */
  readonly variables: readonly string[];
  readonly condition: Expression | undefined;
  readonly transform: Expression | undefined;
}

/** `cel.bind(name, value, body)`; with `optional`, `value.optMap(name, body)` or `value.optFlatMap(name, body)`. */
export interface Bind extends Node {
  readonly kind: 'bind';
  readonly name: string;
  readonly value: Expression;
  readonly body: Expression;
  readonly optional: 'map' | 'flatMap' | undefined;
}

export type Expression = Literal | Identifier | Select | Call | ListLiteral | MapLiteral | MessageLiteral | Loop | Bind;

/** `a.b.c` when the expression is nothing but names. */
export function qualifiedName(expression: Expression): string | undefined {
  const parts: string[] = [];
  let current = expression;
  while (current.kind === 'select' && !current.isTest && !current.isOptional) {
    parts.push(current.field);
    current = current.operand;
  }
  if (current.kind !== 'identifier') return undefined;
  parts.push(current.name);
  return parts.reverse().join('.');
}

/** What an expression is made of, in the order in which it is written. */
export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'literal':
    case 'identifier':
      return [];
    case 'message':
      return expression.fields.map(({ value }) => value);
    case 'select':
      return [expression.operand];
    case 'call':
      return expression.target ? [expression.target, ...expression.args] : expression.args;
    case 'list':
      return expression.items.map(({ value }) => value);
    case 'map':
      return expression.entries.flatMap(({ key, value }) => [key, value]);
    case 'loop':
      return [expression.range, expression.condition, expression.transform].filter((part) => part !== undefined);
    case 'bind':
      return [expression.value, expression.body];
  }
}
