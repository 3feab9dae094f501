import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sortKeys } from './slot.ts';

it('sorts keys as the language does, be they few or many', () => {
  const key = fc.string({ unit: fc.constantFrom('a', 'b', 'B', '-', '\uffff', '😀'), maxLength: 4 });
  fc.assert(
    fc.property(fc.array(key, { maxLength: 24 }), (keys) => {
      const sorted = keys.toSorted();
      sortKeys(keys);
      expect(keys).toEqual(sorted);
    }),
  );
});
