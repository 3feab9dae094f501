import { tooManyValues } from '../errors.ts';

/**
 * How many values a document may have: fields, entries of maps and elements of lists, each counted once. Every encoding is
 * held to it while it is read. Whatever is done with a document takes time for each value, so this bounds how long.
 */
export const MOST_VALUES = 100_000;

/** How many values are in a JSON value that must not nest too deeply. Throws when they are more than `most`. */
export function countValues(value: unknown, most: number): number {
  const left = countDown(value, most);
  if (left < 0) throw tooManyValues(most);
  return most - left;
}

/** What is left of a number after one for each value is taken from it; stops below zero. */
function countDown(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return most;
  let left = most;
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    left = countDown(inner, left - 1);
    if (left < 0) break;
  }
  return left;
}
