import { isObject } from '../../schema/json-object.ts';

/** The names along a path such as `.spec.size.want`. */
export const namesIn = (path: string): string[] => path.split('.').slice(1);

/** What an object has at the end of a path of fields; undefined where it has nothing. */
export function valueAt(object: unknown, names: readonly string[]): unknown {
  let value = object;
  for (const name of names) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}
