import type { Histogram, Labels } from '../../observe/metrics/distributions.ts';
import type { CountedByKey } from './increments.ts';
import { quantileOf } from './quantile.ts';

/** What some readings are put together under; undefined: they are left out. */
export type LabelsOf = (labels: Labels) => Labels | undefined;

/** Adds up distributions: of each the buckets, and last the sum of all that was observed. */
export function addDistributions(
  readings: Iterable<{ readonly labels: Labels; readonly histogram: Histogram }>,
  labelsOf: LabelsOf,
): CountedByKey {
  const counted: CountedByKey = new Map();
  for (const { labels: given, histogram } of readings) {
    const labels = labelsOf(given);
    if (!labels) continue;
    const { counts: buckets, sum } = histogram;
    const counts = countsFor(counted, labels, buckets.length + 1);
    for (let at = 0; at < buckets.length; at++) add(counts, at, buckets[at] ?? 0);
    add(counts, buckets.length, sum);
  }
  return counted;
}

/** Adds up numbers, each at the place that `placeOf` says, of so many places; what has none is left out. */
export function addNumbers(
  counted: CountedByKey,
  readings: Iterable<{ readonly labels: Labels; readonly value: number }>,
  labelsOf: LabelsOf,
  places: number,
  placeOf: (labels: Labels) => number | undefined = () => 0,
): CountedByKey {
  for (const { labels: given, value } of readings) {
    const place = placeOf(given);
    const labels = place === undefined ? undefined : labelsOf(given);
    if (labels && place !== undefined) add(countsFor(counted, labels, places), place, value);
  }
  return counted;
}

export const keyOf = (labels: Labels): string => Object.values(labels).join('\n');

function countsFor(counted: CountedByKey, labels: Labels, length: number): Float64Array {
  const key = keyOf(labels);
  const known = counted.get(key);
  if (known) return known.counts;
  const counts = new Float64Array(length);
  counted.set(key, { labels, counts });
  return counts;
}

function add(counts: Float64Array, at: number, more: number): void {
  counts[at] = (counts[at] ?? 0) + more;
}

/** What was observed between two looks. */
export interface Observed {
  readonly count: number;
  /** In milliseconds, of observations in seconds. */
  readonly meanMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** `counts`: as `addDistributions` leaves them. */
export function observedIn(counts: Float64Array, bounds: readonly number[]): Observed {
  const buckets = counts.subarray(0, -1);
  const count = buckets.reduce((sum, one) => sum + one, 0);
  const meanMs = count === 0 ? 0 : (1000 * (counts.at(-1) ?? 0)) / count;
  return {
    count,
    meanMs,
    p50Ms: 1000 * quantileOf(0.5, bounds, buckets),
    p99Ms: 1000 * quantileOf(0.99, bounds, buckets),
  };
}
