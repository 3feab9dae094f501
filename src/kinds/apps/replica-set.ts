import { int32, int64, string, time } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { PodTemplateSpec } from '../core/pod-template.ts';
import { LabelSelector } from '../meta/label-selector.ts';
import { ObjectMeta } from '../meta/object-meta.ts';

export const ReplicaSetSpec = struct('apps.v1.ReplicaSetSpec', {
  replicas: f(1, int32().optional().default(1), 'How many pods there are to be.'),
  minReadySeconds: f(4, int32(), 'How long a new pod must be ready before it counts.'),
  selector: f(2, LabelSelector.optional().required(), 'Labels of the pods it looks after.'),
  template: f(3, PodTemplateSpec, 'What its pods look like.'),
});
export type ReplicaSetSpec = Infer<typeof ReplicaSetSpec>;

export const ReplicaSetCondition = struct('apps.v1.ReplicaSetCondition', {
  type: f(1, string().required()),
  status: f(2, string().required()),
  lastTransitionTime: f(3, time()),
  reason: f(4, string()),
  message: f(5, string()),
});
export type ReplicaSetCondition = Infer<typeof ReplicaSetCondition>;

export const ReplicaSetStatus = struct('apps.v1.ReplicaSetStatus', {
  replicas: f(1, int32().required()),
  fullyLabeledReplicas: f(2, int32()),
  readyReplicas: f(4, int32()),
  availableReplicas: f(5, int32()),
  observedGeneration: f(3, int64()),
  conditions: f(6, list(ReplicaSetCondition).mergeBy('type')),
});
export type ReplicaSetStatus = Infer<typeof ReplicaSetStatus>;

export const ReplicaSet = kind(
  'apps.v1.ReplicaSet',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, ReplicaSetSpec),
    status: f(3, ReplicaSetStatus),
  },
  { description: 'Keeps a number of equal pods running. Usually made by a Deployment.' },
);
export type ReplicaSet = Infer<typeof ReplicaSet>;
