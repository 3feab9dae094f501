import type { Node, Pod } from '../../client/index.ts';
import { parseQuantity } from '../../schema/quantity.ts';

/** How much of something there is, or is asked for, by its name. */
export type Amounts = Readonly<Record<string, number>>;

const NANO = 1e9;
const amount = (text: string): number => Number(parseQuantity(text)?.nanos ?? 0n) / NANO;

export const amountsIn = (quantities: Readonly<Record<string, string>> | undefined): Amounts =>
  Object.fromEntries(Object.entries(quantities ?? {}).map(([name, text]) => [name, amount(text)]));

/** What a pod takes of a node: what its containers ask for, or the largest init container, and one of `pods`. */
export function requestsOf({ spec }: Pod): Amounts {
  const total: Record<string, number> = { pods: 1 };
  for (const { resources } of spec.containers ?? []) {
    for (const [name, value] of Object.entries(amountsIn(resources?.requests)))
      total[name] = (total[name] ?? 0) + value;
  }
  for (const { resources } of spec.initContainers ?? []) {
    for (const [name, value] of Object.entries(amountsIn(resources?.requests))) {
      total[name] = Math.max(total[name] ?? 0, value);
    }
  }
  return total;
}

/** A node as pods are put on it. */
export interface Candidate {
  readonly node: Node;
  readonly allocatable: Amounts;
  /** What is taken of it. */
  readonly used: Amounts;
}

/** The node with the fewest pods among those that a pod can be on; of several the first. */
export function chooseNode(pod: Pod, candidates: Iterable<Candidate>): string | undefined {
  const requests = requestsOf(pod);
  let best: Candidate | undefined;
  for (const candidate of candidates) {
    const isBetter = best === undefined || (candidate.used.pods ?? 0) < (best.used.pods ?? 0);
    if (isBetter && isFit(pod, requests, candidate)) best = candidate;
  }
  return best?.node.metadata.name;
}

/** Ready, not cordoned, selected by the pod, without a taint that it does not tolerate, and with enough left. */
function isFit({ spec }: Pod, requests: Amounts, { node, allocatable, used }: Candidate): boolean {
  if (node.metadata.deletionTimestamp || node.spec.unschedulable) return false;
  if (!(node.status.conditions ?? []).some(({ type, status }) => type === 'Ready' && status === 'True')) return false;
  const labels = node.metadata.labels ?? {};
  return (
    Object.entries(spec.nodeSelector ?? {}).every(([name, value]) => labels[name] === value) &&
    (node.spec.taints ?? []).every((taint) => taint.effect === 'PreferNoSchedule' || isTolerated(taint, spec)) &&
    Object.entries(requests).every(([name, value]) => (used[name] ?? 0) + value <= (allocatable[name] ?? 0))
  );
}

type Taint = NonNullable<Node['spec']['taints']>[number];

const isTolerated = ({ key, value = '', effect }: Taint, { tolerations }: Pod['spec']): boolean =>
  (tolerations ?? []).some(
    (one) =>
      (!one.effect || one.effect === effect) &&
      (one.operator === 'Exists' ? !one.key || one.key === key : one.key === key && (one.value ?? '') === value),
  );
