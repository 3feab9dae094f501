import type { Bind, Call, Expression, Loop, LoopKind } from './ast.ts';
import type { Issue } from './issue.ts';

interface MacroIssue {
  readonly issue: Issue;
}

/** What a call stands for if it is a macro, by its name and the number of its arguments. */
export function expandMacro(call: Call): Expression | MacroIssue | undefined {
  const { name, target, args } = call;
  if (!target) return name === 'has' && args.length === 1 ? expandHas(call) : undefined;
  if (target.kind === 'identifier' && target.name === 'cel' && name === 'bind' && args.length === 3) {
    return expandBind(call, args[1], args[2], undefined);
  }
  if (name === 'optMap' && args.length === 2) return expandBind(call, target, args[1], 'map');
  if (name === 'optFlatMap' && args.length === 2) return expandBind(call, target, args[1], 'flatMap');
  const loop = LOOPS.get(`${name}/${args.length}`);
  return loop && expandLoop(call, target, loop);
}

const issue = (at: number, message: string): MacroIssue => ({ issue: { at, message } });

function expandHas({ at, args: [field] }: Call): Expression | MacroIssue {
  if (field?.kind !== 'select' || field.isTest) return issue(field?.at ?? at, 'invalid argument to has() macro');
  return { ...field, isTest: true };
}

interface LoopForm {
  readonly loop: LoopKind;
  readonly variables: 1 | 2;
  /** What the arguments after the variables are. */
  readonly parts: 'condition' | 'transform' | 'condition and transform';
}

const LOOPS: ReadonlyMap<string, LoopForm> = new Map<string, LoopForm>([
  ['all/2', { loop: 'all', variables: 1, parts: 'condition' }],
  ['exists/2', { loop: 'exists', variables: 1, parts: 'condition' }],
  ['exists_one/2', { loop: 'existsOne', variables: 1, parts: 'condition' }],
  ['existsOne/2', { loop: 'existsOne', variables: 1, parts: 'condition' }],
  ['filter/2', { loop: 'filter', variables: 1, parts: 'condition' }],
  ['map/2', { loop: 'map', variables: 1, parts: 'transform' }],
  ['map/3', { loop: 'map', variables: 1, parts: 'condition and transform' }],
  ['all/3', { loop: 'all', variables: 2, parts: 'condition' }],
  ['exists/3', { loop: 'exists', variables: 2, parts: 'condition' }],
  ['exists_one/3', { loop: 'existsOne', variables: 2, parts: 'condition' }],
  ['existsOne/3', { loop: 'existsOne', variables: 2, parts: 'condition' }],
  ['transformList/3', { loop: 'transformList', variables: 2, parts: 'transform' }],
  ['transformList/4', { loop: 'transformList', variables: 2, parts: 'condition and transform' }],
  ['transformMap/3', { loop: 'transformMap', variables: 2, parts: 'transform' }],
  ['transformMap/4', { loop: 'transformMap', variables: 2, parts: 'condition and transform' }],
  ['transformMapEntry/3', { loop: 'transformMapEntry', variables: 2, parts: 'transform' }],
  ['transformMapEntry/4', { loop: 'transformMapEntry', variables: 2, parts: 'condition and transform' }],
]);

/** Names that the original uses itself inside of loops. */
const ACCUMULATORS = new Set(['__result__', '@result']);

function variableName(expression: Expression | undefined, at: number): string | MacroIssue {
  if (expression?.kind !== 'identifier' || expression.name.startsWith('.')) {
    return issue(expression?.at ?? at, 'argument must be a simple name');
  }
  if (ACCUMULATORS.has(expression.name)) {
    return issue(expression.at, 'iteration variable overwrites accumulator variable');
  }
  return expression.name;
}

function expandLoop(call: Call, range: Expression, form: LoopForm): Loop | MacroIssue {
  const { at, height, args } = call;
  const variables: string[] = [];
  for (const arg of args.slice(0, form.variables)) {
    const name = variableName(arg, at);
    if (typeof name !== 'string') return name;
    if (variables.includes(name)) return issue(arg.at, `duplicate variable name: ${name}`);
    variables.push(name);
  }
  const rest = args.slice(form.variables);
  const [first, second] = rest;
  return {
    kind: 'loop',
    loop: form.loop,
    range,
    variables,
    condition: form.parts === 'transform' ? undefined : first,
    transform: form.parts === 'condition' ? undefined : (second ?? first),
    at,
    height,
  };
}

function expandBind(
  { at, height, args }: Call,
  value: Expression | undefined,
  body: Expression | undefined,
  optional: Bind['optional'],
): Bind | MacroIssue {
  const name = variableName(args[0], at);
  if (typeof name !== 'string') return name;
  if (!value || !body) return issue(at, 'argument must be a simple name');
  return { kind: 'bind', name, value, body, optional, at, height };
}
