import { pathText } from '../path.ts';

/** A JSON value of the wrong type. `path` is the exact place, `text` says what was wanted and what was found. */
export class TypeMismatch extends Error {
  override readonly name = 'TypeMismatch';
  readonly path: string;
  readonly problem: string;

  constructor(path: string, expects: string, found: unknown) {
    const problem = `expected ${expects}, got ${describe(found)}`;
    super(`${path}: ${problem}`);
    this.path = path;
    this.problem = problem;
  }
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  const text = JSON.stringify(value);
  return `${typeof value} ${text.length > 40 ? `${text.slice(0, 40)}…` : text}`;
}

/** Where the reader is, what it met that no declaration knows, and whether it may keep what is canonical already. */
export class Trail {
  readonly segments: (string | number)[] = [];
  readonly unknown: string[] = [];
  readonly keeps: boolean;

  constructor(keeps: boolean) {
    this.keeps = keeps;
  }

  mismatch(expects: string, found: unknown): TypeMismatch {
    return new TypeMismatch(pathText(this.segments), expects, found);
  }

  mismatchAt(segment: string | number, expects: string, found: unknown): TypeMismatch {
    return new TypeMismatch(pathText([...this.segments, segment]), expects, found);
  }

  noteUnknown(name: string): void {
    this.unknown.push(pathText([...this.segments, name]));
  }
}

/**
 * Reads a JSON value that is neither null nor undefined. `known` is canonical, and what stands in the same place of
 * another value, if there is one: what both have in common, being the very same, needs no second look.
 */
export interface Reader {
  read(value: unknown, trail: Trail, known: unknown): unknown;
  /** Whether the result is what an unset field holds. */
  isZero(value: unknown): boolean;
  /** Written for an unset field that is always there; a fresh value each time. */
  zero(): unknown;
  /** Stands for a null inside a list or map. */
  empty(): unknown;
}
