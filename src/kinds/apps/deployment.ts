import { Condition } from '../../meta/condition.ts';
import { LabelSelector } from '../../meta/label-selector.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { describedLike } from '../../schema/described-like.ts';
import { bool, int32, int64, intOrString, string, time } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { PodTemplateSpec } from '../core/pod/pod-template.ts';

export const RollingUpdateDeployment = struct(
  'apps.v1.RollingUpdateDeployment',
  {
    maxUnavailable: f(
      1,
      intOrString().optional(),
      'Most pods that may be missing during an update, as a number or a percentage of replicas rounded down. Default 25%; 0 only with maxSurge.',
    ),
    maxSurge: f(
      2,
      intOrString().optional(),
      'Most pods above replicas during an update, as a number or a percentage rounded up. Default 25%; 0 only with maxUnavailable.',
    ),
  },
  { description: 'Limits on how far the number of pods may leave the wanted one during a rolling update.' },
);
export type RollingUpdateDeployment = Infer<typeof RollingUpdateDeployment>;

export const DeploymentStrategy = struct(
  'apps.v1.DeploymentStrategy',
  {
    type: f(
      1,
      string().suggests('Recreate', 'RollingUpdate').default('RollingUpdate'),
      'RollingUpdate (the default) replaces pods step by step; Recreate ends all old pods before it starts new ones.',
    ),
    rollingUpdate: f(
      2,
      RollingUpdateDeployment.optional(),
      'Limits of a rolling update; only allowed when type is RollingUpdate.',
    ),
  },
  {
    description: 'How existing pods are replaced when the template of a Deployment changes.',
    defaults(strategy) {
      if (strategy.type !== 'RollingUpdate') return;
      strategy.rollingUpdate = { maxUnavailable: '25%', maxSurge: '25%', ...strategy.rollingUpdate };
    },
  },
);
export type DeploymentStrategy = Infer<typeof DeploymentStrategy>;

export const DeploymentSpec = struct(
  'apps.v1.DeploymentSpec',
  {
    replicas: f(1, int32().optional().default(1), 'Number of pods that should run. Default 1; 0 stops them all.'),
    selector: f(
      2,
      LabelSelector.optional().required(),
      'Labels of the pods that belong to the deployment; must match those of the template and cannot be changed.',
    ),
    template: f(
      3,
      PodTemplateSpec.required(),
      'The pod that is created for each replica; the restart policy must be Always. A change starts a rollout.',
    ),
    strategy: f(
      4,
      DeploymentStrategy.patchStrategy('retainKeys'),
      'How existing pods are replaced when the template changes.',
    ),
    minReadySeconds: f(
      5,
      int32(),
      'Seconds that a new pod must be ready without a crash before it counts as available. Default 0.',
    ),
    revisionHistoryLimit: f(
      6,
      int32().optional().default(10),
      'How many old ReplicaSets are kept for rollbacks. Default 10.',
    ),
    paused: f(7, bool(), 'While true, changes of the template start no rollout.'),
    progressDeadlineSeconds: f(
      9,
      int32().optional().default(600),
      'Seconds without progress after which a rollout is reported as failed in the Progressing condition; it is not undone. Default 600.',
    ),
  },
  { description: 'Desired state of a Deployment: how many pods, what they look like, and how they are replaced.' },
);
export type DeploymentSpec = Infer<typeof DeploymentSpec>;

export const DeploymentCondition = struct(
  'apps.v1.DeploymentCondition',
  describedLike(Condition, {
    type: f(
      1,
      string().required(),
      'Available (enough pods run), Progressing (a rollout moves on or is done) or ReplicaFailure (pods cannot be created or deleted).',
    ),
    status: f(2, string().required()),
    lastUpdateTime: f(6, time(), 'When the condition was last written, changed or not.'),
    lastTransitionTime: f(7, time()),
    reason: f(4, string()),
    message: f(5, string()),
  }),
  { description: 'One observed aspect of the state of a Deployment.' },
);
export type DeploymentCondition = Infer<typeof DeploymentCondition>;

export const DeploymentStatus = struct(
  'apps.v1.DeploymentStatus',
  {
    observedGeneration: f(
      1,
      int64(),
      'The metadata.generation that this status was written for; smaller than that one while a change has not been seen.',
    ),
    replicas: f(2, int32(), 'Number of pods that match the selector and are not being deleted.'),
    updatedReplicas: f(3, int32(), 'Number of those pods that were made from the current template.'),
    readyReplicas: f(7, int32(), 'Number of those pods that are ready.'),
    availableReplicas: f(4, int32(), 'Number of those pods that have been ready for minReadySeconds.'),
    unavailableReplicas: f(
      5,
      int32(),
      'Number of pods still missing for the deployment to be fully available, whether they exist or not.',
    ),
    conditions: f(
      6,
      list(DeploymentCondition).mergeBy('type'),
      'Observed aspects of the state, at most one of each type.',
    ),
    collisionCount: f(
      8,
      int32().optional(),
      'How often the name of a new ReplicaSet was already taken; part of the hash that makes the next name.',
    ),
  },
  { description: 'What was last observed of a Deployment; it may lag behind.' },
);
export type DeploymentStatus = Infer<typeof DeploymentStatus>;

export const Deployment = kind(
  'apps.v1.Deployment',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, DeploymentSpec),
    status: f(3, DeploymentStatus),
  },
  {
    description:
      'Keeps a number of equal pods running through ReplicaSets, and replaces the pods step by step when their template changes.',
  },
);
export type Deployment = Infer<typeof Deployment>;
