import { parseQuantity } from '../../../schema/quantity.ts';
import type { PodSpec } from './pod-spec.ts';

export type QosClass = 'BestEffort' | 'Burstable' | 'Guaranteed';

type Amounts = Map<string, bigint>;

const COMPUTE_RESOURCES = ['cpu', 'memory'];

/**
 * How a pod is treated when a node runs short. Guaranteed: every container, init containers too, limits both processor
 * and memory, and requests add up to the limits. BestEffort: nothing is requested or limited at all.
 */
export function qosClassOf({ containers, initContainers }: PodSpec): QosClass {
  const requests: Amounts = new Map();
  const limits: Amounts = new Map();
  let allLimited = true;
  for (const { resources } of [...(containers ?? []), ...(initContainers ?? [])]) {
    add(requests, resources.requests);
    if (add(limits, resources.limits) < COMPUTE_RESOURCES.length) allLimited = false;
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  return allLimited && sameAmounts(requests, limits) ? 'Guaranteed' : 'Burstable';
}

/** Adds what is more than zero, and says how many resources that were. */
function add(sums: Amounts, amounts: Readonly<Record<string, string>> = {}): number {
  const counted = COMPUTE_RESOURCES.filter((resource) => {
    const amount = amounts[resource];
    if (amount === undefined) return false;
    const { nanos } = parseQuantity(amount) ?? { nanos: 0n };
    if (nanos > 0n) sums.set(resource, (sums.get(resource) ?? 0n) + nanos);
    return nanos > 0n;
  });
  return counted.length;
}

const sameAmounts = (a: Amounts, b: Amounts): boolean =>
  a.size === b.size && [...a].every(([resource, amount]) => b.get(resource) === amount);
