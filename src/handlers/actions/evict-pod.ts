import { ApiError } from '../../api/errors.ts';
import { doneStatus } from '../../codec/status.ts';
import type { Pod } from '../../kinds/core/pod/pod.ts';
import { Eviction } from '../../kinds/policy/v1/eviction.ts';
import type { PodDisruptionBudget } from '../../kinds/policy/v1/pod-disruption-budget.ts';
import { Eviction as OlderEviction } from '../../kinds/policy/v1beta1/eviction.ts';
import type { ResourceType } from '../../registry/resource-type.ts';
import { demandName } from '../../registry/stages/read.ts';
import type { DeleteOptions } from '../../registry/write.ts';
import { deleteOptionsOf } from '../write/delete-options.ts';
import type { Action, ActionCall } from './action.ts';
import { budgetOf, isSpared, spendDisruption, underReview } from './disruption-budget.ts';
import { servedType } from './served-type.ts';

/** So often the pod may change between the look at it and its deletion. */
const MOST_TRIES = 20;

/** Deletes a pod, unless its disruption budget asks for patience. */
export const evictPod: Action<Eviction> = {
  group: '',
  plural: 'pods',
  subresource: 'eviction',
  accepts: [
    { group: 'policy', version: 'v1', kind: 'Eviction', schema: Eviction },
    { group: 'policy', version: 'v1beta1', kind: 'Eviction', schema: OlderEviction },
  ],
  async run(call) {
    const { catalogue, context, name, object, options } = call;
    demandName(object, name);
    const { kind, apiVersion } = object;
    const wanted = object.deleteOptions ?? { kind, apiVersion };
    const deletion = deleteOptionsOf(wanted, options, context.vocabulary.groups.meta);
    await evict(call, servedType(catalogue, '', 'pods'), deletion);
    return { status: 201, body: doneStatus(201) };
  },
};

async function evict(call: ActionCall<Eviction>, pods: ResourceType, deletion: DeleteOptions): Promise<void> {
  const { objects, namespace, name } = call;
  for (let attempt = 1; ; attempt++) {
    const pod = objects.of<Pod>(await objects.read(pods, namespace, name, { deadline: deletion.deadline }));
    if (!isDisrupted(pod)) return evictWithinBudget(call, pods, pod, deletion);
    try {
      return await remove(call, pods, mayBecomeReady(pod) ? unchangedSince(pod, deletion) : deletion);
    } catch (error) {
      const wantsVersion = deletion.preconditions?.resourceVersion !== undefined;
      if (!isConflict(error) || wantsVersion || attempt === MOST_TRIES) throw error;
    }
  }
}

async function evictWithinBudget(
  call: ActionCall<Eviction>,
  pods: ResourceType,
  pod: Pod,
  deletion: DeleteOptions,
): Promise<void> {
  const budget = await budgetOf(call, pod);
  if (!budget) return remove(call, pods, deletion);
  if (isSpared(budget, pod)) return removeUnready(call, pods, pod, budget, deletion);
  await spendDisruption(call, budget, call.name, deletion);
  return remove(call, pods, deletion);
}

/** A pod that has become ready meanwhile must be asked about again. */
async function removeUnready(
  call: ActionCall<Eviction>,
  pods: ResourceType,
  pod: Pod,
  budget: PodDisruptionBudget,
  deletion: DeleteOptions,
): Promise<void> {
  try {
    await remove(call, pods, unchangedSince(pod, deletion));
  } catch (error) {
    if (!isConflict(error) || deletion.preconditions?.resourceVersion !== undefined) throw error;
    throw underReview(budget);
  }
}

async function remove(
  { registry, namespace, name }: ActionCall<Eviction>,
  pods: ResourceType,
  deletion: DeleteOptions,
): Promise<void> {
  await registry.pastAdmission.delete(pods, namespace, name, deletion);
}

/** Its work is interrupted already, is over, or has not begun: a budget has nothing to protect. */
function isDisrupted({ metadata, status }: Pod): boolean {
  return Boolean(metadata.deletionTimestamp) || ['Pending', 'Succeeded', 'Failed'].includes(status.phase ?? '');
}

const mayBecomeReady = ({ metadata, status }: Pod): boolean =>
  !metadata.deletionTimestamp && status.phase === 'Pending';

function unchangedSince({ metadata }: Pod, deletion: DeleteOptions): DeleteOptions {
  const { resourceVersion = '' } = metadata;
  return { ...deletion, preconditions: { resourceVersion, ...deletion.preconditions } };
}

const isConflict = (error: unknown): boolean => error instanceof ApiError && error.reason === 'Conflict';
