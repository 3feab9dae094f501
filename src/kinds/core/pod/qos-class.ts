import { parseQuantity } from '../../../schema/quantity.ts';
import type { PodSpec } from './pod-spec.ts';

export type QosClass = 'BestEffort' | 'Burstable' | 'Guaranteed';

const COMPUTE_RESOURCES = ['cpu', 'memory'];

/**
 * How a pod is treated when a node runs short. Guaranteed: every container, init containers too, limits both processor
 * and memory, and requests add up to the limits. BestEffort: nothing is requested or limited at all.
 */
export function qosClassOf({ containers, initContainers }: PodSpec): QosClass {
  let isBestEffort = true;
  let isGuaranteed = true;
  for (const resource of COMPUTE_RESOURCES) {
    let [requested, limited] = [0n, 0n];
    for (const list of [containers, initContainers]) {
      for (const { resources } of list ?? []) {
        const limit = amountOf(resources.limits, resource);
        if (limit === 0n) isGuaranteed = false;
        limited += limit;
        requested += amountOf(resources.requests, resource);
      }
    }
    if (requested !== limited) isGuaranteed = false;
    if (requested > 0n || limited > 0n) isBestEffort = false;
  }
  if (isBestEffort) return 'BestEffort';
  return isGuaranteed ? 'Guaranteed' : 'Burstable';
}

/** What is less than zero counts as nothing. */
function amountOf(amounts: Readonly<Record<string, string>> | undefined, resource: string): bigint {
  const amount = amounts?.[resource];
  const nanos = amount === undefined ? 0n : (parseQuantity(amount)?.nanos ?? 0n);
  return nanos > 0n ? nanos : 0n;
}
