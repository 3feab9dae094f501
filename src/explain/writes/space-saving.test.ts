import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SpaceSaving } from './space-saving.ts';

const MOST = 8;

/** Few keys that come often among many that do not. */
const keys = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.nat(4).map((at) => `often-${at}`) },
    fc.nat(60).map((at) => `seldom-${at}`),
  ),
  { maxLength: 400 },
);

function add(sketch: SpaceSaving<null>, key: string): void {
  const known = sketch.find(key);
  if (known) sketch.again(known);
  else sketch.begin(key, null);
}

function counted(sequence: readonly string[]): {
  readonly sketch: SpaceSaving<null>;
  readonly exact: Map<string, number>;
} {
  const sketch = new SpaceSaving<null>(MOST);
  const exact = new Map<string, number>();
  for (const key of sequence) {
    add(sketch, key);
    exact.set(key, (exact.get(key) ?? 0) + 1);
  }
  return { sketch, exact };
}

describe('a sketch of what comes most often', () => {
  it('never counts too little, and too much by no more than it says', () => {
    fc.assert(
      fc.property(keys, (sequence) => {
        const { sketch, exact } = counted(sequence);
        for (const { key, count, error } of sketch.top()) {
          const truth = exact.get(key) ?? 0;
          expect(count).toBeGreaterThanOrEqual(truth);
          expect(count - error).toBeLessThanOrEqual(truth);
          expect(error).toBeLessThanOrEqual(sequence.length / MOST);
        }
        expect(sketch.total).toBe(sequence.length);
      }),
    );
  });

  it('has every key that comes more often than its counters divide', () => {
    fc.assert(
      fc.property(keys, (sequence) => {
        const { sketch, exact } = counted(sequence);
        const kept = new Set(sketch.top().map(({ key }) => key));
        for (const [key, count] of exact) if (count > sequence.length / MOST) expect(kept).toContain(key);
      }),
    );
  });

  it('is exact while there are no more keys than counters, and never larger than these', () => {
    const { sketch } = counted(['a', 'b', 'a']);
    expect(sketch.top().map(({ key, count, error }) => [key, count, error])).toEqual([
      ['a', 2, 0],
      ['b', 1, 0],
    ]);
    for (let at = 0; at < 1000; at++) add(sketch, `${at}`);
    expect(sketch.size).toBe(MOST);
  });
});
