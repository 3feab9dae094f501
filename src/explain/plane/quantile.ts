/**
 * The value below which a part of the observations lies, of how many fell into each bucket: evenly spread inside of a
 * bucket. Above the last bound it is that bound; 0 without observations.
 */
export function quantileOf(part: number, bounds: readonly number[], counts: ArrayLike<number>): number {
  let total = 0;
  for (let bucket = 0; bucket <= bounds.length; bucket++) total += counts[bucket] ?? 0;
  if (total === 0) return 0;
  const rank = part * total;
  let below = 0;
  for (const [bucket, bound] of bounds.entries()) {
    const count = counts[bucket] ?? 0;
    if (count > 0 && below + count >= rank) {
      const from = bucket === 0 ? 0 : (bounds[bucket - 1] ?? 0);
      return from + ((bound - from) * (rank - below)) / count;
    }
    below += count;
  }
  return bounds.at(-1) ?? 0;
}
