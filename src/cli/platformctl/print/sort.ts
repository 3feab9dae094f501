import { parseQuantity } from '../../../schema/quantity.ts';
import { CommandError } from '../frame/failure.ts';
import { evaluateTemplate } from './json-path/evaluate.ts';
import { JsonPathError, parseRelaxed } from './json-path/syntax.ts';
import { compareCodePoints } from './json-text.ts';

/**
 * Sorts by a field, as `--sort-by` names it: quantities by their amount, other texts by their characters. What has no such
 * field comes first.
 */
export function sortedBy(path: string): <T>(items: readonly T[], objectOf: (item: T) => unknown) => T[] {
  const blocks = parsedPath(path);
  return (items, objectOf) => {
    const keyed = items.map((item) => ({ item, key: evaluateTemplate(blocks, objectOf(item))[0]?.[0] }));
    if (keyed.length > 0 && keyed.every(({ key }) => key === undefined)) {
      throw new CommandError(
        `couldn't find any field with path "{.${path.replace(/^\{?\.?|\}$/g, '')}}" in the list of objects`,
      );
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
  if (!x || !y) return compareCodePoints(one, other);
  if (x.nanos === y.nanos) return 0;
  return x.nanos < y.nanos ? -1 : 1;
}
