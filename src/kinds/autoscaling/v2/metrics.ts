import { int32, quantity, string } from '../../../schema/scalars.ts';
import { f, type Infer, struct } from '../../../schema/schema.ts';
import { LabelSelector } from '../../meta/label-selector.ts';

export const CrossVersionObjectReference = struct('autoscaling.v2.CrossVersionObjectReference', {
  kind: f(1, string().required()),
  name: f(2, string().required()),
  apiVersion: f(3, string()),
});
export type CrossVersionObjectReference = Infer<typeof CrossVersionObjectReference>;

export const MetricIdentifier = struct('autoscaling.v2.MetricIdentifier', {
  name: f(1, string().required()),
  selector: f(2, LabelSelector.optional()),
});
export type MetricIdentifier = Infer<typeof MetricIdentifier>;

export const MetricTarget = struct('autoscaling.v2.MetricTarget', {
  type: f(1, string().required()),
  value: f(2, quantity().optional()),
  averageValue: f(3, quantity().optional()),
  averageUtilization: f(4, int32().optional()),
});
export type MetricTarget = Infer<typeof MetricTarget>;

export const MetricValueStatus = struct('autoscaling.v2.MetricValueStatus', {
  value: f(1, quantity().optional()),
  averageValue: f(2, quantity().optional()),
  averageUtilization: f(3, int32().optional()),
});
export type MetricValueStatus = Infer<typeof MetricValueStatus>;
