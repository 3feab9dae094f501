import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemRuntime } from '../../../runtime/runtime.ts';
import { Pool, type PoolOptions, type Row } from './pool.ts';

const letters = 'abcdefghijklmnopqrstuvwxyz';
const row: Row<string> = {
  size: letters.length,
  at: (place) => letters.charAt(place),
  placeOf: (letter) => (letters.includes(letter) ? letters.indexOf(letter) : undefined),
};
const pool = (options: Partial<PoolOptions<string>> = {}) =>
  new Pool({ row, runtime: systemRuntime, setAside: 0, ...options });

function chooseAll(from: Pool<string>): string[] {
  const chosen: string[] = [];
  for (let value = from.choose(); value !== undefined; value = from.choose()) {
    chosen.push(value);
    from.hold(value, 'owner');
  }
  return chosen;
}

describe('a pool', () => {
  it('gives every value once, those that are set aside last, and spares the first', () => {
    const chosen = chooseAll(pool({ setAside: 5, spared: 2 }));
    expect(new Set(chosen.slice(0, 21))).toEqual(new Set(letters.slice(5)));
    expect(new Set(chosen.slice(21))).toEqual(new Set('cde'));
    expect(chosen).toHaveLength(24);
  });

  it('chooses by chance, as the runtime has it', () => {
    const at = (random: number) => pool({ setAside: 6, runtime: { ...systemRuntime, random: () => random } }).choose();
    expect([at(0), at(0.5), at(0.999_999)]).toEqual(['g', 'q', 'z']);
  });

  it('goes round to what is free', () => {
    const full = pool({ runtime: { ...systemRuntime, random: () => 0.999_999 } });
    full.hold('z', 'a');
    full.hold('a', 'a');
    expect(full.choose()).toBe('b');
  });

  it('knows nothing of other values', () => {
    const any = pool();
    any.hold('?', 'a');
    expect([any.has('?'), any.isTaken('?', 'b'), any.held()]).toEqual([false, false, []]);
  });

  it('is as a list of holds says', () => {
    const owner = fc.constantFrom('a', 'b', 'c');
    const value = fc.constantFrom('x', 'y', 'z');
    const step = fc.record({ lets: fc.boolean(), value, owner });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const real = pool();
        const model: { value: string; owner: string }[] = [];
        for (const { lets, value, owner } of steps) {
          if (lets) {
            real.letGo(value, owner);
            const at = model.findIndex((hold) => hold.value === value && hold.owner === owner);
            if (at >= 0) model.splice(at, 1);
          } else {
            real.hold(value, owner);
            model.push({ value, owner });
          }
        }
        expect(real.held()).toEqual([...new Set(model.map((hold) => hold.value))].sort());
        for (const value of 'xyz') {
          for (const owner of 'abc') {
            const taken = model.some((hold) => hold.value === value && hold.owner !== owner);
            expect(real.isTaken(value, owner)).toBe(taken);
          }
        }
      }),
    );
  });
});
