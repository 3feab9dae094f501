import { at, isObject, type Json, type JsonObject, listAt, textAt } from '../api/json.ts';
import type { Path } from './yaml-text.ts';

export interface Owner {
  readonly manager: string;
  readonly operation: string;
  readonly time: string;
  readonly subresource: string;
}

export const pathKey = (path: Path): string => JSON.stringify(path);

/** Who owns which field of an object, by the path of the field. */
export function ownersIn(object: JsonObject): ReadonlyMap<string, readonly Owner[]> {
  const owners = new Map<string, Owner[]>();
  for (const entry of listAt(object, 'metadata', 'managedFields')) {
    const owner = {
      manager: textAt(entry, 'manager'),
      operation: textAt(entry, 'operation'),
      time: textAt(entry, 'time'),
      subresource: textAt(entry, 'subresource'),
    };
    const claim = (path: Path): void => {
      const key = pathKey(path);
      owners.set(key, [...(owners.get(key) ?? []), owner]);
    };
    visit(at(entry, 'fieldsV1'), object, [], claim);
  }
  return owners;
}

/** Finds the fields of a record in the object that it is of: elements of lists are named by keys or values there. */
function visit(fields: Json | undefined, value: Json | undefined, path: Path, claim: (path: Path) => void): void {
  if (!isObject(fields)) return;
  const names = Object.keys(fields).filter((name) => name !== '.');
  if ((names.length === 0 || '.' in fields) && path.length > 0) claim(path);
  for (const name of names) {
    const step = stepOf(name, value);
    if (step !== undefined) visit(fields[name], at(value, step), [...path, step], claim);
  }
}

function stepOf(name: string, value: Json | undefined): string | number | undefined {
  const rest = name.slice(2);
  if (name.startsWith('f:')) return rest;
  if (!Array.isArray(value)) return undefined;
  const wanted = parsed(rest);
  const index = value.findIndex((item) =>
    name.startsWith('k:') && isObject(wanted)
      ? Object.entries(wanted).every(([key, one]) => at(item, key) === one)
      : JSON.stringify(item) === rest,
  );
  return index < 0 ? undefined : index;
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
