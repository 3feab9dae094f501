import { describe, expect, it } from 'vitest';
import { canonicalQuantity, parseQuantity } from './quantity.ts';

describe('a quantity', () => {
  it('has at most 64 characters', () => {
    expect(canonicalQuantity(`${'0'.repeat(63)}1`)).toBe('1');
    expect(canonicalQuantity(`${'0'.repeat(64)}1`)).toBeUndefined();
    expect(parseQuantity('9'.repeat(2_500_000))).toBeUndefined();
  });

  it.each([
    ['9'.repeat(60), '9223372036854775807'],
    ['1e900', '9223372036854775807'],
    ['-100E', '-9223372036854775807'],
    ['8Ei', '9223372036854775807'],
    ['7Ei', '7Ei'],
  ])('%s is kept as %s: what is larger than 2^63 - 1 counts as that', (text, kept) => {
    expect(canonicalQuantity(text)).toBe(kept);
    expect(canonicalQuantity(kept)).toBe(kept);
  });
});
