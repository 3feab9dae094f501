import type { Version } from './version.ts';

/** Where in an array ordered by revision the versions later than `revision` begin. */
export function firstAfter(versions: readonly Version[], revision: number): number {
  let low = 0;
  let high = versions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const version = versions[middle];
    if (version !== undefined && version.revision <= revision) low = middle + 1;
    else high = middle;
  }
  return low;
}
