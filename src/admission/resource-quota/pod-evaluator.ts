import type { Container } from '../../kinds/core/pod/container.ts';
import type { Pod } from '../../kinds/core/pod/pod.ts';
import { isExtended, isHugePages } from '../../kinds/core/resource-validation.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Quantity } from '../../schema/quantity.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { countOf } from './count-evaluator.ts';
import type { Evaluator } from './evaluator.ts';
import { isPodIn } from './pod-scopes.ts';
import { most, NOTHING, ONE, sum, type Usage, usageOf } from './usage.ts';

const COUNT = countOf('', 'pods');
const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'];
const REQUESTS = 'requests.';

const RESOURCES = new Set([
  COUNT,
  'pods',
  ...COMPUTE.flatMap((name) => [name, `${REQUESTS}${name}`, `limits.${name}`]),
]);

/** Where one of these is bounded, every container must say how much it needs. */
const TO_BE_SAID = new Set(['cpu', 'memory'].flatMap((name) => [name, `${REQUESTS}${name}`, `limits.${name}`]));

/** Pods, and what their containers ask for. */
export function podEvaluator(vocabulary: Vocabulary, runtime: Runtime): Evaluator<Pod> {
  const ofOthers = (resource: string): boolean =>
    resource.startsWith(REQUESTS) && isExtended(resource.slice(REQUESTS.length), vocabulary);
  return {
    changes: false,
    counts: (resource) =>
      RESOURCES.has(resource) ||
      isHugePages(resource) ||
      resource.startsWith(`${REQUESTS}hugepages-`) ||
      ofOthers(resource),
    usage: (pod) => usageOfPod(pod, runtime.now(), vocabulary),
    isIn: isPodIn,
    missing: (pod, resources) => missingOf(pod, resources, vocabulary),
  };
}

/** A pod that has ended is still an object, but uses nothing else. */
function usageOfPod(pod: Pod, now: number, vocabulary: Vocabulary): Usage {
  const used = new Map([[COUNT, ONE]]);
  if (hasEnded(pod, now)) return used;
  const { overhead } = pod.spec;
  const [requests, limits] = (['requests', 'limits'] as const).map((side) =>
    sum(needsOf(pod.spec, side), usageOf(overhead)),
  );
  return sum(used, computeUsage(requests ?? NOTHING, limits ?? NOTHING, vocabulary));
}

/** One whose node is lost may never be seen to go: once its grace has passed twice, others may have its place. */
function hasEnded({ metadata, status }: Pod, now: number): boolean {
  if (status.phase === 'Failed' || status.phase === 'Succeeded') return true;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  if (!deletionTimestamp || deletionGracePeriodSeconds === undefined) return false;
  return now > Date.parse(deletionTimestamp) + deletionGracePeriodSeconds * 1000;
}

/** Containers run together; each of those that prepare for them runs alone. */
function needsOf({ containers, initContainers }: Pod['spec'], side: 'requests' | 'limits'): Usage {
  let needs = NOTHING;
  for (const { resources } of containers ?? []) needs = sum(needs, usageOf(resources[side]));
  for (const { resources } of initContainers ?? []) needs = most(needs, usageOf(resources[side]));
  return needs;
}

function computeUsage(requests: Usage, limits: Usage, vocabulary: Vocabulary): Usage {
  const used = new Map<string, Quantity>([['pods', ONE]]);
  for (const [name, quantity] of requests) {
    if (COMPUTE.includes(name) || isHugePages(name)) used.set(name, quantity).set(`${REQUESTS}${name}`, quantity);
    else if (isExtended(name, vocabulary)) used.set(`${REQUESTS}${name}`, quantity);
  }
  for (const [name, quantity] of limits) if (COMPUTE.includes(name)) used.set(`limits.${name}`, quantity);
  return used;
}

/** `must specify limits.cpu for: a,b; requests.cpu for: b` */
function missingOf({ spec }: Pod, resources: readonly string[], vocabulary: Vocabulary): string {
  const wanted = resources.filter((name) => TO_BE_SAID.has(name)).sort();
  if (wanted.length === 0) return '';
  const containers: readonly Container[] = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const said = containers.map(({ name, resources: { requests, limits } }) => ({
    name,
    usage: computeUsage(usageOf(requests), usageOf(limits), vocabulary),
  }));
  const gaps = wanted.flatMap((resource) => {
    const silent = said.filter(({ usage }) => !usage.has(resource)).map(({ name }) => name);
    return silent.length === 0 ? [] : `${resource} for: ${silent.sort().join(',')}`;
  });
  return gaps.length === 0 ? '' : `must specify ${gaps.join('; ')}`;
}
