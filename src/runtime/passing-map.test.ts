import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PassingMap } from './passing-map.ts';

const step = fc.record({
  does: fc.constantFrom('set', 'set', 'set', 'delete', 'delete', 'clear' as const),
  key: fc.integer({ min: 0, max: 9 }),
});

it('is a map', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const [passing, plain] = [new PassingMap<number, object>(), new Map<number, object>()];
      for (const { does, key } of steps) {
        const value = { key };
        if (does === 'set') {
          passing.set(key, value);
          plain.set(key, value);
        } else if (does === 'delete') expect(passing.delete(key)).toBe(plain.delete(key));
        else {
          passing.clear();
          plain.clear();
        }
        expect(passing.size).toBe(plain.size);
        expect(passing.has(key)).toBe(plain.has(key));
        expect(passing.get(key)).toBe(plain.get(key));
        expect([...passing.keys()]).toEqual([...plain.keys()]);
        expect([...passing.values()]).toEqual([...plain.values()]);
      }
    }),
  );
});

it('takes out what is taken out while it is gone through', () => {
  const passing = new PassingMap<string, object>();
  for (const key of ['a', 'b', 'c']) passing.set(key, { key });
  const seen: object[] = [];
  for (const value of passing.values()) {
    seen.push(value);
    passing.delete('b');
  }
  expect(seen).toEqual([{ key: 'a' }, { key: 'c' }]);
});

it('has room for as many as are there at a time, however many pass through', () => {
  const passing = new PassingMap<number, { readonly n: number }>();
  for (let n = 0; n < 100_000; n++) {
    passing.set(n, { n });
    passing.delete(n - 64);
  }
  expect(passing.size).toBe(64);
  expect([...passing.values()].map((value) => value.n)).toEqual(Array.from({ length: 64 }, (_, at) => 99_936 + at));
});
