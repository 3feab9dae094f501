import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sameJson } from './same-json.ts';

/** JSON as it is parsed: there is no minus zero worth telling apart. */
const json = fc.jsonValue({ maxDepth: 3 }).map((value): unknown => JSON.parse(JSON.stringify(value)));

describe('sameJson', () => {
  it('agrees with a strict comparison', () => {
    const alike = json.chain((value) =>
      fc.tuple(fc.constant(value), fc.oneof(json, fc.constant(structuredClone(value)))),
    );
    fc.assert(
      fc.property(alike, ([a, b]) => {
        expect(sameJson(a, b)).toBe(isDeepStrictEqual(a, b));
      }),
    );
  });

  it('passes over fields that are undefined', () => {
    expect(sameJson({ a: 1, b: undefined }, { a: 1 })).toBe(true);
    expect(sameJson({ a: 1 }, { a: 1, b: undefined })).toBe(true);
    expect(sameJson({ a: undefined }, { b: 1 })).toBe(false);
  });

  it('tells null, nothing, lists and objects apart', () => {
    const values = [null, undefined, [], {}, '', 0, false];
    for (const a of values) for (const b of values) expect(sameJson(a, b)).toBe(a === b);
  });

  it('is not misled by names that objects inherit', () => {
    expect(sameJson({}, { constructor: undefined })).toBe(true);
    expect(sameJson({ toString: 1 }, { valueOf: 1 })).toBe(false);
  });
});
