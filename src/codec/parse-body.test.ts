import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../errors.ts';
import { pathText } from '../schema/path.ts';
import { parseJson, parseYamlOrJson } from './parse-body.ts';

/** A document whose objects may have a key more than once. */
type Tree = { readonly pairs: readonly (readonly [string, Tree])[] } | readonly Tree[] | string | number | null;

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(fc.constantFrom('x', 'a":', 'b\\', '{"c":1}'), fc.nat(9), fc.constant(null)),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.record({
      pairs: fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c"', '__proto__', ''), tie('tree')), { maxLength: 4 }),
    }),
  ),
}));

const isObject = (value: Tree): value is Extract<Tree, { pairs: unknown }> =>
  typeof value === 'object' && value !== null && 'pairs' in value;

function textOf(value: Tree): string {
  if (isObject(value))
    return `{${value.pairs.map(([key, inner]) => `${JSON.stringify(key)} :${textOf(inner)}`).join(', ')} }`;
  return Array.isArray(value) ? `[ ${value.map(textOf).join(',')}]` : JSON.stringify(value);
}

/** The paths of keys that are not the first of their name. */
function repeatsIn(value: Tree, path: readonly (string | number)[] = []): string[] {
  if (!isObject(value)) return Array.isArray(value) ? value.flatMap((item, at) => repeatsIn(item, [...path, at])) : [];
  return value.pairs.flatMap(([key, inner], at) => [
    ...repeatsIn(inner, [...path, key]),
    ...(value.pairs.findIndex(([other]) => other === key) < at ? [pathText([...path, key])] : []),
  ]);
}

describe('JSON', () => {
  it('is what JSON.parse makes of it, with every repeated key named', () => {
    fc.assert(
      fc.property(tree, (document) => {
        const text = textOf(document);
        const { value, repeated } = parseJson(text, 'last');
        expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)));
        expect(repeated).toEqual([...new Set(repeatsIn(document))]);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['{"m": {"a": 1, "b": 1}, "m": {"b": 2, "c": 2}}', { m: { a: 1, b: 2, c: 2 } }, ['m']],
    ['{"m": {"n": {"a": 1}}, "m": {"n": {"b": 2}}}', { m: { n: { a: 1, b: 2 } } }, ['m']],
    ['{"l": [1, 2], "l": [3]}', { l: [3] }, ['l']],
    ['{"a": {"b": 1}, "a": 2, "a": {"c": 3}}', { a: { c: 3 } }, ['a']],
    ['{"a": {"b": 1}, "a": null}', { a: null }, ['a']],
    ['{"s": [{"k": 1}, {"k": 1, "k": 2}], "t": {"k": 3}}', { s: [{ k: 1 }, { k: 2 }], t: { k: 3 } }, ['s[1].k']],
  ])('%s as an object merges what it says twice', (text, value, repeated) => {
    expect(parseJson(text, 'merged')).toEqual({ value, repeated });
  });

  it.each([
    ['{"a": 9007199254740993}', 'the number 9007199254740993 is too large to be kept exactly'],
    ['{"a": 1e999}', 'the number 1e999 is too large'],
    [`${'['.repeat(201)}${']'.repeat(201)}`, 'nests deeper than 200 levels'],
    [`${'{"a":'.repeat(201)}1${'}'.repeat(201)}`, 'nests deeper than 200 levels'],
    ['{"a": }', 'not valid JSON'],
    ['', 'not valid JSON'],
  ])('%s is refused', (text, message) => {
    expect(() => parseJson(text, 'last')).toThrow(ApiError);
    expect(() => parseJson(text, 'last')).toThrow(message);
  });
});

const fromYaml = (text: string) => parseYamlOrJson(Buffer.from(text));

describe('YAML', () => {
  it('names keys that repeat, of which the last one counts', async () => {
    const text = 'a: 1\nm:\n  x: 1\n  l: [{k: 1, k: 2}]\n  x: 2\nm:\n  z: 1\na: 3\n';
    expect(await fromYaml(text)).toEqual({ value: { a: 3, m: { z: 1 } }, repeated: ['m.l[0].k', 'm.x', 'm', 'a'] });
  });

  it('may merge mappings without repeating them', async () => {
    const text = 'base: &base {a: 1, b: 2}\none:\n  <<: *base\n  b: 3\n';
    expect(await fromYaml(text)).toEqual({ value: { base: { a: 1, b: 2 }, one: { a: 1, b: 3 } }, repeated: [] });
  });

  it('takes for numbers what has digits, not a dot or an exponent alone', async () => {
    const text = 'a: .\nb: e5\n.: E1\nc: .5\nd: 1e3\ne: 2.\nf: -1.5E-1\ng: 1_0.5\n';
    expect((await fromYaml(text)).value).toEqual({
      a: '.',
      b: 'e5',
      '.': 'E1',
      c: 0.5,
      d: 1000,
      e: 2,
      f: -0.15,
      g: 10.5,
    });
  });

  it('has only what JSON has', async () => {
    const text = 'time: 2020-01-02\nports: 22:22\non: yes\nwhole: 1_000\nhex: 0x1F\nnothing: ~\n1: one\n';
    const { value } = await fromYaml(text);
    expect(value).toEqual({
      1: 'one',
      time: '2020-01-02',
      ports: '22:22',
      true: true,
      whole: 1000,
      hex: 31,
      nothing: null,
    });
  });

  it.each([
    ['a: 9007199254740993', 'the number 9007199254740993 is too large'],
    ['a: -9223372036854775807', 'the number -9223372036854775807 is too large'],
    ['a: .inf', 'is no number that can be kept'],
    ['a: .nan', 'is no number that can be kept'],
    ['a: [', 'not valid YAML'],
    ['a: *b', 'not valid YAML'],
    ['a: 1\n---\nb: 2', 'not valid YAML'],
    [`a: ${'['.repeat(300)}${']'.repeat(300)}`, 'nests deeper than 200 levels'],
    [`${'- '.repeat(300)}a`, 'nests deeper than 200 levels'],
  ])('%s is refused', async (text, message) => {
    await expect(fromYaml(text)).rejects.toThrow(ApiError);
    await expect(fromYaml(text)).rejects.toThrow(message);
  });

  const levels = Array.from({ length: 30 }, (_, at) => `b${at + 1}: &b${at + 1} [*b${at}, *b${at}]`);
  const indented = Array.from({ length: 2000 }, (_, at) => `${' '.repeat(at)}a:`);
  it.each([
    ['nests without end', `${'- '.repeat(200_000)}a`],
    ['nests without end in keys', `${'? '.repeat(200_000)}a`],
    ['nests without end in brackets', `a: ${'['.repeat(200_000)}`],
    ['nests without end in braces', `a: ${'{b: '.repeat(200_000)}`],
    ['nests line by line', indented.join('\n')],
    ['grows without end', `b0: &b0 [x, x]\n${levels.join('\n')}`],
  ])('that %s is refused, and soon', async (_says, text) => {
    await expect(fromYaml(text)).rejects.toThrow(ApiError);
  });

  it('is JSON when it begins like it', async () => {
    expect(await fromYaml(' {"a": 1, "a": 2}')).toEqual({ value: { a: 2 }, repeated: ['a'] });
  });
});
