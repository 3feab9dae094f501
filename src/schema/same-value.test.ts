import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sameValue } from './same-value.ts';

const json = fc.jsonValue({ maxDepth: 3 });

/** Without what counts as unset. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(bare);
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  const fields = Object.entries(value).map(([key, field]) => [key, bare(field)] as const);
  return Object.fromEntries(fields.filter(([, field]) => field !== undefined));
}

describe('two values are the same', () => {
  it('exactly when they are equal apart from unset fields', () => {
    fc.assert(
      fc.property(json, json, (a, b) => sameValue(a, b) === isDeepStrictEqual(bare(a), bare(b))),
      { numRuns: 1000 },
    );
    fc.assert(fc.property(json, (a) => sameValue(a, structuredClone(a))));
  });

  it('whatever the order of their fields, and whichever way a field is unset', () => {
    expect(sameValue({ a: 1, b: [] }, { c: null, b: undefined, a: 1 })).toBe(true);
    expect(sameValue({ a: {} }, {})).toBe(false);
    expect(sameValue({ toString: 'x' }, {})).toBe(false);
    expect(sameValue({}, { toString: 'x' })).toBe(false);
  });
});
