import { bool, int32, int64, intOrString, string, time } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { PodTemplateSpec } from '../core/pod-template.ts';
import { LabelSelector } from '../meta/label-selector.ts';
import { ObjectMeta } from '../meta/object-meta.ts';

export const RollingUpdateDeployment = struct('apps.v1.RollingUpdateDeployment', {
  maxUnavailable: f(1, intOrString().optional()),
  maxSurge: f(2, intOrString().optional()),
});
export type RollingUpdateDeployment = Infer<typeof RollingUpdateDeployment>;

export const DeploymentStrategy = struct(
  'apps.v1.DeploymentStrategy',
  {
    type: f(1, string().suggests('Recreate', 'RollingUpdate').default('RollingUpdate')),
    rollingUpdate: f(2, RollingUpdateDeployment.optional()),
  },
  {
    defaults(strategy) {
      if (strategy.type !== 'RollingUpdate') return;
      strategy.rollingUpdate = { maxUnavailable: '25%', maxSurge: '25%', ...strategy.rollingUpdate };
    },
  },
);
export type DeploymentStrategy = Infer<typeof DeploymentStrategy>;

export const DeploymentSpec = struct('apps.v1.DeploymentSpec', {
  replicas: f(1, int32().optional().default(1), 'How many pods there are to be.'),
  selector: f(2, LabelSelector.optional().required(), 'Labels of the pods it looks after.'),
  template: f(3, PodTemplateSpec.required(), 'What its pods look like.'),
  strategy: f(4, DeploymentStrategy.patchStrategy('retainKeys'), 'How old pods give way to new ones.'),
  minReadySeconds: f(5, int32(), 'How long a new pod must be ready before it counts.'),
  revisionHistoryLimit: f(6, int32().optional().default(10), 'How many former states are kept.'),
  paused: f(7, bool(), 'Changes wait.'),
  progressDeadlineSeconds: f(
    9,
    int32().optional().default(600),
    'How long a change may take before it counts as stuck.',
  ),
});
export type DeploymentSpec = Infer<typeof DeploymentSpec>;

export const DeploymentCondition = struct('apps.v1.DeploymentCondition', {
  type: f(1, string().required()),
  status: f(2, string().required()),
  lastUpdateTime: f(6, time()),
  lastTransitionTime: f(7, time()),
  reason: f(4, string()),
  message: f(5, string()),
});
export type DeploymentCondition = Infer<typeof DeploymentCondition>;

export const DeploymentStatus = struct('apps.v1.DeploymentStatus', {
  observedGeneration: f(1, int64()),
  replicas: f(2, int32()),
  updatedReplicas: f(3, int32()),
  readyReplicas: f(7, int32()),
  availableReplicas: f(4, int32()),
  unavailableReplicas: f(5, int32()),
  conditions: f(6, list(DeploymentCondition).mergeBy('type')),
  collisionCount: f(8, int32().optional()),
});
export type DeploymentStatus = Infer<typeof DeploymentStatus>;

export const Deployment = kind(
  'apps.v1.Deployment',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, DeploymentSpec),
    status: f(3, DeploymentStatus),
  },
  { description: 'Keeps equal pods running and replaces them step by step when their template changes.' },
);
export type Deployment = Infer<typeof Deployment>;
