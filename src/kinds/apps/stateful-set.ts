import { int32, int64, intOrString, string, time } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { PersistentVolumeClaim } from '../core/persistent-volume-claim.ts';
import { PodTemplateSpec } from '../core/pod-template.ts';
import { LabelSelector } from '../meta/label-selector.ts';
import { ObjectMeta } from '../meta/object-meta.ts';

export const RollingUpdateStatefulSetStrategy = struct('apps.v1.RollingUpdateStatefulSetStrategy', {
  partition: f(1, int32().optional()),
  maxUnavailable: f(2, intOrString().optional()),
});
export type RollingUpdateStatefulSetStrategy = Infer<typeof RollingUpdateStatefulSetStrategy>;

export const StatefulSetUpdateStrategy = struct(
  'apps.v1.StatefulSetUpdateStrategy',
  {
    type: f(1, string().suggests('OnDelete', 'RollingUpdate')),
    rollingUpdate: f(2, RollingUpdateStatefulSetStrategy.optional()),
  },
  {
    defaults(strategy) {
      if (!strategy.type) {
        strategy.type = 'RollingUpdate';
        strategy.rollingUpdate ??= {};
      }
      if (strategy.type === 'RollingUpdate' && strategy.rollingUpdate) strategy.rollingUpdate.partition ??= 0;
    },
  },
);
export type StatefulSetUpdateStrategy = Infer<typeof StatefulSetUpdateStrategy>;

export const StatefulSetPersistentVolumeClaimRetentionPolicy = struct(
  'apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy',
  {
    whenDeleted: f(1, string()),
    whenScaled: f(2, string()),
  },
);
export type StatefulSetPersistentVolumeClaimRetentionPolicy = Infer<
  typeof StatefulSetPersistentVolumeClaimRetentionPolicy
>;

export const StatefulSetSpec = struct(
  'apps.v1.StatefulSetSpec',
  {
    replicas: f(1, int32().optional().default(1), 'How many pods there are to be.'),
    selector: f(2, LabelSelector.optional().required(), 'Labels of the pods it looks after.'),
    template: f(3, PodTemplateSpec.required(), 'What its pods look like.'),
    volumeClaimTemplates: f(4, list(PersistentVolumeClaim), 'Claims that each pod gets one of its own of.'),
    serviceName: f(5, string().required(), 'The service that names its pods.'),
    podManagementPolicy: f(
      6,
      string().suggests('OrderedReady', 'Parallel').default('OrderedReady'),
      'One pod after another, or all at once.',
    ),
    updateStrategy: f(7, StatefulSetUpdateStrategy, 'How old pods give way to new ones.'),
    revisionHistoryLimit: f(8, int32().optional().default(10), 'How many former states are kept.'),
    minReadySeconds: f(9, int32(), 'How long a new pod must be ready before it counts.'),
    persistentVolumeClaimRetentionPolicy: f(10, StatefulSetPersistentVolumeClaimRetentionPolicy.optional()),
  },
  {
    defaults({ volumeClaimTemplates = [] }) {
      for (const claim of volumeClaimTemplates) {
        claim.kind ||= 'PersistentVolumeClaim';
        claim.apiVersion ||= 'v1';
      }
    },
  },
);
export type StatefulSetSpec = Infer<typeof StatefulSetSpec>;

export const StatefulSetCondition = struct('apps.v1.StatefulSetCondition', {
  type: f(1, string().required()),
  status: f(2, string().required()),
  lastTransitionTime: f(3, time()),
  reason: f(4, string()),
  message: f(5, string()),
});
export type StatefulSetCondition = Infer<typeof StatefulSetCondition>;

export const StatefulSetStatus = struct('apps.v1.StatefulSetStatus', {
  observedGeneration: f(1, int64()),
  replicas: f(2, int32().required()),
  readyReplicas: f(3, int32()),
  currentReplicas: f(4, int32()),
  updatedReplicas: f(5, int32()),
  currentRevision: f(6, string()),
  updateRevision: f(7, string()),
  collisionCount: f(9, int32().optional()),
  conditions: f(10, list(StatefulSetCondition).mergeBy('type')),
  availableReplicas: f(11, int32().always()),
});
export type StatefulSetStatus = Infer<typeof StatefulSetStatus>;

export const StatefulSet = kind(
  'apps.v1.StatefulSet',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, StatefulSetSpec),
    status: f(3, StatefulSetStatus),
  },
  { description: 'Keeps numbered pods running, each with its own name and storage.' },
);
export type StatefulSet = Infer<typeof StatefulSet>;
