import { NotYet } from '../../client/controlling/work-queue.ts';
import { type AnyObject, isRefusal, unless } from '../../client/plane-client.ts';
import type { Pod } from '../../kinds/core/pod/pod.ts';
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '../../kinds/policy/v1/pod-disruption-budget.ts';
import { restEveryTurn } from '../../runtime/pacing.ts';
import { fromStructured } from '../../selectors/label-selector.ts';
import { fromKey, keyOf, type Loop, type LoopPlane, type LoopQueue, servedKind } from '../loop.ts';
import { FAILED, failedStatus, isSameStatus, observeBudget } from './budget-status.ts';
import { CONTROLLERS, type ExpectedPods, expectedPods } from './expected-pods.ts';

const BUDGETS = { group: 'policy', plural: 'poddisruptionbudgets' };
const PODS = { group: '', plural: 'pods' };

type Budget = PodDisruptionBudget & AnyObject;
type StoredPod = Pod & AnyObject;

/** Keeps the status of disruption budgets, by which evictions are decided. */
export const disruption: Loop = {
  name: 'disruption',
  account: 'disruption-controller',
  begin(plane, queue) {
    const budgetsOf = (pod: AnyObject): string[] => keysOfBudgets(plane, pod);
    const failedOf = ({ metadata }: AnyObject): string[] =>
      [...plane.known.each(BUDGETS, metadata.namespace, FAILED)].map(keyOf);
    return {
      watches: [
        { ...BUDGETS, onSet: (budget) => [keyOf(budget)] },
        { ...PODS, onSet: budgetsOf, onRemove: budgetsOf },
        // What changes in them is seen by what becomes of their pods; that they are there may be learned after that.
        ...CONTROLLERS.map((controller) => ({ ...controller, onSet: failedOf })),
      ],
      handle: (key) => lookAt(plane, queue, key),
    };
  },
};

/** So many requirements are held against the labels of one pod; of budgets that have more, each is looked at. */
const MOST_REQUIREMENTS = 1_000;

function keysOfBudgets({ known }: LoopPlane, { metadata }: AnyObject): string[] {
  const keys: string[] = [];
  let left = MOST_REQUIREMENTS;
  for (const budget of known.each<Budget>(BUDGETS, metadata.namespace)) {
    left -= countRequirements(budget);
    if (left < 0 || fromStructured(budget.spec.selector)?.matches(metadata.labels)) keys.push(keyOf(budget));
  }
  return keys;
}

function countRequirements({ spec: { selector } }: Budget): number {
  return Object.keys(selector?.matchLabels ?? {}).length + (selector?.matchExpressions?.length ?? 0);
}

async function lookAt(plane: LoopPlane, queue: LoopQueue, key: string): Promise<void> {
  const { namespace, name } = fromKey(key);
  const budget = plane.known.get<Budget>(BUDGETS, namespace, name);
  if (!budget) return;
  const pods = await podsOf(plane, budget);
  let expected: ExpectedPods;
  try {
    expected = await expectedPods(plane, budget, pods);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    await write(plane, budget, failedStatus(budget, message, plane.runtime.now()));
    return;
  }
  const now = plane.runtime.now();
  const { status, recheckAt } = observeBudget(budget, pods, expected, now);
  await write(plane, budget, status);
  if (recheckAt !== undefined) queue.addAfter(key, recheckAt - now + 1);
}

async function podsOf({ known, runtime }: LoopPlane, { metadata, spec }: Budget): Promise<StoredPod[]> {
  const selector = fromStructured(spec.selector);
  if (!selector) return [];
  const rest = restEveryTurn(runtime);
  const pods: StoredPod[] = [];
  for (const pod of known.each<StoredPod>(PODS, metadata.namespace)) {
    if (selector.matches(pod.metadata.labels)) pods.push(pod);
    const pause = rest();
    if (pause) await pause;
  }
  return pods;
}

async function write(plane: LoopPlane, budget: Budget, status: PodDisruptionBudgetStatus): Promise<void> {
  if (isSameStatus(budget.status, status)) return;
  const { namespace = '', name = '' } = budget.metadata;
  const target = { kind: servedKind(plane, BUDGETS), namespace, name, subresource: 'status' };
  await plane.client.replace(target, { ...budget, status }).catch((error: unknown) => {
    // An eviction came between: it counts, so everything is looked at again.
    if (isRefusal(error, 'Conflict')) throw new NotYet('the budget has changed');
    unless('NotFound')(error);
  });
}
