import { int32, int64, intOrString, string, time } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { PodTemplateSpec } from '../core/pod-template.ts';
import { LabelSelector } from '../meta/label-selector.ts';
import { ObjectMeta } from '../meta/object-meta.ts';

export const RollingUpdateDaemonSet = struct('apps.v1.RollingUpdateDaemonSet', {
  maxUnavailable: f(1, intOrString().optional()),
  maxSurge: f(2, intOrString().optional()),
});
export type RollingUpdateDaemonSet = Infer<typeof RollingUpdateDaemonSet>;

export const DaemonSetUpdateStrategy = struct(
  'apps.v1.DaemonSetUpdateStrategy',
  {
    type: f(1, string().suggests('OnDelete', 'RollingUpdate').default('RollingUpdate')),
    rollingUpdate: f(2, RollingUpdateDaemonSet.optional()),
  },
  {
    defaults(strategy) {
      if (strategy.type !== 'RollingUpdate') return;
      strategy.rollingUpdate = { maxUnavailable: 1, maxSurge: 0, ...strategy.rollingUpdate };
    },
  },
);
export type DaemonSetUpdateStrategy = Infer<typeof DaemonSetUpdateStrategy>;

export const DaemonSetSpec = struct('apps.v1.DaemonSetSpec', {
  selector: f(1, LabelSelector.optional().required(), 'Labels of the pods it looks after.'),
  template: f(2, PodTemplateSpec.required(), 'What its pods look like.'),
  updateStrategy: f(3, DaemonSetUpdateStrategy, 'How old pods give way to new ones.'),
  minReadySeconds: f(4, int32(), 'How long a new pod must be ready before it counts.'),
  revisionHistoryLimit: f(6, int32().optional().default(10), 'How many former states are kept.'),
});
export type DaemonSetSpec = Infer<typeof DaemonSetSpec>;

export const DaemonSetCondition = struct('apps.v1.DaemonSetCondition', {
  type: f(1, string().required()),
  status: f(2, string().required()),
  lastTransitionTime: f(3, time()),
  reason: f(4, string()),
  message: f(5, string()),
});
export type DaemonSetCondition = Infer<typeof DaemonSetCondition>;

export const DaemonSetStatus = struct('apps.v1.DaemonSetStatus', {
  currentNumberScheduled: f(1, int32().required()),
  numberMisscheduled: f(2, int32().required()),
  desiredNumberScheduled: f(3, int32().required()),
  numberReady: f(4, int32().required()),
  observedGeneration: f(5, int64()),
  updatedNumberScheduled: f(6, int32()),
  numberAvailable: f(7, int32()),
  numberUnavailable: f(8, int32()),
  collisionCount: f(9, int32().optional()),
  conditions: f(10, list(DaemonSetCondition).mergeBy('type')),
});
export type DaemonSetStatus = Infer<typeof DaemonSetStatus>;

export const DaemonSet = kind(
  'apps.v1.DaemonSet',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, DaemonSetSpec),
    status: f(3, DaemonSetStatus),
  },
  { description: 'Runs one pod on every node, or on those that match.' },
);
export type DaemonSet = Infer<typeof DaemonSet>;
