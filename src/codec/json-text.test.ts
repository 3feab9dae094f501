import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countValues } from '../schema/document-limits.ts';
import { changes, countKeys, survey } from './json-text.ts';

const json = fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' });
const ANY = { values: Number.MAX_SAFE_INTEGER, depth: Number.MAX_SAFE_INTEGER };
const indent = fc.constantFrom('', ' ', '\n\t');

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('a survey of JSON text', () => {
  it('counts the keys, the values and the depth of any document, however it is spaced', () => {
    fc.assert(
      fc.property(json, indent, (value, space) => {
        const text = JSON.stringify(value, undefined, space);
        const found = survey(text, ANY);
        expect(found.keys).toBe(countKeys(value));
        expect(found.values).toBe(countValues(value, ANY.values));
        expect(found.depth).toBe(depthOf(value));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['{"a" : 1, "b"\n:\n2}', 2],
    ['{"a\\"": "b\\":c", "d\\\\": "{\\"e\\":1}"}', 2],
    ['{"a": {"b": [{"c": 1}, {"c": 2}]}}', 4],
    ['{"a": 1, "a": 2}', 2],
    ['["a:b", ":"]', 0],
    ['{"unterminated": "x', 1],
    ['', 0],
  ])('%s has %d keys', (text, keys) => {
    expect(survey(text, ANY).keys).toBe(keys);
  });

  it('goes no further than to where there are too many values, or too deep ones', () => {
    const list = `[${'1,'.repeat(1_000)}9007199254740993]`;
    expect(survey(list, { ...ANY, values: 10 })).toMatchObject({ values: 11, changedNumber: undefined });
    const deep = `${'['.repeat(1_000)}9007199254740993${']'.repeat(1_000)}`;
    expect(survey(deep, { ...ANY, depth: 10 })).toMatchObject({ depth: 11, changedNumber: undefined });
  });

  it('finds the first number that parsing would change, wherever it stands', () => {
    const text = '{"a": "9007199254740993", "b": [1, -2.5e3, {"c": -9007199254740993}], "d": 18446744073709551615}';
    expect(survey(text, ANY).changedNumber).toBe('9007199254740993');
    expect(survey('[9007199254740993', ANY).changedNumber).toBe('9007199254740993');
    expect(survey('{"a": "9007199254740993"}', ANY).changedNumber).toBeUndefined();
  });
});

describe('a number', () => {
  it.each([
    ['9007199254740991', false],
    ['9007199254740992', false],
    ['9007199254740993', true],
    ['9223372036854775807', true],
    ['9223372036854775808', false],
    ['10000000000000000000000', false],
    ['9007199254740993.0', true],
    ['9.007199254740993e15', true],
    ['0.1000000000000000055511151231257827', false],
    ['123456789.123456789123456789', false],
    ['1e21', false],
    ['1E400', true],
    ['1e-400', false],
    ['12345', false],
  ])('%s is changed by parsing: %s', (literal, changed) => {
    expect(changes(literal)).toBe(changed);
  });

  it('that is whole is kept exactly when it comes back as it was', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 1n << 80n }), (whole) => {
        expect(changes(String(whole))).toBe(BigInt(JSON.parse(String(whole))) !== whole);
      }),
      { numRuns: 500 },
    );
  });
});
