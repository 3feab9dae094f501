import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isQualifiedIscsiName } from './volume-sources-validation.ts';

/** What takes quadratic time to find. */
const AS_EXPRESSION = /iqn\.\d{4}-\d{2}\.[A-Za-z0-9.-]+(?::[^,;*&$|\s]+)$/;

it('a qualified name of a target is what the expression for it matches', () => {
  const piece = fc.constantFrom('iqn.2001-04.', 'iqn.', 'com.example', ':', 'a', '.', ' ', ',', '_', '-');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
      const name = pieces.join('');
      expect(isQualifiedIscsiName(name), name).toBe(AS_EXPRESSION.test(name));
    }),
    { numRuns: 5_000 },
  );
});
