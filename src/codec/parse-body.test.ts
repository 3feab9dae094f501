import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { ApiError } from '../api/errors.ts';
import { noRest } from '../runtime/pacing.ts';
import { countValues } from '../schema/document-limits.ts';
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
    ['{"a": 9007199254740993}', 'a number of 16 characters is too large to be kept exactly'],
    ['{"a": 1e999}', 'a number of 5 characters is too large'],
    [`${'['.repeat(201)}${']'.repeat(201)}`, 'nests deeper than 200 levels'],
    [`${'{"a":'.repeat(201)}1${'}'.repeat(201)}`, 'nests deeper than 200 levels'],
    ['{"a": }', "invalid character '}' looking for beginning of value"],
    ['', 'unexpected end of JSON input'],
  ])('%s is refused', (text, message) => {
    expect(() => parseJson(text, 'last')).toThrow(ApiError);
    expect(() => parseJson(text, 'last')).toThrow(message);
  });
});

const map = (entries: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: entries }, (_, at) => [`k${at}`, 1])));

describe('a document that is too large', () => {
  it('has more than 50,000 fields, entries and elements', () => {
    expect(() => parseJson(`[${'1,'.repeat(50_000)}1]`, 'last')).toThrow(
      'more than 50000 fields, map entries and list elements',
    );
    expect(parseJson(`[${'1,'.repeat(49_999)}1]`, 'last').repeated).toEqual([]);
  });

  it('has an object of more than 10,000 entries, besides one for itself, and where is told', async () => {
    const text = (entries: number): string => `{"a": {"x": [[1, {}], {"y:": "{", "b": ${map(entries)}}]}}`;
    expect(() => parseJson(text(10_002), 'last')).toThrow(
      'Request entity too large: a.x[1].b has more than 10000 fields, entries or elements',
    );
    await expect(fromYaml(text(10_002))).rejects.toThrow('a.x[1].b has more than');
    await expect(fromYaml(`# not JSON\n${text(10_002)}`)).rejects.toThrow('a.x[1].b has more than');
    expect(parseJson(text(10_001), 'last').repeated).toEqual([]);
    expect(() => parseJson(map(10_002), 'last')).toThrow('the document has more than 10000');
  });
});

const fromYaml = (text: string, most?: number) => parseYamlOrJson(Buffer.from(text), noRest, '', most);

describe('YAML', () => {
  it('has no more values than JSON may have', async () => {
    const refused = { reason: 'RequestEntityTooLarge', code: 413 };
    await expect(fromYaml(`[${'1,'.repeat(20)}1]`, 20)).rejects.toMatchObject(refused);
    await expect(fromYaml('- 1\n'.repeat(21), 20)).rejects.toMatchObject(refused);
    await expect(fromYaml('- 1\n'.repeat(20), 20)).resolves.toBeDefined();
  });

  it('is not read to its end when it has far more values, or comments, than may be', async () => {
    const refused = { code: 413, message: expect.stringContaining('more than 20 fields') };
    const broken = '\n}{';
    for (const many of ['- 1\n', '[1],', '? a\n', ':\n']) {
      const text = `${many.endsWith(',') ? '[' : ''}${many.repeat(100)}${broken}`;
      await expect(fromYaml(text, 20), many).rejects.toMatchObject(refused);
    }
    for (const many of ['#\n', '\n', '%A\n']) {
      await expect(fromYaml(`${many.repeat(1_500)}${broken}`, 20), many).rejects.toThrow('more than 1400 words');
    }
  });

  it('is read when it has just as many values as may be, in whatever style', async () => {
    // What is written here does not put all numbers in quotes that are numbers to some readers, ours among them: 0X0, -_0.
    const word = fc.string().filter((one) => !/^[-+._]*\d/.test(one));
    const text = fc.oneof(word, fc.constantFrom('-', ':', ',', '?', 'a\nb\n', '- a', '{a: b}'));
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.array(tie('tree')),
        fc.dictionary(
          text.filter((key) => key !== '__proto__'),
          tie('tree'),
        ),
      ),
    }));
    const styles = fc.constantFrom<'any' | 'flow' | 'block'>('any', 'flow', 'block');
    await fc.assert(
      fc.asyncProperty(tree, styles, async (value, collectionStyle) => {
        const written = stringify(value, { collectionStyle, version: '1.1', aliasDuplicateObjects: false });
        const read = fromYaml(`# in YAML\n${written}`, countValues(value, 1_000_000) || 1);
        await expect(read).resolves.toMatchObject({ value });
      }),
    );
  });

  it('names keys that repeat, of which the last one counts', async () => {
    const text = 'a: 1\nm:\n  x: 1\n  l: [{k: 1, k: 2}]\n  x: 2\nm:\n  z: 1\na: 3\n';
    expect(await fromYaml(text)).toEqual({ value: { a: 3, m: { z: 1 } }, repeated: ['m.l[0].k', 'm.x', 'm', 'a'] });
  });

  it.each([
    ['<<: *base, b: 3', { a: 1, b: 3 }, ['one.b']],
    ['b: 3, <<: *base', { a: 1, b: 3 }, ['one.b']],
    ['<<: [*base, {a: 4, c: 4}]', { a: 1, b: 2, c: 4 }, ['one.a']],
    ['<<: *base, c: 3', { a: 1, b: 2, c: 3 }, []],
    ['"<<": 1, c: 3', { '<<': 1, c: 3 }, []],
  ])('merges mappings, and names what is there more than once: %s', async (entries, one, repeated) => {
    const base = { a: 1, b: 2 };
    expect(await fromYaml(`base: &base {a: 1, b: 2}\none: {${entries}}\n`)).toEqual({ value: { base, one }, repeated });
  });

  it('is read in flow style too', async () => {
    const text = '{apiVersion: v1, # why\n \'it\'\'s\': [1, two, {b: c,},], "q": "\\x41", on: off}';
    expect((await fromYaml(text)).value).toEqual({
      apiVersion: 'v1',
      "it's": [1, 'two', { b: 'c' }],
      q: 'A',
      true: false,
    });
    expect((await fromYaml('[a, {b: }]')).value).toEqual(['a', { b: null }]);
  });

  it.each([
    ['a: 1\n---\nb: 2\n', { a: 1 }],
    ['{"a": 1}\n---\n{"b": 2}\n', { a: 1 }],
    ['a: 1\n...\n[ not looked at', { a: 1 }],
    ['---\n---\na: 1\n', null],
    ['# nothing\n', null],
    ['%YAML 1.2\n---\na: y\n', { a: true }],
    ['', null],
  ])('is one document, the first: %j', async (text, value) => {
    expect(await fromYaml(text)).toEqual({ value, repeated: [] });
  });

  it('has what a scalar means from version 1.1', async () => {
    const words = [
      'y',
      'N',
      'Yes',
      'NO',
      'On',
      'off',
      'TRUE',
      'False',
      'Null',
      '~',
      '012',
      '0o12',
      '09',
      '-0b11',
      '+7',
      '-0',
    ];
    const values = [true, false, true, false, true, false, true, false, null, null, 10, 10, 9, -3, 7, 0];
    expect((await fromYaml(`[${words.join(', ')}]`)).value).toEqual(values);
    const texts = ['yES', 'nULL', '1 2', '0x', '08a', '1.2.3', '2001-12-14t21:59:43Z', '-a', '_1', '0b2'];
    expect((await fromYaml(`[${texts.join(', ')}]`)).value).toEqual(texts);
    expect((await fromYaml(`[${words.map((word) => `"${word}"`).join(', ')}]`)).value).toEqual(words);
  });

  it('takes a tag at its word', async () => {
    const text = '[!!str 12, !!int "12", !!float 3, !!binary aGk=, !mine 012, ! y, !!bool "on"]';
    expect((await fromYaml(text)).value).toEqual(['12', 12, 3, 'hi', '012', 'y', true]);
  });

  it('repeats what an alias stands for, and shares nothing', async () => {
    const text = 'a: &x {v: [1, *y]}\n'.replace('*y', '2');
    const { value } = await fromYaml(`${text}b: *x\nc: &x 5\nd: [*x]\n`);
    expect(value).toEqual({ a: { v: [1, 2] }, b: { v: [1, 2] }, c: 5, d: [5] });
    const { a, b } = value as { a: object; b: object };
    expect(a).not.toBe(b);
  });

  it('may use an alias often', async () => {
    const { value } = await fromYaml(`a: &x {v: 1}\nb:\n${'- *x\n'.repeat(5000)}`);
    expect(value).toMatchObject({ a: { v: 1 }, b: { length: 5000 } });
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
    ['a: &a [*a]', 'contains itself'],
    ['<<: 1', 'only mappings can be merged'],
    ['? [a]\n: 1', 'a key is no text'],
    ['~: 1', 'a key is no text'],
    ['a: !!int x', '"x" is no !!int'],
    ['{a: 1', 'not valid YAML'],
    [`a: 1${'0'.repeat(400)}`, 'is too large'],
    [`a: &a [${'['.repeat(150)}${']'.repeat(150)}]\nb: [${'['.repeat(60)}*a${']'.repeat(60)}]`, 'nests deeper'],
    [`a: ${'['.repeat(300)}${']'.repeat(300)}`, 'nests deeper than 200 levels'],
    [`${'- '.repeat(300)}a`, 'nests deeper than 200 levels'],
  ])('%s is refused', async (text, message) => {
    await expect(fromYaml(text)).rejects.toThrow(ApiError);
    await expect(fromYaml(text)).rejects.toThrow(message);
  });

  const levels = Array.from({ length: 30 }, (_, at) => `b${at + 1}: &b${at + 1} [*b${at}, *b${at}]`);
  const keys = Array.from({ length: 20_000 }, (_, at) => `k${at}: 1`).join(', ');
  const indented = Array.from({ length: 2000 }, (_, at) => `${' '.repeat(at)}a:`);
  it.each([
    ['nests without end', `${'- '.repeat(200_000)}a`],
    ['nests without end in keys', `${'? '.repeat(200_000)}a`],
    ['nests without end in brackets', `a: ${'['.repeat(200_000)}`],
    ['nests without end in braces', `a: ${'{b: '.repeat(200_000)}`],
    ['nests line by line', indented.join('\n')],
    ['grows without end by merging', `b0: &b0 {${keys}}\nc: {${'<<: *b0, '.repeat(50_000)}}`],
    ['grows without end by a long text', `a: &a ${'x'.repeat(100_000)}\nb: [${'*a,'.repeat(50_000)}]`],
    ['grows without end', `b0: &b0 [x, x]\n${levels.join('\n')}`],
  ])('that %s is refused, and soon', async (_says, text) => {
    await expect(fromYaml(text)).rejects.toThrow(ApiError);
  });

  it('is JSON when it begins like it', async () => {
    expect(await fromYaml(' {"a": 1, "a": 2}')).toEqual({ value: { a: 2 }, repeated: ['a'] });
  });
});
