import { isObject } from '../../schema/json-object.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';

const LIMIT_TYPES = ['Server', 'Namespace', 'User', 'SourceAndObject'] as const;

/** What is counted together. */
export type LimitType = (typeof LIMIT_TYPES)[number];

export interface EventLimit {
  readonly type: LimitType;
  readonly qps: number;
  readonly burst: number;
  /** How many are told apart at a time. */
  readonly cacheSize: number;
}

const DEFAULT_CACHE_SIZE = 4096;

/** Reads the configuration that says which events are too many. Throws an Error of one line. */
export function readEventLimits(given: unknown, { configGroups }: Vocabulary): readonly EventLimit[] {
  const { kind, apiVersion, limits } = isObject(given) ? given : {};
  const wanted = `${configGroups.eventRateLimit}/v1alpha1`;
  if (kind !== 'Configuration' || apiVersion !== wanted) throw new Error(`a Configuration of ${wanted} is wanted`);
  if (!Array.isArray(limits) || limits.length === 0) throw new Error('limits must be a list that is not empty');
  return limits.map(readLimit);
}

function readLimit(given: unknown, at: number): EventLimit {
  if (!isObject(given)) throw new Error(`limits[${at}] must be an object`);
  const type = LIMIT_TYPES.find((known) => known === given.type);
  if (type === undefined) throw new Error(`limits[${at}].type must be one of ${LIMIT_TYPES.join(', ')}`);
  return {
    type,
    qps: atLeast(1, given.qps, `limits[${at}].qps`),
    burst: atLeast(1, given.burst, `limits[${at}].burst`),
    // The reference's own word for "not said" is 0.
    cacheSize: atLeast(0, given.cacheSize ?? 0, `limits[${at}].cacheSize`) || DEFAULT_CACHE_SIZE,
  };
}

function atLeast(least: number, value: unknown, path: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least) return value;
  throw new Error(`${path} must be a whole number from ${least} up`);
}
