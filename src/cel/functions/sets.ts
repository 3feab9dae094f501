import { ItemIndex } from '../values/equality.ts';
import type { Meter } from '../values/meter.ts';
import { any, bool, global, type Library, list } from './signature.ts';

const product = { units: () => 1, estimate: (a: number, b: number) => 1 + a * b };

function contains(meter: Meter, items: readonly unknown[], wanted: readonly unknown[]): boolean {
  const known = new ItemIndex(meter, items);
  return wanted.every((item) => known.has(item));
}

function intersects(meter: Meter, items: readonly unknown[], others: readonly unknown[]): boolean {
  const known = new ItemIndex(meter, items);
  return others.some((item) => known.has(item));
}

const two = [list(any('A')), list(any('A'))] as const;

export const sets: Library = {
  'sets.contains': [global(two, bool, contains, product)],
  'sets.intersects': [global(two, bool, intersects, product)],
  'sets.equivalent': [
    global(two, bool, (meter, a, b) => contains(meter, a, b) && contains(meter, b, a), {
      ...product,
      estimate: (a, b) => 1 + 2 * a * b,
    }),
  ],
};
