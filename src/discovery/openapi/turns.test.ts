import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringifySlowly } from './turns.ts';

describe('stringifying slowly', () => {
  it('gives what stringifying at once gives', async () => {
    const rest = () => Promise.resolve();
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.option(fc.jsonValue(), { nil: undefined })), async (value) => {
        expect(await stringifySlowly(value, rest)).toBe(JSON.stringify(value));
      }),
    );
  });

  it('rests between members', async () => {
    let rests = 0;
    await stringifySlowly({ a: { b: {}, c: {} }, d: 1 }, async () => {
      rests++;
    });
    expect(rests).toBe(4);
  });
});
