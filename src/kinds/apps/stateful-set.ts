import { Condition } from '../../meta/condition.ts';
import { LabelSelector } from '../../meta/label-selector.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { describedLike } from '../../schema/described-like.ts';
import { int32, int64, intOrString, string, time } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { PodTemplateSpec } from '../core/pod/pod-template.ts';
import { PersistentVolumeClaim } from '../core/volume/persistent-volume-claim.ts';

export const RollingUpdateStatefulSetStrategy = struct(
  'apps.v1.RollingUpdateStatefulSetStrategy',
  {
    partition: f(
      1,
      int32().optional(),
      'Only pods with this ordinal or a higher one are updated; the others keep the old template. Default 0, so all are updated.',
    ),
    maxUnavailable: f(
      2,
      intOrString().optional(),
      'Most pods that may be unavailable during an update, a number or a percentage. Part of the feature MaxUnavailableStatefulSet.',
    ),
  },
  { description: 'Which pods of a StatefulSet a rolling update replaces, and how many at a time.' },
);
export type RollingUpdateStatefulSetStrategy = Infer<typeof RollingUpdateStatefulSetStrategy>;

export const StatefulSetUpdateStrategy = struct(
  'apps.v1.StatefulSetUpdateStrategy',
  {
    type: f(
      1,
      string().suggests('OnDelete', 'RollingUpdate'),
      'RollingUpdate (the default) replaces pods from the highest ordinal down; OnDelete replaces a pod only after someone has deleted it.',
    ),
    rollingUpdate: f(
      2,
      RollingUpdateStatefulSetStrategy.optional(),
      'Limits of a rolling update; only allowed when type is RollingUpdate.',
    ),
  },
  {
    description: 'How existing pods are replaced when the template of a StatefulSet changes.',
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
    whenDeleted: f(
      1,
      string(),
      'When the set is deleted: Retain (the default) keeps the claims, Delete deletes them with it.',
    ),
    whenScaled: f(
      2,
      string(),
      'When a smaller number of replicas removes a pod: Retain (the default) keeps its claims, Delete deletes them.',
    ),
  },
  { description: 'What happens to claims made from volumeClaimTemplates when their pod is gone for good.' },
);
export type StatefulSetPersistentVolumeClaimRetentionPolicy = Infer<
  typeof StatefulSetPersistentVolumeClaimRetentionPolicy
>;

export const StatefulSetSpec = struct(
  'apps.v1.StatefulSetSpec',
  {
    replicas: f(
      1,
      int32().optional().default(1),
      'Number of pods that should run, with ordinals from 0. Default 1; 0 stops them all.',
    ),
    selector: f(
      2,
      LabelSelector.optional().required(),
      'Labels of the pods that belong to the set; must match those of the template and cannot be changed.',
    ),
    template: f(
      3,
      PodTemplateSpec.required(),
      'The pod that is created for each ordinal; the restart policy must be Always.',
    ),
    volumeClaimTemplates: f(
      4,
      list(PersistentVolumeClaim),
      'Claims of which each pod gets one of its own, named <template>-<pod>; they survive the pod. A volume of the same name is replaced.',
    ),
    serviceName: f(
      5,
      string().required(),
      'Headless service in the same namespace, made by you, that gives each pod a DNS name. Cannot be changed.',
    ),
    podManagementPolicy: f(
      6,
      string().suggests('OrderedReady', 'Parallel').default('OrderedReady'),
      'OrderedReady (the default) starts a pod when the one before it is ready, and ends them in reverse; Parallel does all at once.',
    ),
    updateStrategy: f(7, StatefulSetUpdateStrategy, 'How existing pods are replaced when the template changes.'),
    revisionHistoryLimit: f(
      8,
      int32().optional().default(10),
      'How many old revisions are kept for rollbacks. Default 10.',
    ),
    minReadySeconds: f(
      9,
      int32(),
      'Seconds that a new pod must be ready without a crash before it counts as available. Default 0.',
    ),
    persistentVolumeClaimRetentionPolicy: f(
      10,
      StatefulSetPersistentVolumeClaimRetentionPolicy.optional(),
      'What happens to claims made from volumeClaimTemplates when their pod is gone. Part of the feature StatefulSetAutoDeletePVC; without it claims are kept.',
    ),
  },
  {
    description:
      'Desired state of a StatefulSet: how many numbered pods, what they look like, and the storage of each.',
    defaults({ volumeClaimTemplates = [] }) {
      for (const claim of volumeClaimTemplates) {
        claim.kind ||= 'PersistentVolumeClaim';
        claim.apiVersion ||= 'v1';
      }
    },
  },
);
export type StatefulSetSpec = Infer<typeof StatefulSetSpec>;

export const StatefulSetCondition = struct(
  'apps.v1.StatefulSetCondition',
  describedLike(Condition, {
    type: f(1, string().required(), 'Name of the aspect, chosen by the controller that reports it.'),
    status: f(2, string().required()),
    lastTransitionTime: f(3, time()),
    reason: f(4, string()),
    message: f(5, string()),
  }),
  { description: 'One observed aspect of the state of a StatefulSet.' },
);
export type StatefulSetCondition = Infer<typeof StatefulSetCondition>;

export const StatefulSetStatus = struct(
  'apps.v1.StatefulSetStatus',
  {
    observedGeneration: f(
      1,
      int64(),
      'The metadata.generation that this status was written for; smaller than that one while a change has not been seen.',
    ),
    replicas: f(2, int32().required(), 'Number of pods that the controller has created.'),
    readyReplicas: f(3, int32(), 'Number of pods that are ready.'),
    currentReplicas: f(4, int32(), 'Number of pods made from the revision named in currentRevision.'),
    updatedReplicas: f(5, int32(), 'Number of pods made from the revision named in updateRevision.'),
    currentRevision: f(
      6,
      string(),
      'Revision of the pods that the update has not reached yet, those with the lowest ordinals.',
    ),
    updateRevision: f(
      7,
      string(),
      'Revision that the pods are being updated to; equal to currentRevision when an update is done.',
    ),
    collisionCount: f(
      9,
      int32().optional(),
      'How often the name of a new revision was already taken; part of the hash that makes the next name.',
    ),
    conditions: f(
      10,
      list(StatefulSetCondition).mergeBy('type'),
      'Observed aspects of the state, at most one of each type.',
    ),
    availableReplicas: f(11, int32().always(), 'Number of pods that have been ready for minReadySeconds.'),
  },
  { description: 'What was last observed of a StatefulSet; it may lag behind.' },
);
export type StatefulSetStatus = Infer<typeof StatefulSetStatus>;

export const StatefulSet = kind(
  'apps.v1.StatefulSet',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, StatefulSetSpec),
    status: f(3, StatefulSetStatus),
  },
  { description: 'Keeps numbered pods running, each with a stable name and storage of its own that survives the pod.' },
);
export type StatefulSet = Infer<typeof StatefulSet>;
