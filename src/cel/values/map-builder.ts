import { Uint } from './numbers.ts';
import { Failure, keyOf } from './values.ts';

const isKey = (key: unknown): boolean =>
  typeof key === 'string' ||
  typeof key === 'boolean' ||
  typeof key === 'number' ||
  typeof key === 'bigint' ||
  key instanceof Uint;

/** Makes a map of entries, each of a key that can be one and was not there before. */
export class MapBuilder {
  readonly entries = new Map<unknown, readonly [key: unknown, value: unknown]>();

  add(key: unknown, value: unknown): Failure | undefined {
    if (!isKey(key)) return new Failure('unsupported key type');
    const found = keyOf(key);
    if (this.entries.has(found)) return new Failure('insert failed: key already exists');
    this.entries.set(found, [key, value]);
    return undefined;
  }
}
