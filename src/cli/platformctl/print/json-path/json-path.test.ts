import { describe, expect, it } from 'vitest';
import { jsonPathPrinter } from './print.ts';

const OBJECT = {
  apiVersion: 'v1',
  kind: 'A',
  list: [{ name: 'x', n: 1 }, { name: 'y', n: 2, deep: { 'a.b': true } }, { name: 'z' }],
  empty: [],
  nothing: null,
  amount: 1.5,
};

const text = (template: string, allowMissing = true, asJson = false): string =>
  jsonPathPrinter(template, { allowMissing, asJson }).textOf(OBJECT, 0);

describe('a template of paths', () => {
  it.each([
    ['{.list[*].name}', 'x y z'],
    ['{.list[-1].name}{.list[-2:].name}', 'zy z'],
    ['{.list[0:3:2].name}', 'x z'],
    ['{.list[0,2].name}', 'x z'],
    ["{['kind','apiVersion']}", 'A v1'],
    ['{.list[?(@.n>1)].name}', 'y'],
    ['{.list[?(@.n<=1)].name}', 'x'],
    ['{.list[?(@.name=="y")].deep}', '{"a.b":true}'],
    ['{.list[1].deep.a\\.b}', 'true'],
    ["{.list[?(@.name=='a)b')].name}{.kind}", 'A'],
    ['{range .empty[*]}never{end}{range .list[*]}{.name},{end}', 'x,y,z,'],
    ['{.nothing} {.amount} {.none}', 'null 1.5 '],
    ['{..name}', 'x y z'],
    ['{"\\u00e9\\t"}{\'it\'}', 'é\tit'],
    ['{.constructor}{.list.length}', ''],
  ])('%s prints %j', (template, printed) => {
    expect(text(template)).toBe(printed);
  });

  it.each([
    ['{.list[7]}', 'array index out of bounds: index 7, length 3'],
    ['{.kind[0]}', 'string is not array or slice'],
    ['{.list[?(@.name>1)]}', 'incompatible types for comparison'],
    ['{end}', 'not in range, nothing to end'],
    ['{word}', 'unrecognized identifier word'],
    ['{.....a}', 'invalid multiple recursive descent'],
    ['{.list[?(@.name', 'unterminated filter'],
    ['{"a', 'unterminated quoted string'],
    ['{#}', "unrecognized character in action: U+0023 '#'"],
  ])('%s is refused', (template, message) => {
    expect(() => text(template)).toThrow(message);
  });

  it('is stopped where it looks at more values than an object is worth', () => {
    let deep: object = {};
    for (let depth = 0; depth < 60; depth++) deep = { deep };
    const printer = jsonPathPrinter(`{${'...*'.repeat(20)}}`, { allowMissing: true, asJson: false });
    expect(() => printer.textOf({ apiVersion: 'v1', kind: 'A', deep } as never, 0)).toThrow('too many values');
  });

  it('tells what is missing where that is asked for', () => {
    expect(() => text('{.none}', false)).toThrow('none is not found');
  });

  it('prints JSON where that is asked for', () => {
    expect(text('{.list[*].name}', true, true)).toBe('[\n    "x",\n    "y",\n    "z"\n]\n');
  });
});
