import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  hasParameter,
  INT,
  listOf,
  mapOf,
  NULL,
  opaque,
  optionalOf,
  parameter,
  STRING,
  TIMESTAMP,
  type Type,
  typeOfType,
  UINT,
} from '../types/type.ts';
import type { Meter } from '../values/meter.ts';
import type { Double, Int, Uint } from '../values/numbers.ts';
import type { Duration, Timestamp } from '../values/time.ts';
import type { MapValue, OpaqueValue, Optional, TypeValue } from '../values/values.ts';

/** A type in a signature, together with the JS type of its values. */
export interface Param<T> {
  readonly type: Type;
  readonly js?: T;
}

export const bool: Param<boolean> = { type: BOOL };
export const int: Param<Int> = { type: INT };
export const uint: Param<Uint> = { type: UINT };
export const double: Param<Double> = { type: DOUBLE };
export const text: Param<string> = { type: STRING };
export const bytes: Param<Uint8Array> = { type: BYTES };
export const nil: Param<null> = { type: NULL };
export const timestamp: Param<Timestamp> = { type: TIMESTAMP };
export const duration: Param<Duration> = { type: DURATION };
export const dyn: Param<unknown> = { type: DYN };
/** Any type, the same wherever it stands in a signature. */
export const any = (name: string): Param<unknown> => ({ type: parameter(name) });
export const list = (item: Param<unknown>): Param<readonly unknown[]> => ({ type: listOf(item.type) });
export const texts: Param<readonly string[]> = { type: listOf(STRING) };
export const map = (key: Param<unknown>, value: Param<unknown>): Param<MapValue> => ({
  type: mapOf(key.type, value.type),
});
export const optional = (of: Param<unknown>): Param<Optional> => ({ type: optionalOf(of.type) });
export const type = (of: Param<unknown>): Param<TypeValue> => ({ type: typeOfType(of.type) });
export const opaqueParam = <T>(name: string): Param<OpaqueValue<T>> => ({ type: opaque(name) });

/** From the sizes of the arguments, of which a scalar has 1. Grows with each: the largest sizes give the most. */
type BySize = (a: number, b: number, c: number) => number;

export interface Overload {
  readonly params: readonly Type[];
  readonly result: Type;
  /** Whether the first argument stands before the dot. */
  readonly isMember: boolean;
  /** Whether the signature has parameters that stand for any type. */
  readonly isGeneric: boolean;
  /** Takes arguments that are of `params`. Returns a value, a `Failure` among them. */
  readonly run: (meter: Meter, ...args: readonly unknown[]) => unknown;
  /** The result where the first argument alone decides, and the second is not evaluated; else undefined. */
  readonly decide?: (first: unknown) => unknown;
  /** What a call costs, beyond what `run` spends by itself. One unit unless given. */
  readonly units?: BySize;
  /** For the estimate, where `run` spends by what it looks at: the most it can be. */
  readonly estimate?: BySize;
  /** The largest size of the result. */
  readonly resultSize?: BySize;
}

type Costs = Partial<Pick<Overload, 'units' | 'estimate' | 'resultSize' | 'decide'>>;
type Values<P extends readonly Param<unknown>[]> = {
  readonly [K in keyof P]: P[K] extends Param<infer T> ? T : never;
};
type Run<P extends readonly Param<unknown>[]> = (meter: Meter, ...args: Values<P>) => unknown;

function overload<const P extends readonly Param<unknown>[]>(
  isMember: boolean,
  params: P,
  result: Param<unknown>,
  run: Run<P>,
  costs: Costs,
): Overload {
  const types = params.map((param) => param.type);
  return {
    params: types,
    result: result.type,
    isMember,
    isGeneric: [...types, result.type].some(hasParameter),
    // Whoever calls it has held each argument against its type.
    run: run as Overload['run'],
    ...costs,
  };
}

/** `f(a, b)` */
export const global = <const P extends readonly Param<unknown>[]>(
  params: P,
  result: Param<unknown>,
  run: Run<P>,
  costs: Costs = {},
): Overload => overload(false, params, result, run, costs);

/** `a.f(b)` */
export const member = <const P extends readonly Param<unknown>[]>(
  params: P,
  result: Param<unknown>,
  run: Run<P>,
  costs: Costs = {},
): Overload => overload(true, params, result, run, costs);

/** Functions by name. */
export type Library = Readonly<Record<string, readonly Overload[]>>;
