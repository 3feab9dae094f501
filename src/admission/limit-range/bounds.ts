import type { LimitRangeItem } from '../../kinds/core/namespace/limit-range.ts';
import type { Pod } from '../../kinds/core/pod/pod.ts';
import { formatQuantity, parseQuantity, type Quantity } from '../../schema/quantity.ts';

/** Amounts by resource. */
export type Amounts = Readonly<Record<string, string>>;

const ZERO: Quantity = { nanos: 0n, family: 'decimal' };

const amountOf = (text: string | undefined): Quantity | undefined =>
  text === undefined ? undefined : (parseQuantity(text) ?? ZERO);

const entries = (amounts: Amounts | undefined): [resource: string, amount: string][] =>
  Object.entries(amounts ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));

const own = (amounts: Amounts, resource: string): string | undefined =>
  Object.hasOwn(amounts, resource) ? amounts[resource] : undefined;

/** All that is out of the bounds of an item, in words. */
export function boundProblems(item: LimitRangeItem, requests: Amounts, limits: Amounts): string[] {
  const { type } = item;
  const told: (string | undefined)[] = [
    ...entries(item.min).map(([resource, bound]) =>
      belowMinimum(
        `minimum ${resource} usage per ${type} is ${bound}`,
        bound,
        own(requests, resource),
        own(limits, resource),
      ),
    ),
    ...entries(item.max).map(([resource, bound]) =>
      aboveMaximum(
        `maximum ${resource} usage per ${type} is ${bound}`,
        bound,
        own(requests, resource),
        own(limits, resource),
      ),
    ),
    ...entries(item.maxLimitRequestRatio).map(([resource, bound]) =>
      tooWide(
        `${resource} max limit to request ratio per ${type} is ${bound}`,
        bound,
        own(requests, resource),
        own(limits, resource),
      ),
    ),
  ];
  return told.filter((problem) => problem !== undefined);
}

/** What a claim asks for, out of the bounds of an item. */
export function claimProblems(item: LimitRangeItem, requests: Amounts): string[] {
  const { type } = item;
  if (type !== 'PersistentVolumeClaim') return [];
  const told = [
    ...entries(item.min).map(([resource, bound]) =>
      belowMinimum(`minimum ${resource} usage per ${type} is ${bound}`, bound, own(requests, resource), undefined),
    ),
    ...entries(item.max).map(([resource, bound]) => {
      const lead = `maximum ${resource} usage per ${type} is ${bound}`;
      const request = own(requests, resource);
      if (request === undefined) return `${lead}.  No request is specified`;
      return exceeds(request, bound) ? `${lead}, but request is ${request}` : undefined;
    }),
  ];
  return told.filter((problem) => problem !== undefined);
}

const exceeds = (amount: string, bound: string): boolean =>
  (amountOf(amount) ?? ZERO).nanos > (amountOf(bound) ?? ZERO).nanos;

function belowMinimum(
  lead: string,
  bound: string,
  request: string | undefined,
  limit: string | undefined,
): string | undefined {
  if (request === undefined) return `${lead}.  No request is specified`;
  if (exceeds(bound, request)) return `${lead}, but request is ${request}`;
  return limit !== undefined && exceeds(bound, limit) ? `${lead}, but limit is ${limit}` : undefined;
}

function aboveMaximum(
  lead: string,
  bound: string,
  request: string | undefined,
  limit: string | undefined,
): string | undefined {
  if (limit === undefined) return `${lead}.  No limit is specified`;
  if (exceeds(limit, bound)) return `${lead}, but limit is ${limit}`;
  return request !== undefined && exceeds(request, bound) ? `${lead}, but request is ${request}` : undefined;
}

function tooWide(
  lead: string,
  bound: string,
  request: string | undefined,
  limit: string | undefined,
): string | undefined {
  const [asked, allowed] = [amountOf(request)?.nanos ?? 0n, amountOf(limit)?.nanos ?? 0n];
  if (asked === 0n) return `${lead}, but no request is specified or request is 0`;
  if (allowed === 0n) return `${lead}, but no limit is specified or limit is 0`;
  const most = amountOf(bound)?.nanos ?? 0n;
  if (allowed * 1_000_000_000n <= most * asked) return undefined;
  return `${lead}, but provided ratio is ${(Number(allowed) / Number(asked)).toFixed(6)}`;
}

type Field = 'requests' | 'limits';

/** What all containers have together, or the largest that runs before them, whichever is more. */
function podAmounts({ spec }: Pod, field: Field): Amounts {
  const total = new Map<string, Quantity>();
  const amounts = (container: { resources: { requests?: Amounts; limits?: Amounts } }): [string, Quantity][] =>
    Object.entries(container.resources[field] ?? {}).map(([resource, text]) => [resource, amountOf(text) ?? ZERO]);
  for (const container of spec.containers ?? []) {
    for (const [resource, { nanos, family }] of amounts(container)) {
      total.set(resource, { nanos: (total.get(resource)?.nanos ?? 0n) + nanos, family });
    }
  }
  for (const container of spec.initContainers ?? []) {
    for (const [resource, amount] of amounts(container)) {
      if (amount.nanos > (total.get(resource)?.nanos ?? 0n)) total.set(resource, amount);
    }
  }
  return Object.fromEntries([...total].map(([resource, amount]) => [resource, formatQuantity(amount)]));
}

export const podRequests = (pod: Pod): Amounts => podAmounts(pod, 'requests');
export const podLimits = (pod: Pod): Amounts => podAmounts(pod, 'limits');
