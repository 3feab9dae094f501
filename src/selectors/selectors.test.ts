import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFieldSelector } from './field-selector.ts';
import { parseLabelSelector } from './label-selector.ts';

const many = (count: number, text: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => text(at)).join(',');

describe('a selector', () => {
  it('has a hundred requirements at most, since every change is held against each of them', () => {
    const refused = 'a selector must have at most 100 requirements';
    expect(parseLabelSelector(many(100, (at) => `!a${at}`)).matches({ b: '' })).toBe(true);
    expect(() => parseLabelSelector(many(101, (at) => `!a${at}`))).toThrow(refused);
    expect(parseFieldSelector(many(100, (at) => `metadata.name!=a${at}`)).terms).toHaveLength(100);
    expect(() => parseFieldSelector(many(101, (at) => `metadata.name!=a${at}`))).toThrow(refused);
  });

  it('looks among very many values as among few', () => {
    const value = fc.constantFrom('v1', 'v7', 'v8', 'v9', 'v5000', 'w', undefined);
    fc.assert(
      fc.property(value, fc.integer({ min: 1, max: 20 }), (held, count) => {
        const values = many(count, (at) => `v${at}`);
        const labels = held === undefined ? {} : { k: held };
        const isAmong = held !== undefined && values.split(',').includes(held);
        expect(parseLabelSelector(`k in (${values})`).matches(labels)).toBe(isAmong);
        expect(parseLabelSelector(`k notin (${values})`).matches(labels)).toBe(!isAmong);
      }),
    );
  });

  it('compares with numbers as long as labels are, and no longer ones', () => {
    expect(parseLabelSelector(`a>${'9'.repeat(63)}`).matches({ a: '9'.repeat(63) })).toBe(false);
    expect(() => parseLabelSelector(`a>${'9'.repeat(64)}`)).toThrow('not a valid label value');
  });
});
