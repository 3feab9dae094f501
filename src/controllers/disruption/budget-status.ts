import type { Pod } from '../../kinds/core/pod/pod.ts';
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '../../kinds/policy/v1/pod-disruption-budget.ts';
import type { Condition } from '../../meta/condition.ts';
import { formatTime } from '../../schema/time.ts';
import type { ExpectedPods } from './expected-pods.ts';

const CONDITION = 'DisruptionAllowed';
/** The reason of a condition that says so. */
export const FAILED = 'SyncFailed';
/** A pod that was evicted so long ago and is still there will not go: it counts again. */
export const DELETION_MS = 120_000;

export interface BudgetObservation {
  readonly status: PodDisruptionBudgetStatus;
  /** When an eviction has to be looked at again; undefined: none is waited for. */
  readonly recheckAt: number | undefined;
}

/** What the status of a budget is, given its pods. */
export function observeBudget(
  budget: PodDisruptionBudget,
  pods: readonly Pod[],
  { expected, desiredHealthy }: ExpectedPods,
  now: number,
): BudgetObservation {
  const { disruptedPods, recheckAt } = evictionsUnderWay(budget, pods, now);
  const currentHealthy = pods.filter(
    (pod) => isHealthy(pod) && !Object.hasOwn(disruptedPods, pod.metadata.name ?? ''),
  ).length;
  // A budget without pods allows nothing: its first ones may come before it is looked at again.
  const disruptionsAllowed = expected <= 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy);
  const condition =
    disruptionsAllowed > 0
      ? { status: 'True', reason: 'SufficientPods' }
      : { status: 'False', reason: 'InsufficientPods' };
  const observedGeneration = budget.metadata.generation ?? 0;
  return {
    recheckAt,
    status: {
      observedGeneration,
      ...(Object.keys(disruptedPods).length === 0 ? {} : { disruptedPods }),
      disruptionsAllowed,
      currentHealthy,
      desiredHealthy,
      expectedPods: expected,
      conditions: withCondition(budget, { ...condition, message: '', observedGeneration }, now),
    },
  };
}

/** Nothing may be evicted while it is not known how many pods there should be. */
export function failedStatus(budget: PodDisruptionBudget, message: string, now: number): PodDisruptionBudgetStatus {
  const { observedGeneration = 0 } = budget.status;
  const condition = { status: 'False', reason: FAILED, message, observedGeneration };
  return { ...budget.status, disruptionsAllowed: 0, conditions: withCondition(budget, condition, now) };
}

/** Whether there is nothing to write. */
export function isSameStatus(one: PodDisruptionBudgetStatus, other: PodDisruptionBudgetStatus): boolean {
  const text = ({ disruptedPods, conditions, ...numbers }: PodDisruptionBudgetStatus): string =>
    JSON.stringify([
      Object.entries(numbers).sort(),
      Object.entries(disruptedPods ?? {}).sort(),
      (conditions ?? []).map((condition) => Object.entries(condition).sort()),
    ]);
  return text(one) === text(other);
}

/** The pods that were evicted lately and do not go yet. */
function evictionsUnderWay(
  { status }: PodDisruptionBudget,
  pods: readonly Pod[],
  now: number,
): { readonly disruptedPods: Record<string, string>; readonly recheckAt: number | undefined } {
  const evicted = status.disruptedPods ?? {};
  const disruptedPods: Record<string, string> = {};
  let recheckAt: number | undefined;
  for (const { metadata } of pods) {
    const { name = '', deletionTimestamp } = metadata;
    const time = Object.hasOwn(evicted, name) ? evicted[name] : undefined;
    if (!time || deletionTimestamp) continue;
    const until = Date.parse(time) + DELETION_MS;
    if (!(until >= now)) continue;
    disruptedPods[name] = time;
    recheckAt = Math.min(recheckAt ?? until, until);
  }
  return { disruptedPods, recheckAt };
}

const isHealthy = ({ metadata, status }: Pod): boolean =>
  !metadata.deletionTimestamp &&
  (status.conditions?.some(({ type, status: state }) => type === 'Ready' && state === 'True') ?? false);

function withCondition(
  { status }: PodDisruptionBudget,
  next: Pick<Condition, 'status' | 'reason' | 'message' | 'observedGeneration'>,
  now: number,
): Condition[] {
  const conditions = status.conditions ?? [];
  const before = conditions.find(({ type }) => type === CONDITION);
  const lastTransitionTime = before?.status === next.status ? before.lastTransitionTime : formatTime(now);
  const condition = { type: CONDITION, lastTransitionTime, ...next };
  if (!before) return [...conditions, condition];
  return conditions.map((one) => (one === before ? condition : one));
}
