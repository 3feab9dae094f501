/**
 * How many values a document may have: fields, entries of maps and elements of lists, each counted once. Every encoding is
 * held to it while it is read. Whatever is done with a document takes time for each value, so this bounds how long.
 */
export const MOST_VALUES = 100_000;

/** How deep a document may nest. Deeper ones serve no kind and could exhaust the stack of whatever walks them. */
export const DEEPEST = 200;

/** How many values are in a JSON value; of more than `most`, some number above it. */
export function countValues(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    count += 1 + countValues(inner, most - count);
    if (count > most) break;
  }
  return count;
}

/** How many lists and objects are around the innermost value of a JSON value; looks no deeper than `DEEPEST + 1`. */
export const depthOf = (value: unknown): number => depthWithin(value, DEEPEST + 1);

function depthWithin(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null || most === 0) return 0;
  let deepest = 0;
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof inner === 'object') deepest = Math.max(deepest, depthWithin(inner, most - 1));
  }
  return deepest + 1;
}
