import { int32, int64, string, time } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, map, struct } from '../../schema/schema.ts';
import { ObjectMeta } from '../meta/object-meta.ts';
import { PodTemplateSpec } from './pod-template.ts';

export const ReplicationControllerSpec = struct('core.v1.ReplicationControllerSpec', {
  replicas: f(1, int32().optional().default(1), 'How many pods there are to be.'),
  minReadySeconds: f(4, int32(), 'How long a new pod must be ready before it counts.'),
  selector: f(2, map(string()).atomic(), 'Labels of the pods it looks after.'),
  template: f(3, PodTemplateSpec.optional(), 'What its pods look like.'),
});
export type ReplicationControllerSpec = Infer<typeof ReplicationControllerSpec>;

export const ReplicationControllerCondition = struct('core.v1.ReplicationControllerCondition', {
  type: f(1, string().required()),
  status: f(2, string().required()),
  lastTransitionTime: f(3, time()),
  reason: f(4, string()),
  message: f(5, string()),
});
export type ReplicationControllerCondition = Infer<typeof ReplicationControllerCondition>;

export const ReplicationControllerStatus = struct('core.v1.ReplicationControllerStatus', {
  replicas: f(1, int32().required()),
  fullyLabeledReplicas: f(2, int32()),
  readyReplicas: f(4, int32()),
  availableReplicas: f(5, int32()),
  observedGeneration: f(3, int64()),
  conditions: f(6, list(ReplicationControllerCondition).mergeBy('type')),
});
export type ReplicationControllerStatus = Infer<typeof ReplicationControllerStatus>;

export const ReplicationController = kind(
  'core.v1.ReplicationController',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, ReplicationControllerSpec),
    status: f(3, ReplicationControllerStatus),
  },
  {
    description: 'Keeps a number of equal pods running. The forerunner of ReplicaSet.',
    defaults({ metadata, spec }) {
      const labels = spec.template?.metadata.labels;
      if (!labels) return;
      spec.selector ??= { ...labels };
      metadata.labels ??= { ...labels };
    },
  },
);
export type ReplicationController = Infer<typeof ReplicationController>;
