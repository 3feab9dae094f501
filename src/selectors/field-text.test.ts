import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseFieldSelector } from './field-selector.ts';
import { fieldText } from './field-text.ts';

const value = fc.string({ unit: fc.constantFrom('a', '=', ',', '\\', '!', ' ', '"', '<'), minLength: 1 });

it('the text form of a field selector means what it was made of, whatever characters are in it', () => {
  fc.assert(
    fc.property(value, value, (name, kind) => {
      const { terms } = parseFieldSelector(fieldText({ 'metadata.name': name, kind }));
      expect(terms).toEqual([
        { field: 'metadata.name', value: name, equal: true },
        { field: 'kind', value: kind, equal: true },
      ]);
    }),
  );
});
