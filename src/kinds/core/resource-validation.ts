import { NEGATIVE, NOT_POSITIVE, qualifiedName } from '../../meta/formats.ts';
import type { HookContext } from '../../registry/resource-type.ts';
import type { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import { compareQuantities, parseQuantity } from '../../schema/quantity.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { ResourceRequirements } from './pod/resource-requirements.ts';

/** Amounts by resource name. Quantities are in canonical spelling, which several rules here read directly. */
export type Amounts = Readonly<Record<string, string>>;

const HUGE_PAGES = 'hugepages-';

const CONTAINER_RESOURCES = new Set(['cpu', 'memory', 'ephemeral-storage']);

const COUNTED_RESOURCES = new Set([
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]);

const QUOTA_RESOURCES = new Set([
  ...CONTAINER_RESOURCES,
  ...COUNTED_RESOURCES,
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
]);

const STANDARD_RESOURCES = new Set([...QUOTA_RESOURCES, 'storage']);

export const isHugePages = (name: string): boolean => name.startsWith(HUGE_PAGES);

const isQuotaHugePages = (name: string): boolean => isHugePages(name) || name.startsWith(`requests.${HUGE_PAGES}`);

/** Resources the platform itself knows how to share out. */
const isNative = (name: string, { prefixes }: Vocabulary): boolean =>
  !name.includes('/') || name.includes(prefixes.key);

/** Resources that others bring along, always counted in whole units. */
export const isExtended = (name: string, v: Vocabulary): boolean =>
  !isNative(name, v) && !name.startsWith('requests.') && qualifiedName(`requests.${name}`) === undefined;

/** Whether more may be allowed than is there; other resources are requested and limited alike. */
export const isOvercommittable = (name: string, v: Vocabulary): boolean => isNative(name, v) && !isHugePages(name);

const isStandard = (name: string): boolean => STANDARD_RESOURCES.has(name) || isQuotaHugePages(name);

/** A standard resource, or one with a domain before it. */
export function validateResourceName(name: string, path: Path, problems: Problems): void {
  const problem = qualifiedName(name);
  if (problem !== undefined) problems.invalid(path, name, problem);
  else if (!name.includes('/') && !isStandard(name)) {
    problems.invalid(path, name, 'must be a standard resource type or fully qualified');
  }
}

/** A resource that containers can have. */
export function validateContainerResourceName(name: string, path: Path, problems: Problems, v: Vocabulary): void {
  if (CONTAINER_RESOURCES.has(name)) return;
  validateResourceName(name, path, problems);
  if (!name.includes('/')) {
    if (!isHugePages(name)) problems.invalid(path, name, 'must be a standard resource for containers');
  } else if (!isNative(name, v) && !isExtended(name, v)) {
    problems.invalid(path, name, "doesn't follow extended resource name standard");
  }
}

/** A resource that quotas can bound. */
export function validateQuotaResourceName(name: string, path: Path, problems: Problems): void {
  validateResourceName(name, path, problems);
  if (!name.includes('/') && !isStandardQuotaResource(name)) {
    problems.invalid(path, name, 'must be a standard resource for quota');
  }
}

export const isStandardQuotaResource = (name: string): boolean => QUOTA_RESOURCES.has(name) || isQuotaHugePages(name);

export const isNegative = (amount: string): boolean => amount.startsWith('-');

const isWhole = (amount: string): boolean => !/[num]$|e-/.test(amount);

/** An amount is not negative, and whole where the resource comes in units. */
export function validateAmount(name: string, amount: string, path: Path, problems: Problems, v: Vocabulary): void {
  if (isNegative(amount)) problems.invalid(path, amount, NEGATIVE);
  if ((COUNTED_RESOURCES.has(name) || isExtended(name, v)) && !isWhole(amount)) {
    problems.invalid(path, amount, 'must be an integer');
  }
}

export function validatePositiveAmount(amount: string, path: Path, problems: Problems): void {
  if (amount === '0' || isNegative(amount)) problems.invalid(path, amount, NOT_POSITIVE);
}

/** -1, 0 or 1, as `a` is less than, equal to or more than `b`. */
export function compareAmounts(a: string, b: string): number {
  if (a === b) return 0;
  const [small, other] = [thousandths(a), thousandths(b)];
  if (small !== undefined && other !== undefined) return Math.sign(small - other);
  const [left, right] = [parseQuantity(a), parseQuantity(b)];
  return left && right ? compareQuantities(left, right) : 0;
}

const UNITS: Readonly<Record<string, number>> = {
  m: 1,
  '': 1000,
  k: 1e6,
  M: 1e9,
  G: 1e12,
  Ki: 1024e3,
  Mi: 1024 ** 2 * 1000,
  Gi: 1024 ** 3 * 1000,
};

/** The amounts that nearly all containers ask for, as a plain number; undefined for any other. */
function thousandths(amount: string): number | undefined {
  let value = 0;
  let at = 0;
  for (; at < amount.length; at++) {
    const digit = amount.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  const unit = at === 0 ? undefined : UNITS[amount.slice(at)];
  const scaled = unit === undefined ? Number.NaN : value * unit;
  return Number.isSafeInteger(scaled) ? scaled : undefined;
}

/** Requests and limits of a container. */
export function validateResourceRequirements(
  { limits, requests }: ResourceRequirements,
  path: Path,
  problems: Problems,
  { vocabulary }: HookContext,
): void {
  if (!limits && !requests) return;
  validateContainerAmounts(limits, path.child('limits'), problems, vocabulary);
  validateContainerAmounts(requests, path.child('requests'), problems, vocabulary);
  for (const name in requests) {
    const limit = limits && Object.hasOwn(limits, name) ? limits[name] : undefined;
    holdAgainstLimit(name, requests[name] ?? '0', limit, path, problems, vocabulary);
  }
  if (hasOnlyPages(limits, requests)) problems.forbidden(path, 'HugePages require cpu or memory');
}

/** Huge pages are asked for, neither processors nor memory are. */
function hasOnlyPages(limits: Amounts = {}, requests: Amounts = {}): boolean {
  if (limits.cpu ?? requests.cpu ?? limits.memory ?? requests.memory) return false;
  return Object.keys(limits).some(isHugePages) || Object.keys(requests).some(isHugePages);
}

/** What a pod costs on top of its containers. */
export function validateOverhead(overhead: Amounts, path: Path, problems: Problems, context: HookContext): void {
  validateResourceRequirements({ limits: overhead }, path, problems, context);
}

function validateContainerAmounts(amounts: Amounts | undefined, path: Path, problems: Problems, v: Vocabulary): void {
  for (const name in amounts) {
    const amount = amounts[name] ?? '0';
    if (CONTAINER_RESOURCES.has(name) && !isNegative(amount)) continue;
    const entry = path.key(name);
    validateContainerResourceName(name, entry, problems, v);
    validateAmount(name, amount, entry, problems, v);
    if (isHugePages(name) && !isMultipleOfPage(name, amount)) {
      problems.invalid(entry, amount, `${amount} is not positive integer multiple of ${name}`);
    }
  }
}

function isMultipleOfPage(name: string, amount: string): boolean {
  const page = parseQuantity(name.slice(HUGE_PAGES.length));
  const whole = parseQuantity(amount);
  if (!page || !whole || page.nanos <= 0n) return false;
  return whole.nanos >= 0n && whole.nanos % page.nanos === 0n;
}

function holdAgainstLimit(
  name: string,
  request: string,
  limit: string | undefined,
  path: Path,
  problems: Problems,
  v: Vocabulary,
): void {
  const fixed = !isOvercommittable(name, v);
  if (limit === undefined) {
    if (fixed) problems.required(path.child('limits'), 'Limit must be set for non overcommitable resources');
    return;
  }
  const order = compareAmounts(request, limit);
  if (fixed && order !== 0) problems.invalid(path.child('requests'), request, `must be equal to ${name} limit`);
  else if (order > 0) problems.invalid(path.child('requests'), request, `must be less than or equal to ${name} limit`);
}
