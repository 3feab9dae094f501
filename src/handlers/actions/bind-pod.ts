import { conflict, invalid } from '../../api/errors.ts';
import { doneStatus } from '../../codec/status.ts';
import { Binding } from '../../kinds/core/binding.ts';
import type { Pod } from '../../kinds/core/pod/pod.ts';
import { validatePodBinding } from '../../kinds/core/pod/pod-subresources-validation.ts';
import type { ObjectType } from '../../registry/resource-type.ts';
import { demandName } from '../../registry/stages/read.ts';
import { Problems } from '../../schema/problems.ts';
import { formatTime } from '../../schema/time.ts';
import type { Action, ActionAnswer, ActionCall } from './action.ts';
import { servedType } from './served-type.ts';

const bindingType: ObjectType<Binding> = { group: '', version: 'v1', kind: 'Binding', schema: Binding };

/** Puts a pod onto a node, once. */
export const bindPod: Action<Binding> = {
  group: '',
  plural: 'pods',
  subresource: 'binding',
  accepts: [bindingType],
  async run(call) {
    demandName(call.object, call.name);
    return bind(call, call.name);
  },
};

/** The same by another path, where the name of the pod is that of the binding. */
export const createBinding: Action<Binding> = {
  group: '',
  plural: 'bindings',
  subresource: '',
  accepts: [bindingType],
  run: (call) => bind(call, call.object.metadata.name ?? ''),
};

async function bind(call: ActionCall<Binding>, name: string): Promise<ActionAnswer> {
  const { registry, catalogue, context, namespace, object, options } = call;
  const problems = new Problems();
  validatePodBinding(object, problems);
  if (problems.found.length > 0) throw invalid('', 'Binding', name, problems.found);
  const ref = { type: servedType(catalogue, '', 'pods'), namespace, name, subresource: 'binding' };
  const now = formatTime(context.runtime.now());
  await registry.pastAdmission.update(ref, (pod) => pod && assigned(pod as Pod, object, now), options);
  return { status: 201, body: doneStatus(201) };
}

/** The pod on its node. A uid or version that the binding names must be that of the pod. */
function assigned(pod: Pod, { metadata, target }: Binding, now: string): Pod {
  const { name = '', deletionTimestamp } = pod.metadata;
  const refuse = (why: string) => conflict({ group: '', resource: 'pods/binding' }, name, why);
  if (deletionTimestamp) throw refuse(`pod ${name} is being deleted and cannot be put onto a node`);
  if (pod.spec.nodeName) throw refuse(`pod ${name} is already assigned to node "${pod.spec.nodeName}"`);
  const annotations = { ...pod.metadata.annotations, ...metadata.annotations };
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      annotations,
      resourceVersion: metadata.resourceVersion ?? '',
      ...(metadata.uid ? { uid: metadata.uid } : {}),
    },
    spec: { ...pod.spec, nodeName: target.name ?? '' },
    status: { ...pod.status, conditions: scheduled(pod.status.conditions ?? [], now) },
  };
}

type Conditions = NonNullable<Pod['status']['conditions']>;

/** A pod that someone has called scheduled before has been so since then. */
function scheduled(conditions: Conditions, now: string): Conditions {
  const isAbout = ({ type }: Conditions[number]): boolean => type === 'PodScheduled';
  const known = conditions.find(isAbout);
  const since = known?.status === 'True' ? known.lastTransitionTime : now;
  const condition = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: since };
  return known ? conditions.map((one) => (isAbout(one) ? condition : one)) : [...conditions, condition];
}
