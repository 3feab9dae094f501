import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ManualRuntime } from '../storage/manual-runtime.ts';
import { BoundedCache, textBytes } from './bounded-cache.ts';
import { ageCaches, cacheSizes } from './caches.ts';

const CAPACITY = 8_000;
const LARGEST = CAPACITY / 8;

const newCache = (name = 'test'): BoundedCache<string, string> =>
  new BoundedCache({ name, capacity: CAPACITY, sizeOf: (key, value) => textBytes(key) + textBytes(value) });

const key = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz');
const value = fc.integer({ min: 0, max: 600 }).map((length) => 'v'.repeat(length));

const step = fc.oneof(
  fc.record({ do: fc.constant('set' as const), key, value }),
  fc.record({ do: fc.constant('get' as const), key }),
  fc.record({ do: fc.constant('delete' as const), key }),
  fc.record({ do: fc.constant('age' as const) }),
);

describe('a bounded cache', () => {
  it('gives what a plain map would or nothing, and never holds more than its capacity', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const cache = newCache();
        const model = new Map<string, string>();
        for (const one of steps) {
          if (one.do === 'set') {
            cache.set(one.key, one.value);
            model.set(one.key, one.value);
          } else if (one.do === 'get') {
            const found = cache.get(one.key);
            if (found !== undefined) expect(found).toBe(model.get(one.key));
          } else if (one.do === 'delete') {
            cache.delete(one.key);
            model.delete(one.key);
            expect(cache.get(one.key)).toBeUndefined();
          } else cache.age();
          expect(cache.bytes).toBeLessThanOrEqual(CAPACITY);
        }
        cache.clear();
        expect(cache).toMatchObject({ bytes: 0, entries: 0 });
      }),
    );
  });

  it('keeps what was set last, if it is not too large', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(key, value), { minLength: 1 }), (pairs) => {
        const cache = newCache();
        for (const [name, text] of pairs) cache.set(name, text);
        const [name, text] = pairs.at(-1) ?? ['', ''];
        const fits = textBytes(text) + 100 < LARGEST;
        const isTooLarge = textBytes(text) > LARGEST;
        if (fits) expect(cache.get(name)).toBe(text);
        if (isTooLarge) expect(cache.get(name)).toBeUndefined();
      }),
    );
  });

  it('keeps what is used, however much else comes', () => {
    const cache = newCache();
    cache.set('used', 'value');
    for (let at = 0; at < 1_000; at++) {
      cache.set(`other ${at}`, 'v'.repeat(100));
      expect(cache.get('used')).toBe('value');
    }
    expect(cache.get('other 0')).toBeUndefined();
  });

  it('forgets what a value replaced, also when the new one is too large to be kept', () => {
    const cache = newCache();
    cache.set('a', 'small');
    cache.age();
    cache.set('a', 'v'.repeat(LARGEST));
    expect(cache.get('a')).toBeUndefined();
    expect(cache.bytes).toBe(0);
  });
});

describe('the caches of the process', () => {
  it('are known by their names and sizes', () => {
    const [one, other] = [newCache('of two'), newCache('of two')];
    one.set('a', 'b');
    other.set('a', 'b');
    expect(cacheSizes()).toContainEqual({ name: 'of two', bytes: one.bytes + other.bytes, entries: 2 });
  });

  it('let go of what is not used for a minute', () => {
    const runtime = new ManualRuntime();
    const cache = newCache();
    const timer = ageCaches(runtime);
    cache.set('used', 'a');
    cache.set('idle', 'b');
    runtime.advance(31_000);
    expect(cache.get('used')).toBe('a');
    runtime.advance(31_000);
    expect(cache.get('idle')).toBeUndefined();
    expect(cache.get('used')).toBe('a');
    runtime.advance(31_000);
    runtime.advance(31_000);
    expect(cache.entries).toBe(0);
    timer.cancel();
  });
});
