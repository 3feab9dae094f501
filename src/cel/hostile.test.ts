import { describe, expect, it } from 'vitest';
import { compileExpression } from './expression.ts';
import { partsOf } from './functions/pattern.ts';
import { standardFunctions } from './functions/standard.ts';
import { renderIssues } from './syntax/issue.ts';
import { DYN, listOf, STRING, type Type } from './types/type.ts';
import { Failure } from './values/values.ts';

/** What anyone may send: bounded in length, depth, time and memory, and answered with an error of ours. */

const functions = standardFunctions();
const variables = new Map<string, Type>([
  ['text', STRING],
  ['list', listOf(DYN)],
]);
const UNITS = 1_000_000;

function problemsOf(source: string): string {
  const compiled = compileExpression(source, { variables, functions });
  return 'issues' in compiled ? renderIssues(source, compiled.issues) : 'none';
}

function evaluated(source: string, text = '', list: readonly unknown[] = []): unknown {
  const compiled = compileExpression(source, { variables, functions });
  if ('issues' in compiled) throw new Error(renderIssues(source, compiled.issues));
  const { value, isExhausted } = compiled.program.evaluate([text, list], UNITS);
  return isExhausted ? 'exhausted' : value;
}

describe('a long expression', () => {
  it('is refused beyond a hundred thousand characters', () => {
    expect(problemsOf(`'${'x'.repeat(100_000)}' == text`)).toContain(
      'expression code point size exceeds limit: size: 100010, limit 100000',
    );
  });

  it('is taken up to that', () => {
    expect(problemsOf(`'${'x'.repeat(90_000)}' == text`)).toBe('none');
    expect(problemsOf(`true${' && true'.repeat(12_000)}`)).toBe('none');
    expect(problemsOf(`1 in [${'1,'.repeat(45_000)}1]`)).toBe('none');
    expect(evaluated(`[${Array.from({ length: 8_000 }, (_, at) => `text+'${at}'`).join(',')}].size()`)).toBe(8_000);
  });

  it('of nothing but errors is answered with some of them', () => {
    const text = problemsOf('$'.repeat(90_000));
    expect(text.length).toBeLessThan(50_000);
    expect(text).toMatch(/and \d+ more$/);
  });
});

describe('a deep expression', () => {
  const TOO_DEEP = 'expression recursion limit exceeded: 250';

  it.each([
    ['parentheses', `${'('.repeat(1_000)}1${')'.repeat(1_000)}`],
    ['very many parentheses', `${'('.repeat(49_000)}1${')'.repeat(49_000)}`],
    ['lists', `${'['.repeat(1_000)}1${']'.repeat(1_000)}`],
    ['maps', `${'{1:'.repeat(1_000)}1${'}'.repeat(1_000)}`],
    ['calls', `${'string('.repeat(1_000)}1${')'.repeat(1_000)}`],
    ['members', `text${'.trim()'.repeat(1_000)}`],
    ['fields', `list${'.a'.repeat(1_000)}`],
    ['indexes', `list${'[0]'.repeat(1_000)}`],
    ['sums', `1${' + 1'.repeat(1_000)}`],
    ['choices', `${'true ? 1 : '.repeat(1_000)}1`],
    ['negations', `${'!-'.repeat(1_000)}1`],
    ['loops', `${'list.all(x, '.repeat(1_000)}true${')'.repeat(1_000)}`],
    ['bindings', `${'cel.bind(x, 1, '.repeat(1_000)}true${')'.repeat(1_000)}`],
  ])('of %s is refused', (_, source) => {
    expect(problemsOf(source)).toContain(TOO_DEEP);
  });

  it('of a few hundred levels is not', () => {
    expect(evaluated(`1${' + 1'.repeat(240)}`)).toBe(241);
  });

  it('whose types double with every level is checked all the same', () => {
    const levels = Array.from({ length: 120 }, (_, at) => `cel.bind(v${at + 1}, [[v${at}], [v${at}]], `);
    expect(problemsOf(`cel.bind(v0, 1, ${levels.join('')}true${')'.repeat(levels.length + 1)}`)).toBe('none');
    const maps = Array.from(
      { length: 60 },
      (_, at) => `cel.bind(m${at + 1}, {}, m${at} in m${at + 1} || m${at + 1}[m${at}] == m${at} || `,
    );
    expect(problemsOf(`cel.bind(m0, {}, ${maps.join('')}true${')'.repeat(maps.length + 1)}`)).not.toBe('');
  });
});

describe('a costly evaluation ends', () => {
  const many = Array.from({ length: 5_000 }, (_, at) => at);

  it.each([
    ['loops in loops', 'list.all(x, list.all(y, list.all(z, x + y + z >= 0)))'],
    [
      'texts that double',
      `cel.bind(a, text + text, ${[...'bcdefghijklmnopqrstu'].map((name, at) => `cel.bind(${name}, ${'abcdefghijklmnopqrst'[at]} + ${'abcdefghijklmnopqrst'[at]}, `).join('')}u.size() > 0${')'.repeat(21)}`,
    ],
    ['replacements that grow', "text.replace('', text).replace('', text).size() > 0"],
    ['lists of lists', 'list.map(x, list.map(y, list)).size() > 0'],
    ['a pattern for each item', "list.all(x, !text.matches('a{100}' + string(x)))"],
    ['searches in a long text', "list.all(x, !text.contains('b' + text.substring(0, 1000)))"],
    ['zones of time', "list.all(x, timestamp(x).getHours('Etc/GMT+' + string(x % 12)) >= 0)"],
    ['sums of lists', 'list.all(x, (list + list).sum() >= 0)'],
    ['failures', 'list.all(x, list.all(y, list[100000] == 1))'],
  ])('for %s', (_, source) => {
    expect(evaluated(source, 'a'.repeat(50_000), many)).toBe('exhausted');
  });

  it('and a cheap one of the same kind does not', () => {
    expect(
      evaluated("list.all(x, list.all(y, x + y >= 0)) && !text.matches('a{10}b')", 'a'.repeat(50), [1, 2, 3]),
    ).toBe(true);
  });
});

describe('a hostile pattern', () => {
  it.each(['(a+)+$', '(a|aa)+$', '(a|a?)+c$', '(.*a){12}$'])('%s takes linear time', (pattern) => {
    const source = `text.matches('${pattern}')`;
    expect(evaluated(source, `${'a'.repeat(2_000)}b`)).toBe(false);
  });

  it('of many states forgets them', () => {
    const text = Array.from({ length: 4_000 }, (_, at) => (((at * 2_654_435_761) >>> 17) & 1 ? 'a' : 'b')).join('');
    expect(evaluated("text.matches('[ab]*a[ab]{14}c')", text)).toBe(false);
  });

  it.each([
    ['too long', 'a'.repeat(2_001)],
    ['too large', '(a{500}){9}'],
    ['large by its parts', 'a{900}'.repeat(5)],
  ])('that is %s is refused', (_, pattern) => {
    expect(evaluated(`text.matches('${pattern}')`)).toEqual(new Failure('regular expression is too large'));
  });

  it('that is none is an error of the evaluation', () => {
    expect(evaluated("text.matches('(')")).toBeInstanceOf(Failure);
    expect(evaluated("text.matches('(?=a)')")).toBeInstanceOf(Failure);
  });

  it('is measured by what it stands for', () => {
    expect(partsOf('abc')).toBe(3);
    expect(partsOf('a{10}')).toBe(10);
    expect(partsOf('(ab){10}')).toBe(40);
    expect(partsOf('[a-z0-9]{2,5}\\{')).toBe(6);
  });
});

describe('odd values', () => {
  it('are told apart from what every JS object has', () => {
    expect(evaluated("{'a': 1}.?constructor.hasValue() || 'toString' in {'a': 1}")).toBe(false);
    expect(evaluated('list[0].?__proto__.hasValue() || has(list[0].hasOwnProperty)', '', [{ a: 1 }])).toBe(false);
    expect(evaluated("list[0]['__proto__'] == 1", '', [JSON.parse('{"__proto__":1}')])).toBe(true);
  });

  it('are compared however deep they are', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 200; level++) deep = [deep];
    expect(evaluated('list[0] == list[1]', '', [deep, structuredClone(deep)])).toBe(true);
  });

  it('are counted in characters, not in units of JS', () => {
    expect(
      evaluated("'😀a'.size() == 2 && '😀a'.charAt(1) == 'a' && 'x😀'.indexOf('😀') == 1 && '😀'.reverse() == '😀'"),
    ).toBe(true);
  });
});
