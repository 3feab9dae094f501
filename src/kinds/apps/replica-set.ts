import { Condition } from '../../meta/condition.ts';
import { LabelSelector } from '../../meta/label-selector.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { describedLike } from '../../schema/described-like.ts';
import { int32, int64, string, time } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { PodTemplateSpec } from '../core/pod/pod-template.ts';

export const ReplicaSetSpec = struct(
  'apps.v1.ReplicaSetSpec',
  {
    replicas: f(1, int32().optional().default(1), 'Number of pods that should run. Default 1; 0 stops them all.'),
    minReadySeconds: f(
      4,
      int32(),
      'Seconds that a new pod must be ready without a crash before it counts as available. Default 0.',
    ),
    selector: f(
      2,
      LabelSelector.optional().required(),
      'Labels of the pods that belong to the set; must match those of the template and cannot be changed.',
    ),
    template: f(
      3,
      PodTemplateSpec,
      'The pod that is created when one is missing. A change does not affect pods that exist.',
    ),
  },
  { description: 'Desired state of a ReplicaSet: how many pods, and what they look like.' },
);
export type ReplicaSetSpec = Infer<typeof ReplicaSetSpec>;

export const ReplicaSetCondition = struct(
  'apps.v1.ReplicaSetCondition',
  describedLike(Condition, {
    type: f(1, string().required(), 'Name of the aspect, such as ReplicaFailure (pods cannot be created or deleted).'),
    status: f(2, string().required()),
    lastTransitionTime: f(3, time()),
    reason: f(4, string()),
    message: f(5, string()),
  }),
  { description: 'One observed aspect of the state of a ReplicaSet.' },
);
export type ReplicaSetCondition = Infer<typeof ReplicaSetCondition>;

export const ReplicaSetStatus = struct(
  'apps.v1.ReplicaSetStatus',
  {
    replicas: f(1, int32().required(), 'Number of pods that match the selector and are not being deleted.'),
    fullyLabeledReplicas: f(2, int32(), 'Number of those pods that have every label of the template.'),
    readyReplicas: f(4, int32(), 'Number of those pods that are ready.'),
    availableReplicas: f(5, int32(), 'Number of those pods that have been ready for minReadySeconds.'),
    observedGeneration: f(
      3,
      int64(),
      'The metadata.generation that this status was written for; smaller than that one while a change has not been seen.',
    ),
    conditions: f(
      6,
      list(ReplicaSetCondition).mergeBy('type'),
      'Observed aspects of the state, at most one of each type.',
    ),
  },
  { description: 'What was last observed of a ReplicaSet; it may lag behind.' },
);
export type ReplicaSetStatus = Infer<typeof ReplicaSetStatus>;

export const ReplicaSet = kind(
  'apps.v1.ReplicaSet',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, ReplicaSetSpec),
    status: f(3, ReplicaSetStatus),
  },
  { description: 'Keeps a number of equal pods running. Usually made and owned by a Deployment, which adds rollouts.' },
);
export type ReplicaSet = Infer<typeof ReplicaSet>;
