import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FigureRows } from './figure-rows.ts';
import { type CountedByKey, Increments } from './increments.ts';
import { quantileOf } from './quantile.ts';

describe('quantiles', () => {
  const bounds = [1, 2, 4, 8];
  it('lie in the bucket in which the exact one lies', () => {
    const observations = fc.array(fc.double({ min: 0.001, max: 8, noNaN: true }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(observations, fc.double({ min: 0.01, max: 1, noNaN: true }), (values, part) => {
        const counts = new Float64Array(bounds.length + 1);
        const bucketOf = (value: number): number => bounds.filter((bound) => value > bound).length;
        for (const value of values) counts[bucketOf(value)] = (counts[bucketOf(value)] ?? 0) + 1;
        const exact = values.toSorted((a, b) => a - b)[Math.ceil(part * values.length - 1e-9) - 1] ?? 0;
        const found = quantileOf(part, bounds, counts);
        const bucket = bucketOf(exact);
        expect(found).toBeGreaterThanOrEqual(bucket === 0 ? 0 : (bounds[bucket - 1] ?? 0));
        expect(found).toBeLessThanOrEqual((bounds[bucket] ?? 8) + 1e-9);
      }),
    );
  });

  it('are 0 of nothing, and no more than the last bound', () => {
    expect(quantileOf(0.5, bounds, [0, 0, 0, 0, 0])).toBe(0);
    expect(quantileOf(0.5, bounds, [0, 0, 0, 0, 3])).toBe(8);
  });
});

const countedOf = (totals: ReadonlyMap<string, number>): CountedByKey =>
  new Map([...totals].map(([key, total]) => [key, { labels: { key }, counts: Float64Array.of(total) }]));

describe('increments', () => {
  it('add up to what was counted, whatever is counted when', () => {
    const rounds = fc.array(fc.array(fc.tuple(fc.nat(9), fc.nat(5)), { maxLength: 8 }), { maxLength: 20 });
    fc.assert(
      fc.property(rounds, (looks) => {
        const increments = new Increments();
        const totals = new Map<string, number>();
        const grown = new Map<string, number>();
        for (const look of looks) {
          for (const [key, more] of look) totals.set(`${key}`, (totals.get(`${key}`) ?? 0) + more);
          for (const { labels, counts } of increments.of(countedOf(totals))) {
            grown.set(labels.key ?? '', (grown.get(labels.key ?? '') ?? 0) + (counts[0] ?? 0));
          }
        }
        for (const [key, total] of totals) expect(grown.get(key) ?? 0).toBe(total);
      }),
    );
  });

  it('of more than can be kept are bounded, and never more than what has happened', () => {
    const increments = new Increments();
    const totals = new Map<string, number>();
    for (let look = 0; look < 30; look++) {
      for (let at = 0; at < 100; at++) totals.set(`${look * 100 + at}`, 1);
      totals.set('busy', (totals.get('busy') ?? 0) + 7);
      const grown = increments.of(countedOf(totals));
      expect(grown.every(({ labels, counts }) => (counts[0] ?? 0) <= (labels.key === 'busy' ? 7 : 1))).toBe(true);
      expect(grown.find(({ labels }) => labels.key === 'busy')?.counts).toEqual(Float64Array.of(7));
    }
    expect(increments.size).toBeLessThanOrEqual(384);
    expect(increments.bytes).toBeLessThan(100_000);
  });
});

describe('rows', () => {
  it('are those that matter most, however many there have been', () => {
    const rows = new FigureRows([{ name: 'rate', unit: '' }], 4, 6);
    for (let look = 0; look < 200; look++) {
      const passing = Array.from({ length: 50 }, (_, at) => ({
        labels: { name: `${look}-${at}` },
        weight: 1,
        values: [1],
      }));
      const steady = ['a', 'b', 'c'].map((name) => ({ labels: { name }, weight: 100, values: [100] }));
      rows.record(look % 6, [...steady, ...passing]);
    }
    expect(rows.size).toBe(4);
    const kept = rows.rows().slice(0, 3);
    expect(kept.map(({ labels }) => labels.name).toSorted()).toEqual(['a', 'b', 'c']);
    expect(kept.map(({ values }) => [...(values[0] ?? [])])).toEqual(Array(3).fill(Array(6).fill(100)));
  });

  it('that do nothing any more have zeros', () => {
    const rows = new FigureRows([{ name: 'rate', unit: '' }], 4, 2);
    rows.record(0, [{ labels: {}, weight: 1, values: [5] }]);
    rows.record(1, []);
    rows.record(0, []);
    expect([...(rows.rows()[0]?.values[0] ?? [])]).toEqual([0, 0]);
  });
});
