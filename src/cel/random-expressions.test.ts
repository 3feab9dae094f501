import fc from 'fast-check';
import { expect, it } from 'vitest';
import { atOnce } from '../runtime/pacing.ts';
import { estimate } from './cost/estimate.ts';
import { compileExpression } from './expression.ts';
import { standardFunctions } from './functions/standard.ts';
import { renderIssues } from './syntax/issue.ts';
import { DYN, INT, listOf, mapOf, STRING, type Type } from './types/type.ts';

/** Whatever is written, it is a value, a failure or a list of issues: nothing is thrown, and every evaluation ends. */

const functions = standardFunctions();
const variables = new Map<string, Type>([
  ['i', INT],
  ['s', { ...STRING, size: 40 }],
  ['l', listOf(INT, { size: 20 })],
  ['m', mapOf(STRING, DYN, { size: 5 })],
  ['d', DYN],
]);
const VALUES = [7, 'abc', [1, 2, 3], { a: 1, b: 'x', c: [1.5, null, { d: true }] }, { e: [1, 'two', 3.5] }];
const UNITS = 20_000;
/** `CEL_RUNS=100000 npx vitest run src/cel/random-expressions.test.ts` tries more. */
const RUNS = Number(process.env.CEL_RUNS ?? 1_000);

const members = [...functions]
  .filter(([, overloads]) => overloads.some(({ isMember }) => isMember))
  .map(([name]) => name);
const globals = [...functions]
  .filter(([name, overloads]) => /^[a-zA-Z.0-9]+$/.test(name) && overloads.some(({ isMember }) => !isMember))
  .map(([name]) => name);
const OPERATORS = ['+', '-', '*', '/', '%', '==', '!=', '<', '<=', '>', '>=', '&&', '||', 'in'];
const MACROS = ['all', 'exists', 'exists_one', 'filter', 'map'];

const leaf = fc.constantFrom(
  ...['i', 's', 'l', 'm', 'd', 'true', 'null', '0', '-1', '9223372036854775807', '1u', '2.5', "'a'", "'1h'", "b'x'"],
  ...['[]', '{}', 'int', "'(a|b)*'", "timestamp('2020-01-01T00:00:00Z')", "duration('1s')", "quantity('1Gi')", 'x'],
);

const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 5, depthSize: 'medium', withCrossShrink: true },
    leaf,
    fc
      .tuple(tie('expression'), fc.constantFrom(...OPERATORS), tie('expression'))
      .map(([a, op, b]) => `(${a} ${op} ${b})`),
    fc.tuple(tie('expression'), fc.constantFrom(...members)).map(([a, name]) => `${a}.${name}()`),
    fc
      .tuple(tie('expression'), fc.constantFrom(...members), tie('expression'))
      .map(([a, name, b]) => `${a}.${name}(${b})`),
    fc.tuple(fc.constantFrom(...globals), tie('expression')).map(([name, a]) => `${name}(${a})`),
    fc
      .tuple(fc.constantFrom(...globals), tie('expression'), tie('expression'))
      .map(([name, a, b]) => `${name}(${a}, ${b})`),
    fc
      .tuple(tie('expression'), fc.constantFrom(...MACROS), tie('expression'))
      .map(([a, name, b]) => `${a}.${name}(x, ${b})`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `${a}[${b}]`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `[${a}, dyn(${b})]`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `{${a}: ${b}}`),
    fc.tuple(tie('expression'), tie('expression'), tie('expression')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
    tie('expression').map((a) => `dyn(${a})`),
    tie('expression').map((a) => `${a}.?e`),
    tie('expression').map((a) => `has(${a}.e)`),
    tie('expression').map((a) => `!${a}`),
    tie('expression').map((a) => `-${a}`),
  ),
}));

function attempt(source: string, allowsMixedLiterals: boolean): 'refused' | 'evaluated' {
  const compiled = compileExpression(source, { variables, functions, allowsMixedLiterals });
  if ('issues' in compiled) {
    expect(compiled.issues.length).toBeGreaterThan(0);
    expect(renderIssues(source, compiled.issues)).toMatch(/^ERROR: <input>:\d+:\d+: /);
    return 'refused';
  }
  const { cost } = estimate(compiled.program.checked);
  expect(Number.isFinite(cost) && cost >= 0).toBe(true);
  const before = JSON.stringify(VALUES);
  const { value, spent, isExhausted } = compiled.program.evaluate(VALUES, UNITS);
  expect(value === undefined).toBe(isExhausted);
  expect(spent).toBeLessThanOrEqual(UNITS);
  expect(JSON.stringify(VALUES)).toBe(before);
  // In steps, operands are evaluated that need not be: it may cost more, but gives the same.
  const inSteps = atOnce(compiled.program.evaluateWithRests(VALUES, 100 * UNITS));
  if (!isExhausted) expect(inSteps.value).toEqual(value);
  return 'evaluated';
}

it('any expression is evaluated or refused, and leaves its variables alone', () => {
  let evaluated = 0;
  fc.assert(
    fc.property(expression, fc.boolean(), (source, isMixed) => {
      if (attempt(source, isMixed) === 'evaluated') evaluated++;
    }),
    { numRuns: RUNS, seed: 15 },
  );
  // Expressions that never compile would show little.
  expect(evaluated).toBeGreaterThan(RUNS / 20);
});

it('dynamic operands are evaluated whatever they are', () => {
  const operand = fc.constantFrom(
    'd',
    'd.e',
    'm',
    'm.c',
    'd.e[0]',
    'd.e[1]',
    'd.e[2]',
    'm.c[1]',
    'm.zz',
    'dyn(l)',
    'dyn(s)',
    'dyn(1u)',
  );
  fc.assert(
    fc.property(operand, fc.constantFrom(...OPERATORS, ...members), operand, (a, name, b) => {
      attempt(OPERATORS.includes(name) ? `dyn(${a}) ${name} dyn(${b})` : `dyn(${a}).${name}(dyn(${b}))`, false);
    }),
    { numRuns: RUNS, seed: 16 },
  );
});

it('any text is read or refused', () => {
  const token = fc.constantFrom(
    ...'()[]{}.,:?!-+*/%<>="\'`\\rb|&@#\n 01xu'.split(''),
    'self',
    'in',
    '&&',
    '||',
    '==',
    "'''",
    '0x',
  );
  fc.assert(
    fc.property(fc.array(token, { maxLength: 60 }), (tokens) => {
      attempt(tokens.join(''), false);
    }),
    { numRuns: RUNS, seed: 17 },
  );
});
