import { Condition } from '../../meta/condition.ts';
import { LabelSelector } from '../../meta/label-selector.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { describedLike } from '../../schema/described-like.ts';
import { int32, int64, intOrString, string, time } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { PodTemplateSpec } from '../core/pod/pod-template.ts';

export const RollingUpdateDaemonSet = struct(
  'apps.v1.RollingUpdateDaemonSet',
  {
    maxUnavailable: f(
      1,
      intOrString().optional(),
      'Most nodes that may lack an available pod during an update, as a number or a percentage rounded up. Default 1; 0 only with maxSurge.',
    ),
    maxSurge: f(
      2,
      intOrString().optional(),
      'Most nodes that may run the new pod beside the old one until it is available, as a number or a percentage rounded up. Default 0.',
    ),
  },
  { description: 'Limits on how many nodes are without a running pod, or have two, during a rolling update.' },
);
export type RollingUpdateDaemonSet = Infer<typeof RollingUpdateDaemonSet>;

export const DaemonSetUpdateStrategy = struct(
  'apps.v1.DaemonSetUpdateStrategy',
  {
    type: f(
      1,
      string().suggests('OnDelete', 'RollingUpdate').default('RollingUpdate'),
      'RollingUpdate (the default) replaces pods node by node; OnDelete replaces a pod only after someone has deleted it.',
    ),
    rollingUpdate: f(
      2,
      RollingUpdateDaemonSet.optional(),
      'Limits of a rolling update; only used when type is RollingUpdate.',
    ),
  },
  {
    description: 'How existing pods are replaced when the template of a DaemonSet changes.',
    defaults(strategy) {
      if (strategy.type !== 'RollingUpdate') return;
      strategy.rollingUpdate = { maxUnavailable: 1, maxSurge: 0, ...strategy.rollingUpdate };
    },
  },
);
export type DaemonSetUpdateStrategy = Infer<typeof DaemonSetUpdateStrategy>;

export const DaemonSetSpec = struct(
  'apps.v1.DaemonSetSpec',
  {
    selector: f(
      1,
      LabelSelector.optional().required(),
      'Labels of the pods that belong to the set; must match those of the template and cannot be changed.',
    ),
    template: f(
      2,
      PodTemplateSpec.required(),
      'The pod that is created on each node that its node selector and affinity allow; the restart policy must be Always.',
    ),
    updateStrategy: f(3, DaemonSetUpdateStrategy, 'How existing pods are replaced when the template changes.'),
    minReadySeconds: f(
      4,
      int32(),
      'Seconds that a new pod must be ready without a crash before it counts as available. Default 0.',
    ),
    revisionHistoryLimit: f(
      6,
      int32().optional().default(10),
      'How many old revisions are kept for rollbacks. Default 10.',
    ),
  },
  { description: 'Desired state of a DaemonSet: the pod that each matching node runs, and how it is updated.' },
);
export type DaemonSetSpec = Infer<typeof DaemonSetSpec>;

export const DaemonSetCondition = struct(
  'apps.v1.DaemonSetCondition',
  describedLike(Condition, {
    type: f(1, string().required(), 'Name of the aspect, chosen by the controller that reports it.'),
    status: f(2, string().required()),
    lastTransitionTime: f(3, time()),
    reason: f(4, string()),
    message: f(5, string()),
  }),
  { description: 'One observed aspect of the state of a DaemonSet.' },
);
export type DaemonSetCondition = Infer<typeof DaemonSetCondition>;

export const DaemonSetStatus = struct(
  'apps.v1.DaemonSetStatus',
  {
    currentNumberScheduled: f(1, int32().required(), 'Nodes that run a pod of the set and are meant to.'),
    numberMisscheduled: f(2, int32().required(), 'Nodes that run a pod of the set but are not meant to.'),
    desiredNumberScheduled: f(3, int32().required(), 'Nodes that are meant to run a pod of the set.'),
    numberReady: f(4, int32().required(), 'Nodes that are meant to run a pod of the set and have one that is ready.'),
    observedGeneration: f(
      5,
      int64(),
      'The metadata.generation that this status was written for; smaller than that one while a change has not been seen.',
    ),
    updatedNumberScheduled: f(6, int32(), 'Nodes that run a pod of the current template.'),
    numberAvailable: f(
      7,
      int32(),
      'Nodes that are meant to run a pod and have one that has been ready for minReadySeconds.',
    ),
    numberUnavailable: f(8, int32(), 'Nodes that are meant to run a pod and have none that is available.'),
    collisionCount: f(
      9,
      int32().optional(),
      'How often the name of a new revision was already taken; part of the hash that makes the next name.',
    ),
    conditions: f(
      10,
      list(DaemonSetCondition).mergeBy('type'),
      'Observed aspects of the state, at most one of each type.',
    ),
  },
  { description: 'What was last observed of a DaemonSet; it may lag behind.' },
);
export type DaemonSetStatus = Infer<typeof DaemonSetStatus>;

export const DaemonSet = kind(
  'apps.v1.DaemonSet',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, DaemonSetSpec),
    status: f(3, DaemonSetStatus),
  },
  {
    description:
      'Runs one copy of a pod on every node, or on every node that matches, including nodes that join later.',
  },
);
export type DaemonSet = Infer<typeof DaemonSet>;
