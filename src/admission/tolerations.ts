import type { Toleration } from '../kinds/core/taint.ts';
import { sameJson } from '../schema/same-json.ts';

/** Whether `wide` tolerates everything that `narrow` does, for at least as long. */
export function includes(wide: Toleration, narrow: Toleration): boolean {
  if (sameJson(wide, narrow)) return true;
  if ((wide.key ?? '') !== (narrow.key ?? '') && !isForEverything(wide)) return false;
  if (wide.effect && wide.effect !== narrow.effect) return false;
  if (wide.effect === 'NoExecute' && !lastsAsLong(wide, narrow)) return false;
  if (wide.operator === 'Exists') return true;
  return narrow.operator !== 'Exists' && (wide.value ?? '') === (narrow.value ?? '');
}

const isForEverything = ({ key, operator }: Toleration): boolean => !key && operator === 'Exists';

const secondsOf = ({ tolerationSeconds }: Toleration): number => tolerationSeconds ?? Number.POSITIVE_INFINITY;

const lastsAsLong = (wide: Toleration, narrow: Toleration): boolean => secondsOf(wide) >= secondsOf(narrow);

/** Those of both lists, in order, without any that another one includes; of equal ones the first stays. */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): Toleration[] {
  const all = [...first, ...second];
  const merged: Toleration[] = [];
  for (const [at, one] of all.entries()) {
    const isCovered = merged.some((kept) => includes(kept, one));
    const willBe = all.slice(at + 1).some((later) => !sameJson(later, one) && includes(later, one));
    if (!isCovered && !willBe) merged.push(one);
  }
  return merged;
}
