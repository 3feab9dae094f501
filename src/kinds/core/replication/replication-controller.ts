import { ObjectMeta } from '../../../meta/object-meta.ts';
import { int32, int64, string, time } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, map, struct } from '../../../schema/schema.ts';
import { PodTemplateSpec } from '../pod/pod-template.ts';

export const ReplicationControllerSpec = struct(
  'core.v1.ReplicationControllerSpec',
  {
    replicas: f(1, int32().optional().default(1), 'How many pods there are to be; 1 by default. 0 removes all.'),
    minReadySeconds: f(
      4,
      int32(),
      'Seconds a new pod must be ready, without a container failing, before it counts as available. 0 by default.',
    ),
    selector: f(
      2,
      map(string()).atomic(),
      'Labels of the pods that are counted; the template must have them. Unset: the labels of the template.',
    ),
    template: f(3, PodTemplateSpec.optional(), 'What new pods look like. Changing it does not change pods that exist.'),
  },
  { description: 'How many pods there are to be, and what they look like.' },
);
export type ReplicationControllerSpec = Infer<typeof ReplicationControllerSpec>;

export const ReplicationControllerCondition = struct(
  'core.v1.ReplicationControllerCondition',
  {
    type: f(1, string().required(), 'What is judged, such as ReplicaFailure.'),
    status: f(2, string().required(), 'True, False or Unknown.'),
    lastTransitionTime: f(3, time(), 'When the status changed the last time.'),
    reason: f(4, string(), 'Why it is so, in one word for programs.'),
    message: f(5, string(), 'Why it is so, for people.'),
  },
  { description: 'One aspect of the state of a replication controller.' },
);
export type ReplicationControllerCondition = Infer<typeof ReplicationControllerCondition>;

export const ReplicationControllerStatus = struct(
  'core.v1.ReplicationControllerStatus',
  {
    replicas: f(1, int32().required(), 'How many pods match the selector.'),
    fullyLabeledReplicas: f(2, int32(), 'How many of these have all labels of the template.'),
    readyReplicas: f(4, int32(), 'How many of these are ready.'),
    availableReplicas: f(5, int32(), 'How many of these have been ready for minReadySeconds.'),
    observedGeneration: f(
      3,
      int64(),
      'Generation of the object that this status is about; behind metadata.generation while a change is not yet seen.',
    ),
    conditions: f(
      6,
      list(ReplicationControllerCondition).mergeBy('type'),
      'Aspects of its state, such as that pods cannot be created.',
    ),
  },
  { description: 'How many pods a replication controller has now.' },
);
export type ReplicationControllerStatus = Infer<typeof ReplicationControllerStatus>;

export const ReplicationController = kind(
  'core.v1.ReplicationController',
  {
    metadata: f(1, ObjectMeta, 'Standard object metadata. Labels are those of the pod template when unset.'),
    spec: f(2, ReplicationControllerSpec, 'How many pods there are to be, and what they look like.'),
    status: f(3, ReplicationControllerStatus, 'How many pods there are now. Set by the controller; may lag a little.'),
  },
  {
    description: 'Keeps a given number of equal pods running. Superseded by Deployment and ReplicaSet.',
    defaults({ metadata, spec }) {
      const labels = spec.template?.metadata.labels;
      if (!labels) return;
      spec.selector ??= { ...labels };
      metadata.labels ??= { ...labels };
    },
  },
);
export type ReplicationController = Infer<typeof ReplicationController>;
