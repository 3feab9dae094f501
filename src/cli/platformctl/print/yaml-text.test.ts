import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { jsonText } from './json-text.ts';
import { yamlText } from './yaml-text.ts';

describe('YAML', () => {
  it.each([
    ['y', '"y"'],
    ['null', '"null"'],
    ['1e3', '"1e3"'],
    ['0x1', '"0x1"'],
    ['08', '"08"'],
    ['12:30', '"12:30"'],
    ['2026-02-28', '"2026-02-28"'],
    ['2026-02-30', '2026-02-30'],
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['1e400', '1e400'],
    ['', '""'],
    ['- a', "'- a'"],
    ['-a', '-a'],
    ['a: b', "'a: b'"],
    ['a:b', 'a:b'],
    ["it's", "it's"],
    ["'", "''''"],
    ['a ', "'a '"],
    ['a\tb', '"a\\tb"'],
    ['日本', '日本'],
    ['😀', '"\\U0001F600"'],
    ['a\nb', '|-\n  a\n  b'],
    ['a\nb\n', '|\n  a\n  b'],
    ['a\n\n', '|+\n  a\n'],
    [' a\nb', '|2-\n   a\n  b'],
    ['a \nb', '"a \\nb"'],
    [`${'word '.repeat(20)}end`, `${'word '.repeat(15)}word\n  word word word word end`],
  ])('has the text %j as people expect it', (text, shown) => {
    expect(yamlText({ key: text })).toBe(`key: ${shown}\n`);
  });

  it('has keys in order, lists that are not indented and what is empty in one line', () => {
    const object = { b: [{ y: 1, x: [[1, 2], []] }, {}], a10: null, a2: true, a: {}, '': [] };
    expect(yamlText(object)).toBe(
      '"": []\na: {}\na2: true\na10: null\nb:\n- x:\n  - - 1\n    - 2\n  - []\n  "y": 1\n- {}\n'.replace(
        'a: {}',
        'a: {}',
      ),
    );
  });

  it('has long keys after a question mark', () => {
    const key = 'k'.repeat(129);
    expect(yamlText({ [key]: 'v' })).toBe(`? ${key}\n: v\n`);
  });

  it.each([
    [1.5, '1.5'],
    [1234567.5, '1.2345675e+06'],
    [0.00001, '1e-05'],
    [1e21, '1e+21'],
    [123456789012, '123456789012'],
  ])('has the number %d', (value, shown) => {
    expect(yamlText(value)).toBe(`${shown}\n`);
  });

  it('says what the object says, to a reader', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom(...' \n:-#"\'\\ab1.e{}[],&*!|>%@`?~yn') }),
    );
    const tree = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value')),
        fc.dictionary(text, tie('value'), { noNullPrototype: true }),
      ),
    })).value;
    fc.assert(
      fc.property(fc.dictionary(text, tree, { noNullPrototype: true }), (object) => {
        fc.pre(!JSON.stringify(object).includes('__proto__'));
        expect(parse(yamlText(object))).toEqual(object);
      }),
    );
  });
});

describe('JSON', () => {
  it('has four columns a level, keys in order and characters of pages escaped', () => {
    expect(jsonText({ b: [], 9: '<&>\u2028', 10: { a: [1, {}] } })).toBe(
      '{\n    "10": {\n        "a": [\n            1,\n            {}\n        ]\n    },\n    "9": "\\u003c\\u0026\\u003e\\u2028",\n    "b": []\n}',
    );
  });

  it('keeps the order of what a command has made', () => {
    expect(jsonText({ kind: 'A', apiVersion: 'v1' }, 'given')).toBe('{\n    "kind": "A",\n    "apiVersion": "v1"\n}');
  });
});
