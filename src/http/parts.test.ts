import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CHUNK, join, PartReader, totalLength } from './parts.ts';

const partLists = fc
  .array(fc.oneof(fc.nat(20), fc.nat(20_000), fc.integer({ min: 15_000, max: 17_000 }), fc.constant(600_000)), {
    maxLength: 60,
  })
  .map((lengths) => lengths.map((length, at) => Buffer.alloc(length, `part ${at}.`)));

function readAll(parts: readonly Buffer[]): Buffer[] {
  const reader = new PartReader(parts);
  const pieces: Buffer[] = [];
  while (!reader.done) {
    pieces.push(reader.next(Buffer.alloc(CHUNK)));
  }
  return pieces;
}

test('pieces hold the same bytes as the parts and none is longer than a chunk', () => {
  fc.assert(
    fc.property(partLists, (parts) => {
      const pieces = readAll(parts);
      expect(Buffer.concat(pieces).equals(Buffer.concat(parts))).toBe(true);
      expect(pieces.every((piece) => piece.length <= CHUNK)).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test('thousands of small parts become few pieces', () => {
  const parts = Array.from({ length: 5_000 }, (_, at) => Buffer.from(`{"item":${at}}`));
  expect(readAll(parts)).toHaveLength(1);
});

test('a large part is cut, not copied', () => {
  const large = Buffer.alloc(3 * CHUNK);
  for (const piece of readAll([Buffer.from('['), large, Buffer.from(']')]).slice(1, -1)) {
    expect(piece.buffer).toBe(large.buffer);
  }
});

test('joining equals concatenation', () => {
  fc.assert(
    fc.property(partLists, (parts) => {
      expect(join(parts, totalLength(parts)).equals(Buffer.concat(parts))).toBe(true);
    }),
    { numRuns: 50 },
  );
});
