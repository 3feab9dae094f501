import { ApiError, forbidden } from '../../api/errors.ts';
import { SERVER_USER } from '../../api/user.ts';
import type { Pod } from '../../kinds/core/pod/pod.ts';
import type { PodDisruptionBudget } from '../../kinds/policy/v1/pod-disruption-budget.ts';
import type { Condition } from '../../meta/condition.ts';
import type { WriteOptions } from '../../registry/write.ts';
import { formatTime } from '../../schema/time.ts';
import { fromStructured } from '../../selectors/label-selector.ts';
import type { ActionCall } from './action.ts';
import { servedType } from './served-type.ts';

/** Where budgets are looked up and spent. */
type BudgetSource = Pick<ActionCall, 'objects' | 'registry' | 'catalogue' | 'context' | 'namespace'>;

/** More pods than this, gone but not yet accounted for, mean that nobody is counting. */
const MOST_DISRUPTED = 2000;

/** The budget that protects a pod, if one does. Two would have to be spent at once, which cannot be done. */
export async function budgetOf(
  place: BudgetSource,
  { metadata: { labels } }: Pod,
): Promise<PodDisruptionBudget | undefined> {
  const { objects, catalogue, namespace } = place;
  const type = catalogue.preferred('policy', 'poddisruptionbudgets');
  if (!type || !labels) return undefined;
  const { items } = await objects.readList(type, namespace);
  const budgets = items.map((version) => objects.of<PodDisruptionBudget>(version));
  const matching = budgets.filter(({ spec }) => fromStructured(spec.selector)?.matches(labels));
  if (matching.length > 1) {
    throw new ApiError(
      '',
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  return matching[0];
}

/** A pod that is not ready adds nothing to a budget that is met without it. */
export function isSpared({ status }: PodDisruptionBudget, pod: Pod): boolean {
  const isReady = pod.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
  return !isReady && status.desiredHealthy > 0 && status.currentHealthy >= status.desiredHealthy;
}

/** Takes one disruption off the budget, or throws the 429 that says to wait. */
export async function spendDisruption(
  { registry, catalogue, context, namespace }: BudgetSource,
  { metadata: { name = '' } }: PodDisruptionBudget,
  podName: string,
  { dryRun = false, deadline }: WriteOptions,
): Promise<void> {
  const type = servedType(catalogue, 'policy', 'poddisruptionbudgets');
  const now = formatTime(context.runtime.now());
  await registry.update(
    { type, namespace, name, subresource: 'status' },
    (current) => current && spent(current as PodDisruptionBudget, podName, now),
    // A change of what is there now, like a patch: when another was faster, it is tried again.
    { user: SERVER_USER, dryRun, deadline, patched: true },
  );
}

function spent(budget: PodDisruptionBudget, podName: string, now: string): PodDisruptionBudget {
  const { metadata, status } = budget;
  if ((status.observedGeneration ?? 0) < (metadata.generation ?? 0)) throw underReview(budget);
  if (status.disruptionsAllowed < 0) throw uncounted(budget, 'it allows a negative number of disruptions');
  if (Object.keys(status.disruptedPods ?? {}).length > MOST_DISRUPTED) {
    throw uncounted(budget, 'too many evictions have not been accounted for');
  }
  if (status.disruptionsAllowed === 0) throw exhausted(budget);
  const disruptionsAllowed = status.disruptionsAllowed - 1;
  const disruptedPods = { ...status.disruptedPods, [podName]: now };
  const left: PodDisruptionBudget = { ...budget, status: { ...status, disruptionsAllowed, disruptedPods } };
  return disruptionsAllowed === 0 ? withNothingAllowed(left, now) : left;
}

function withNothingAllowed(budget: PodDisruptionBudget, now: string): PodDisruptionBudget {
  const { metadata, status } = budget;
  const others = (status.conditions ?? []).filter(({ type }) => type !== 'DisruptionAllowed');
  const known = status.conditions?.find(({ type }) => type === 'DisruptionAllowed');
  const condition: Condition = {
    type: 'DisruptionAllowed',
    status: 'False',
    observedGeneration: metadata.generation ?? 0,
    lastTransitionTime: known?.status === 'False' ? known.lastTransitionTime : now,
    reason: 'InsufficientPods',
    message: '',
  };
  return { ...budget, status: { ...status, conditions: [...others, condition] } };
}

const RETRY_SECONDS = 10;

const tooSoon = (message: string, retryAfterSeconds?: number): ApiError =>
  new ApiError('TooManyRequests', "Cannot evict pod as it would violate the pod's disruption budget.", {
    causes: [{ reason: 'DisruptionBudget', message }],
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });

/** Nobody has looked at the budget since it changed; that should not take long. */
export const underReview = ({ metadata }: PodDisruptionBudget): ApiError =>
  tooSoon(`the disruption budget ${metadata.name} is still being worked out`, RETRY_SECONDS);

/** When there will be more to spend, nobody can say. */
const exhausted = ({ metadata, status }: PodDisruptionBudget): ApiError =>
  tooSoon(
    `the disruption budget ${metadata.name} needs ${status.desiredHealthy} healthy pods and has ${status.currentHealthy}`,
  );

const uncounted = ({ metadata }: PodDisruptionBudget, why: string): ApiError =>
  forbidden({ group: 'policy', resource: 'poddisruptionbudget' }, metadata.name ?? '', why);
