import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pemBlocks } from './pem-blocks.ts';

const AS_EXPRESSION = /-----BEGIN ([A-Z0-9 ]+)-----((?:(?!-----).)*)-----END \1-----/gs;

it('finds the blocks that an expression with a back reference would find', () => {
  const piece = fc.constantFrom(
    '-----BEGIN A-----',
    '-----END A-----',
    '-----BEGIN B C-----',
    '-----END B C-----',
    '\n',
    '-',
    'x',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      const expected = [...text.matchAll(AS_EXPRESSION)].map(([whole, label, body]) => ({
        label,
        hasHeaders: false,
        body,
        text: whole,
      }));
      expect([...pemBlocks(text)]).toEqual(expected);
    }),
    { numRuns: 2_000 },
  );
});

it('tells headers from what they are about', () => {
  const [block] = pemBlocks('-----BEGIN A-----\nProc-Type: 4\nX: y\n\nAAAA\n-----END A-----');
  expect([block?.hasHeaders, block?.body.trim()]).toEqual([true, 'AAAA']);
});
