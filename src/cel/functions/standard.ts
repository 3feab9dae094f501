import { BOOL } from '../types/type.ts';
import { arithmetic } from './arithmetic.ts';
import { comparison } from './comparison.ts';
import { conversions } from './conversions.ts';
import { encoders } from './encoders.ts';
import { type Format, formatLibrary } from './formats.ts';
import { lists } from './lists.ts';
import { mathematics } from './mathematics.ts';
import { optionals } from './optionals.ts';
import { quantities } from './quantities.ts';
import { regex } from './regex.ts';
import { sets } from './sets.ts';
import { bool, global, type Library, type Overload } from './signature.ts';
import { strings } from './strings.ts';
import { times } from './times.ts';
import { urls } from './urls.ts';

const logic: Library = { '!_': [global([bool], { type: BOOL }, (_, value) => !value)] };

const LIBRARIES = [
  logic,
  arithmetic,
  comparison,
  conversions,
  strings,
  regex,
  lists,
  sets,
  optionals,
  times,
  urls,
  quantities,
  encoders,
  mathematics,
];

export type Functions = ReadonlyMap<string, readonly Overload[]>;

/** All functions by name, with those of `more`. Formats of names are handed in; functions of one name in two libraries are overloads. */
export function standardFunctions(
  formats: Readonly<Record<string, Format>> = {},
  more: readonly Library[] = [],
): Functions {
  const functions = new Map<string, Overload[]>();
  for (const library of [...LIBRARIES, formatLibrary(formats), ...more]) {
    for (const [name, overloads] of Object.entries(library)) {
      functions.set(name, [...(functions.get(name) ?? []), ...overloads]);
    }
  }
  return functions;
}
