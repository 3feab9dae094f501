import { createHash } from 'node:crypto';
import type { AnyObject } from '../../client/plane-client.ts';
import { type Delay, delayRange, type StageSelector } from './stage.ts';

interface Condition {
  readonly type?: string;
  readonly status?: string;
}

/** What is at a path of names and indexes with dots between; undefined where there is nothing. */
export function fieldAt(object: unknown, path: string): unknown {
  let value = object;
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[step];
  }
  return value;
}

/** Whether an object is in a stage. */
export function isSelected<T extends AnyObject>(selector: StageSelector<T>, object: T): boolean {
  const { labels, annotations, fields, present, absent, conditions, matches } = selector;
  return (
    every(labels, (name, value) => object.metadata.labels?.[name] === value) &&
    every(annotations, (name, value) => object.metadata.annotations?.[name] === value) &&
    every(fields, (path, wanted) => hasText(fieldAt(object, path), wanted)) &&
    (present ?? []).every((path) => !isEmpty(fieldAt(object, path))) &&
    (absent ?? []).every((path) => isEmpty(fieldAt(object, path))) &&
    every(conditions, (type, status) => conditionStatus(object, type) === status) &&
    (matches?.(object) ?? true)
  );
}

/** `Unknown` where there is no such condition. */
export function conditionStatus(object: AnyObject, type: string): string {
  const conditions = fieldAt(object, 'status.conditions');
  const found = Array.isArray(conditions) && conditions.find((one: Condition | null) => one?.type === type);
  return (found as Condition | undefined)?.status ?? 'Unknown';
}

/**
 * How long an object is in a stage. Chance is drawn from the seed and names alone, so that the same plane lives the same
 * way again whatever else happens in it.
 */
export function delayOf(delay: Delay, seed: string, ...names: readonly string[]): number {
  const { from, to } = delayRange(delay);
  if (from === to) return from;
  const drawn =
    createHash('sha256')
      .update([seed, ...names].join('\0'))
      .digest()
      .readUInt32BE(0) /
    2 ** 32;
  return Math.round(from + (to - from) * drawn);
}

const every = <V>(wanted: Readonly<Record<string, V>> | undefined, is: (name: string, value: V) => boolean): boolean =>
  Object.entries(wanted ?? {}).every(([name, value]) => is(name, value));

function hasText(value: unknown, wanted: string | readonly string[]): boolean {
  if (value === undefined || value === null || typeof value === 'object') return false;
  return typeof wanted === 'string' ? String(value) === wanted : wanted.includes(String(value));
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);
