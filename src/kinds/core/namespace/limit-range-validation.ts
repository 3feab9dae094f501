import { qualifiedName } from '../../../meta/formats.ts';
import type { HookContext } from '../../../registry/resource-type.ts';
import { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import { parseQuantity } from '../../../schema/quantity.ts';
import {
  compareAmounts,
  isOvercommittable,
  validateContainerResourceName,
  validateResourceName,
} from '../resource-validation.ts';
import type { LimitRange, LimitRangeItem } from './limit-range.ts';

const LIMITS = Path.of('spec', 'limits');
const TYPES = ['Container', 'PersistentVolumeClaim', 'Pod'];

export function validateLimitRange({ spec }: LimitRange, problems: Problems, context: HookContext): void {
  const seen = new Set<string>();
  spec.limits?.forEach((item, at) => {
    const path = LIMITS.index(at);
    validateType(item.type, path, problems);
    if (seen.has(item.type)) problems.duplicate(path.child('type'), item.type);
    seen.add(item.type);
    validateItem(item, path, problems, context);
  });
}

function validateType(type: string, path: Path, problems: Problems): void {
  const problem = qualifiedName(type);
  if (problem !== undefined) problems.invalid(path.child('type'), type, problem);
  else if (!type.includes('/') && !TYPES.includes(type)) {
    problems.invalid(path.child('type'), type, 'must be a standard limit type or fully qualified');
  }
}

const FIELDS = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;

/** Pods have no defaults of their own: those of their containers add up. */
function validateItem(item: LimitRangeItem, path: Path, problems: Problems, { vocabulary }: HookContext): void {
  const ofPods = item.type === 'Pod';
  const names = new Set<string>();
  for (const field of FIELDS) {
    if (ofPods && (field === 'default' || field === 'defaultRequest')) {
      if (Object.keys(item[field] ?? {}).length > 0) {
        problems.forbidden(path.child(field), "may not be specified when `type` is 'Pod'");
      }
      continue;
    }
    for (const name in item[field]) {
      const entry = path.child(field).key(name);
      if (ofPods || item.type === 'Container') validateContainerResourceName(name, entry, problems, vocabulary);
      else validateResourceName(name, entry, problems);
      names.add(name);
    }
  }
  if (item.type === 'PersistentVolumeClaim' && !item.min?.storage && !item.max?.storage) {
    const rule = 'either minimum or maximum storage value is required, but neither was provided';
    problems.required(path.child('limits'), rule);
  }
  for (const name of names) {
    validateOrder(name, item, ofPods, path, problems);
    validateRatio(name, item, path, problems);
    if (!isOvercommittable(name, vocabulary)) validateSameDefaults(name, item, path, problems);
  }
}

/** min <= defaultRequest <= default <= max, as far as they are given. */
function validateOrder(name: string, item: LimitRangeItem, ofPods: boolean, path: Path, problems: Problems): void {
  const lowest = item.min?.[name];
  const highest = item.max?.[name];
  const limit = ofPods ? undefined : item.default?.[name];
  const request = ofPods ? undefined : item.defaultRequest?.[name];
  const inOrder = (small: string | undefined, large: string | undefined, field: string, words: string[]): void => {
    if (small === undefined || large === undefined || compareAmounts(small, large) <= 0) return;
    const [smallWord, largeWord] = words;
    const rule = `${smallWord} value ${small} is greater than ${largeWord} value ${large}`;
    problems.invalid(path.child(field).key(name), small, rule);
  };
  inOrder(lowest, highest, 'min', ['min', 'max']);
  inOrder(lowest, request, 'defaultRequest', ['min', 'default request']);
  inOrder(request, highest, 'defaultRequest', ['default request', 'max']);
  inOrder(request, limit, 'defaultRequest', ['default request', 'default limit']);
  inOrder(lowest, limit, 'default', ['min', 'default']);
  inOrder(limit, highest, 'default', ['default', 'max']);
}

const numberOf = (amount: string | undefined): number | undefined => {
  const quantity = amount === undefined ? undefined : parseQuantity(amount);
  return quantity && Number(quantity.nanos) / 1e9;
};

/** How many times the request a limit may be: at least once, at most as often as the bounds allow. */
function validateRatio(
  name: string,
  { maxLimitRequestRatio, min, max }: LimitRangeItem,
  path: Path,
  problems: Problems,
) {
  const text = maxLimitRequestRatio?.[name];
  const ratio = numberOf(text);
  if (ratio === undefined) return;
  const entry = path.child('maxLimitRequestRatio').key(name);
  if (ratio < 1) problems.invalid(entry, text, `ratio ${text} is less than 1`);
  const lowest = numberOf(min?.[name]);
  const highest = numberOf(max?.[name]);
  if (lowest !== undefined && highest !== undefined && ratio > highest / lowest) {
    problems.invalid(entry, text, `ratio ${text} is greater than max/min = ${(highest / lowest).toFixed(6)}`);
  }
}

/** Of a resource that cannot be overcommitted as much is requested as is allowed. */
function validateSameDefaults(name: string, item: LimitRangeItem, path: Path, problems: Problems): void {
  const limit = item.default?.[name];
  const request = item.defaultRequest?.[name];
  if (limit === undefined || request === undefined || compareAmounts(limit, request) === 0) return;
  const rule = `default value ${limit} must equal to defaultRequest value ${request} in ${name}`;
  problems.invalid(path.child('defaultRequest').key(name), request, rule);
}
