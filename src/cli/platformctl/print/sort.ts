import { parseQuantity } from '../../../schema/quantity.ts';
import { CommandError } from '../frame/failure.ts';
import { evaluateTemplate } from './json-path/evaluate.ts';
import { JsonPathError, parseRelaxed } from './json-path/syntax.ts';

/**
 * Sorts by a field, as `--sort-by` names it: quantities by their amount, other texts as people would, with numbers in them
 * as numbers. What has no such field comes first.
 */
export function sortedBy(path: string): <T>(items: readonly T[], objectOf: (item: T) => unknown) => T[] {
  const blocks = parsedPath(path);
  return (items, objectOf) => {
    const keyed = items.map((item) => ({ item, key: evaluateTemplate(blocks, objectOf(item))[0]?.[0] }));
    if (keyed.length > 0 && keyed.every(({ key }) => key === undefined)) {
      throw new CommandError(`couldn't find any field with path "${path}" in the list of objects`);
    }
    return keyed.sort((a, b) => compareFields(a.key, b.key)).map(({ item }) => item);
  };
}

function parsedPath(path: string) {
  try {
    return parseRelaxed(path);
  } catch (error) {
    if (error instanceof JsonPathError) throw new CommandError(error.message);
    throw error;
  }
}

export function compareFields(a: unknown, b: unknown): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  const [one, other] = [String(a), String(b)];
  const [x, y] = [parseQuantity(one), parseQuantity(other)];
  if (!x || !y) return compareNaturally(one, other);
  if (x.nanos === y.nanos) return 0;
  return x.nanos < y.nanos ? -1 : 1;
}

/** `a2` before `a10`. */
function compareNaturally(a: string, b: string): number {
  const [ours, theirs] = [a.match(/\d+|\D+/g) ?? [], b.match(/\d+|\D+/g) ?? []];
  for (const [at, mine] of ours.entries()) {
    const other = theirs[at];
    if (other === undefined) return 1;
    if (mine === other) continue;
    if (/^\d/.test(mine) && /^\d/.test(other)) {
      const [x, y] = [BigInt(mine), BigInt(other)];
      if (x !== y) return x < y ? -1 : 1;
      return mine.length - other.length;
    }
    return mine < other ? -1 : 1;
  }
  return ours.length - theirs.length;
}
