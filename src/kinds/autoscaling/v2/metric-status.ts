import { string } from '../../../schema/scalars.ts';
import { f, type Infer, struct } from '../../../schema/schema.ts';
import { CrossVersionObjectReference, MetricIdentifier, MetricValueStatus } from './metrics.ts';

export const ContainerResourceMetricStatus = struct('autoscaling.v2.ContainerResourceMetricStatus', {
  name: f(1, string().required()),
  current: f(2, MetricValueStatus.required()),
  container: f(3, string().required()),
});
export type ContainerResourceMetricStatus = Infer<typeof ContainerResourceMetricStatus>;

export const ExternalMetricStatus = struct('autoscaling.v2.ExternalMetricStatus', {
  metric: f(1, MetricIdentifier.required()),
  current: f(2, MetricValueStatus.required()),
});
export type ExternalMetricStatus = Infer<typeof ExternalMetricStatus>;

export const ObjectMetricStatus = struct('autoscaling.v2.ObjectMetricStatus', {
  metric: f(1, MetricIdentifier.required()),
  current: f(2, MetricValueStatus.required()),
  describedObject: f(3, CrossVersionObjectReference.required()),
});
export type ObjectMetricStatus = Infer<typeof ObjectMetricStatus>;

export const PodsMetricStatus = struct('autoscaling.v2.PodsMetricStatus', {
  metric: f(1, MetricIdentifier.required()),
  current: f(2, MetricValueStatus.required()),
});
export type PodsMetricStatus = Infer<typeof PodsMetricStatus>;

export const ResourceMetricStatus = struct('autoscaling.v2.ResourceMetricStatus', {
  name: f(1, string().required()),
  current: f(2, MetricValueStatus.required()),
});
export type ResourceMetricStatus = Infer<typeof ResourceMetricStatus>;

export const MetricStatus = struct('autoscaling.v2.MetricStatus', {
  type: f(1, string().required()),
  object: f(2, ObjectMetricStatus.optional()),
  pods: f(3, PodsMetricStatus.optional()),
  resource: f(4, ResourceMetricStatus.optional()),
  containerResource: f(7, ContainerResourceMetricStatus.optional()),
  external: f(5, ExternalMetricStatus.optional()),
});
export type MetricStatus = Infer<typeof MetricStatus>;
