import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromStructured, parseLabelSelector, type StructuredSelector } from './label-selector.ts';
import { selectorText } from './selector-text.ts';

const key = fc.constantFrom('a', 'b', 'example.com/c');
const value = fc.constantFrom('', 'x', 'y', 'z');
const values = fc.uniqueArray(value, { minLength: 1 });
const expression = fc.oneof(
  fc.record({ key, operator: fc.constantFrom('In', 'NotIn'), values }),
  fc.record({ key, operator: fc.constantFrom('Exists', 'DoesNotExist') }),
);
const selector: fc.Arbitrary<StructuredSelector> = fc.record({
  matchLabels: fc.dictionary(key, value),
  matchExpressions: fc.array(expression, { maxLength: 3 }),
});
const labels = fc.dictionary(key, value);

describe('the text form of a selector', () => {
  it('selects what the structured form selects', () => {
    fc.assert(
      fc.property(selector, labels, (structured, candidate) => {
        const parsed = parseLabelSelector(selectorText(structured));
        expect(parsed.matches(candidate)).toBe(fromStructured(structured)?.matches(candidate));
      }),
    );
  });

  it('is sorted by key, and values within', () => {
    const matchExpressions = [
      { key: 'd', operator: 'DoesNotExist' },
      { key: 'b', operator: 'In', values: ['z', 'y'] },
    ];
    expect(selectorText({ matchLabels: { c: 'x', a: 'x' }, matchExpressions })).toBe('a=x,b in (y,z),c=x,!d');
  });

  it('is empty where there is nothing to select by', () => {
    expect([undefined, null, {}].map(selectorText)).toEqual(['', '', '']);
  });
});
