import { BoundedCache, textBytes } from '../../bounds/bounded-cache.ts';
import type { OnProblem } from '../../kinds/admissionregistration/policy/policy-compiler.ts';
import type { ApiObject } from '../../registry/resource-type.ts';
import type { Steps } from '../../runtime/pacing.ts';
import { MisconfiguredError } from './misconfigured.ts';

/** Of what is compiled of all objects of one sort. */
const CAPACITY = 64 * 1024 * 1024;
/** What is not used for a while stays compiled. */
const KEEP_IDLE_MS = 10 * 60_000;
/** What is compiled takes, for each byte of its text and at least: as measured of rules of custom kinds. */
const TEXT_FACTOR = 100;
const LEAST_BYTES = 10_000;

interface Kept<T> {
  readonly compiled: T;
  readonly textBytes: number;
}

/** Tells what an object says apart from what it or another said before. */
export const generationOf = ({ metadata: { uid = '', generation = 0 } }: ApiObject): string => `${uid}/${generation}`;

/** The expressions of objects, such as policies: compiled once for each generation of an object, when they are first needed. */
export class CompiledExpressions<P extends ApiObject, T> {
  readonly #kept: BoundedCache<string, Kept<T>>;
  readonly #compile: (object: P, onProblem: OnProblem) => Steps<T>;

  constructor(name: string, compile: (object: P, onProblem: OnProblem) => Steps<T>) {
    this.#compile = compile;
    this.#kept = new BoundedCache({
      name,
      capacity: CAPACITY,
      keepIdleMs: KEEP_IDLE_MS,
      sizeOf: (_, kept) => LEAST_BYTES + TEXT_FACTOR * kept.textBytes,
    });
  }

  /** What an object of this generation was compiled to already. */
  known(generation: string): T | undefined {
    return this.#kept.get(generation)?.compiled;
  }

  /** Throws a MisconfiguredError for one that does not compile: it was written by another release. */
  *of(object: P): Steps<T> {
    const generation = generationOf(object);
    const known = this.known(generation);
    if (known !== undefined) return known;
    const compiled = yield* this.#compile(object, (path, _, problem) => {
      throw new MisconfiguredError(`failed to configure policy: ${path}: ${problem}`);
    });
    this.#kept.set(generation, { compiled, textBytes: textBytes(JSON.stringify(object)) });
    return compiled;
  }
}
