import fc from 'fast-check';
import { expect, it } from 'vitest';
import { stamp } from './backend.ts';

it('stamps what all of it in one text would be, whatever its letters', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '"', 'ÿ', '€', '😀') });
  fc.assert(
    fc.property(text, fc.nat(), text, (head, revision, tail) => {
      expect(stamp({ head, tail }, revision)).toEqual(Buffer.from(`${head}${revision}${tail}`));
    }),
  );
});
