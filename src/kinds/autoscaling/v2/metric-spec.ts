import { string } from '../../../schema/scalars.ts';
import { f, type Infer, struct } from '../../../schema/schema.ts';
import { CrossVersionObjectReference, MetricIdentifier, MetricTarget } from './metrics.ts';

export const ContainerResourceMetricSource = struct(
  'autoscaling.v2.ContainerResourceMetricSource',
  {
    name: f(1, string().required(), 'The resource, such as cpu or memory.'),
    target: f(2, MetricTarget.required(), 'Value to aim at.'),
    container: f(3, string().required(), 'Name of the container in the pods.'),
  },
  { description: 'Use of a resource by one container of each pod.' },
);
export type ContainerResourceMetricSource = Infer<typeof ContainerResourceMetricSource>;

export const ExternalMetricSource = struct(
  'autoscaling.v2.ExternalMetricSource',
  {
    metric: f(
      1,
      MetricIdentifier.required(),
      'Which metric is measured: its name, and a selector that narrows it down.',
    ),
    target: f(2, MetricTarget.required(), 'Value to aim at: Value or AverageValue.'),
  },
  { description: 'A metric that belongs to no object of the cluster, such as the length of a queue elsewhere.' },
);
export type ExternalMetricSource = Infer<typeof ExternalMetricSource>;

export const ObjectMetricSource = struct(
  'autoscaling.v2.ObjectMetricSource',
  {
    describedObject: f(
      1,
      CrossVersionObjectReference.required(),
      'The object that is measured, in the same namespace.',
    ),
    target: f(2, MetricTarget.required(), 'Value to aim at: Value or AverageValue.'),
    metric: f(
      3,
      MetricIdentifier.required(),
      'Which metric is measured: its name, and a selector that narrows it down.',
    ),
  },
  { description: 'A metric of one object, such as requests per second of an ingress.' },
);
export type ObjectMetricSource = Infer<typeof ObjectMetricSource>;

export const PodsMetricSource = struct(
  'autoscaling.v2.PodsMetricSource',
  {
    metric: f(
      1,
      MetricIdentifier.required(),
      'Which metric is measured: its name, and a selector that narrows it down.',
    ),
    target: f(2, MetricTarget.required(), 'Value to aim at; only AverageValue.'),
  },
  { description: 'A metric of each pod, averaged over the pods.' },
);
export type PodsMetricSource = Infer<typeof PodsMetricSource>;

export const ResourceMetricSource = struct(
  'autoscaling.v2.ResourceMetricSource',
  {
    name: f(1, string().required(), 'The resource, such as cpu or memory.'),
    target: f(2, MetricTarget.required(), 'Value to aim at: Utilization or AverageValue.'),
  },
  { description: 'Use of a resource by each pod, all containers together, averaged over the pods.' },
);
export type ResourceMetricSource = Infer<typeof ResourceMetricSource>;

export const MetricSpec = struct(
  'autoscaling.v2.MetricSpec',
  {
    type: f(
      1,
      string().required(),
      'External, Object, Pods or Resource; ContainerResource is part of the feature HPAContainerMetrics.',
    ),
    object: f(2, ObjectMetricSource.optional(), 'A metric of one object in the same namespace.'),
    pods: f(3, PodsMetricSource.optional(), 'A metric of each pod, averaged over the pods.'),
    resource: f(4, ResourceMetricSource.optional(), 'Use of cpu or memory by the pods.'),
    containerResource: f(
      7,
      ContainerResourceMetricSource.optional(),
      'Use of cpu or memory by one container of each pod. Part of the feature HPAContainerMetrics.',
    ),
    external: f(5, ExternalMetricSource.optional(), 'A metric that belongs to no object of the cluster.'),
  },
  { description: 'One metric to scale by; exactly the field that type names must be set.' },
);
export type MetricSpec = Infer<typeof MetricSpec>;

/** What an autoscaler without metrics goes by. */
export const CPU_AT_80_PERCENT: MetricSpec = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
};
