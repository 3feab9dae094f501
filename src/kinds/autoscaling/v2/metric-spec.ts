import { string } from '../../../schema/scalars.ts';
import { f, type Infer, struct } from '../../../schema/schema.ts';
import { CrossVersionObjectReference, MetricIdentifier, MetricTarget } from './metrics.ts';

export const ContainerResourceMetricSource = struct('autoscaling.v2.ContainerResourceMetricSource', {
  name: f(1, string().required()),
  target: f(2, MetricTarget.required()),
  container: f(3, string().required()),
});
export type ContainerResourceMetricSource = Infer<typeof ContainerResourceMetricSource>;

export const ExternalMetricSource = struct('autoscaling.v2.ExternalMetricSource', {
  metric: f(1, MetricIdentifier.required()),
  target: f(2, MetricTarget.required()),
});
export type ExternalMetricSource = Infer<typeof ExternalMetricSource>;

export const ObjectMetricSource = struct('autoscaling.v2.ObjectMetricSource', {
  describedObject: f(1, CrossVersionObjectReference.required()),
  target: f(2, MetricTarget.required()),
  metric: f(3, MetricIdentifier.required()),
});
export type ObjectMetricSource = Infer<typeof ObjectMetricSource>;

export const PodsMetricSource = struct('autoscaling.v2.PodsMetricSource', {
  metric: f(1, MetricIdentifier.required()),
  target: f(2, MetricTarget.required()),
});
export type PodsMetricSource = Infer<typeof PodsMetricSource>;

export const ResourceMetricSource = struct('autoscaling.v2.ResourceMetricSource', {
  name: f(1, string().required()),
  target: f(2, MetricTarget.required()),
});
export type ResourceMetricSource = Infer<typeof ResourceMetricSource>;

export const MetricSpec = struct('autoscaling.v2.MetricSpec', {
  type: f(1, string().required()),
  object: f(2, ObjectMetricSource.optional()),
  pods: f(3, PodsMetricSource.optional()),
  resource: f(4, ResourceMetricSource.optional()),
  containerResource: f(7, ContainerResourceMetricSource.optional()),
  external: f(5, ExternalMetricSource.optional()),
});
export type MetricSpec = Infer<typeof MetricSpec>;

/** What an autoscaler without metrics goes by. */
export const CPU_AT_80_PERCENT: MetricSpec = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
};
