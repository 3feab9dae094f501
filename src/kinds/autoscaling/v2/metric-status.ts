import { string } from '../../../schema/scalars.ts';
import { f, type Infer, struct } from '../../../schema/schema.ts';
import { CrossVersionObjectReference, MetricIdentifier, MetricValueStatus } from './metrics.ts';

export const ContainerResourceMetricStatus = struct(
  'autoscaling.v2.ContainerResourceMetricStatus',
  {
    name: f(1, string().required(), 'The resource, such as cpu or memory.'),
    current: f(2, MetricValueStatus.required(), 'The last value.'),
    container: f(3, string().required(), 'Name of the container in the pods.'),
  },
  { description: 'Last use of a resource by one container of each pod.' },
);
export type ContainerResourceMetricStatus = Infer<typeof ContainerResourceMetricStatus>;

export const ExternalMetricStatus = struct(
  'autoscaling.v2.ExternalMetricStatus',
  {
    metric: f(
      1,
      MetricIdentifier.required(),
      'Which metric is measured: its name, and a selector that narrows it down.',
    ),
    current: f(2, MetricValueStatus.required(), 'The last value.'),
  },
  { description: 'Last value of a metric that belongs to no object of the cluster.' },
);
export type ExternalMetricStatus = Infer<typeof ExternalMetricStatus>;

export const ObjectMetricStatus = struct(
  'autoscaling.v2.ObjectMetricStatus',
  {
    metric: f(
      1,
      MetricIdentifier.required(),
      'Which metric is measured: its name, and a selector that narrows it down.',
    ),
    current: f(2, MetricValueStatus.required(), 'The last value.'),
    describedObject: f(3, CrossVersionObjectReference.required(), 'The object that is measured.'),
  },
  { description: 'Last value of a metric of one object.' },
);
export type ObjectMetricStatus = Infer<typeof ObjectMetricStatus>;

export const PodsMetricStatus = struct(
  'autoscaling.v2.PodsMetricStatus',
  {
    metric: f(
      1,
      MetricIdentifier.required(),
      'Which metric is measured: its name, and a selector that narrows it down.',
    ),
    current: f(2, MetricValueStatus.required(), 'The last value.'),
  },
  { description: 'Last value of a metric of each pod, averaged over the pods.' },
);
export type PodsMetricStatus = Infer<typeof PodsMetricStatus>;

export const ResourceMetricStatus = struct(
  'autoscaling.v2.ResourceMetricStatus',
  {
    name: f(1, string().required(), 'The resource, such as cpu or memory.'),
    current: f(2, MetricValueStatus.required(), 'The last value.'),
  },
  { description: 'Last use of a resource by the pods.' },
);
export type ResourceMetricStatus = Infer<typeof ResourceMetricStatus>;

export const MetricStatus = struct(
  'autoscaling.v2.MetricStatus',
  {
    type: f(1, string().required(), 'ContainerResource, External, Object, Pods or Resource.'),
    object: f(2, ObjectMetricStatus.optional(), 'A metric of one object.'),
    pods: f(3, PodsMetricStatus.optional(), 'A metric of each pod, averaged over the pods.'),
    resource: f(4, ResourceMetricStatus.optional(), 'Use of cpu or memory by the pods.'),
    containerResource: f(
      7,
      ContainerResourceMetricStatus.optional(),
      'Use of cpu or memory by one container of each pod.',
    ),
    external: f(5, ExternalMetricStatus.optional(), 'A metric that belongs to no object of the cluster.'),
  },
  { description: 'Last value of one metric; the field that type names is set.' },
);
export type MetricStatus = Infer<typeof MetricStatus>;
