import type { Path } from '../schema/path.ts';
import type { Problems } from '../schema/problems.ts';
import { sameValue } from '../schema/same-value.ts';
import { inclusiveRange, NEGATIVE, NOT_POSITIVE } from './formats.ts';

/**
 * Rules about one field, the words that validation is written in. Each looks at the value of the field `field` below
 * `path` and notes what is wrong with it; the path of the field itself is built only then. A result, where there is one,
 * says whether all was well.
 */

type Maybe<T> = T | null | undefined;

/** Not missing, not empty, not zero. */
export function required(problems: Problems, path: Path, field: string, value: unknown, detail?: string): boolean {
  const there = Array.isArray(value) ? value.length > 0 : Boolean(value);
  if (!there) problems.required(path.child(field), detail);
  return there;
}

/** Not set: `value` is missing, empty or zero. */
export function forbidden(problems: Problems, path: Path, field: string, value: unknown, detail: string): void {
  const there = Array.isArray(value) ? value.length > 0 : Boolean(value);
  if (there) problems.forbidden(path.child(field), detail);
}

/** As the format wants it. A missing value is held against the format as ''. */
export function formatted<T extends number | string>(
  problems: Problems,
  path: Path,
  field: string,
  value: T,
  format: (value: T) => string | undefined,
): boolean {
  const problem = format(value);
  if (problem !== undefined) problems.invalid(path.child(field), value, problem);
  return problem === undefined;
}

/** Empty, or as the format wants it. */
export function formattedIfSet<T extends number | string>(
  problems: Problems,
  path: Path,
  field: string,
  value: Maybe<T>,
  format: (value: T) => string | undefined,
): void {
  if (value !== undefined && value !== null && value !== '') formatted(problems, path, field, value, format);
}

/** There, and as the format wants it. */
export function named(
  problems: Problems,
  path: Path,
  field: string,
  value: Maybe<string>,
  format: (value: string) => string | undefined,
): boolean {
  return required(problems, path, field, value) && formatted(problems, path, field, value ?? '', format);
}

/** Each element as the format wants it. */
export function eachFormatted<T extends number | string>(
  problems: Problems,
  path: Path,
  field: string,
  values: Maybe<readonly T[]>,
  format: (value: T) => string | undefined,
): void {
  values?.forEach((value, at) => {
    const problem = format(value);
    if (problem !== undefined) problems.invalid(path.child(field).index(at), value, problem);
  });
}

/** Unset, or one of the values. */
export function oneOf(
  problems: Problems,
  path: Path,
  field: string,
  value: Maybe<string>,
  allowed: readonly string[],
): void {
  if (value !== undefined && value !== null && !allowed.includes(value)) {
    problems.notSupported(path.child(field), value, allowed);
  }
}

export function nonNegative(problems: Problems, path: Path, field: string, value: Maybe<number>): void {
  if (value !== undefined && value !== null && value < 0) problems.invalid(path.child(field), value, NEGATIVE);
}

export function positive(problems: Problems, path: Path, field: string, value: Maybe<number>): void {
  if (value !== undefined && value !== null && value <= 0) problems.invalid(path.child(field), value, NOT_POSITIVE);
}

export function within(
  problems: Problems,
  path: Path,
  field: string,
  value: Maybe<number>,
  lowest: number,
  highest: number,
): void {
  if (value === undefined || value === null || (value >= lowest && value <= highest)) return;
  problems.invalid(path.child(field), value, inclusiveRange(lowest, highest));
}

/** Tells of one value after the other whether it was there before. */
export function seenBefore(): (value: unknown) => boolean {
  const seen = new Set<unknown>();
  return (value) => {
    if (seen.has(value)) return true;
    seen.add(value);
    return false;
  };
}

/** No text is there twice; the later ones are noted. `field` is where an element keeps it; '' when it is the element. */
export function distinct(problems: Problems, path: Path, field: string, values: readonly (string | undefined)[]): void {
  if (values.length < 2) return;
  const seen = new Set<string>();
  values.forEach((value, at) => {
    if (!value) return;
    if (seen.has(value)) problems.duplicate(field === '' ? path.index(at) : path.index(at).child(field), value);
    seen.add(value);
  });
}

/** How many of the parts there are. */
export function countGiven(...parts: readonly unknown[]): number {
  let count = 0;
  for (const part of parts) if (part) count++;
  return count;
}

export const IMMUTABLE = 'field is immutable';

/** As it was. */
export function unchanged(
  problems: Problems,
  path: Path,
  field: string,
  value: unknown,
  old: unknown,
  detail: string = IMMUTABLE,
): boolean {
  const same = sameValue(value, old);
  if (!same) problems.invalid(path.child(field), value, detail);
  return same;
}
