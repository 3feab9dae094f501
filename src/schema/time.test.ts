import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalMicroTime, canonicalTime, microTimeOf, secondsOf, timeOf } from './time.ts';

const seconds = fc.integer({ min: Date.parse('0000-01-01') / 1000, max: Date.parse('9999-12-31T23:59:59Z') / 1000 });

describe('times in canonical form', () => {
  it('are those that the platform writes, without the fraction', () => {
    fc.assert(
      fc.property(seconds, (at) => {
        const text = `${new Date(at * 1000).toISOString().slice(0, 19)}Z`;
        expect(timeOf(at)).toBe(text);
        expect(secondsOf(text)).toBe(at);
        expect(canonicalTime(text)).toBe(text);
      }),
    );
  });

  it('keep whole microseconds where they have a fraction', () => {
    expect(microTimeOf(0, 1_999)).toBe('1970-01-01T00:00:00.000001Z');
    expect(canonicalMicroTime('1970-01-01T00:00:00.000001Z')).toBe('1970-01-01T00:00:00.000001Z');
    expect(microTimeOf(0, -1)).toBeUndefined();
    expect(microTimeOf(0, 1_000_000_000)).toBeUndefined();
  });

  it('have years of four digits', () => {
    expect(timeOf(Date.parse('+010000-01-01T00:00:00Z') / 1000)).toBeUndefined();
    expect(timeOf(Date.parse('-000001-12-31T23:59:59Z') / 1000)).toBeUndefined();
  });

  it('have no hour 24', () => {
    expect(canonicalTime('2024-01-01T24:00:00Z')).toBeUndefined();
  });
});
