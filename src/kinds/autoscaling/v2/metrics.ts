import { LabelSelector } from '../../../meta/label-selector.ts';
import { int32, quantity, string } from '../../../schema/scalars.ts';
import { f, type Infer, struct } from '../../../schema/schema.ts';

export const CrossVersionObjectReference = struct(
  'autoscaling.v2.CrossVersionObjectReference',
  {
    kind: f(1, string().required(), 'Kind of the object, such as Deployment.'),
    name: f(2, string().required(), 'Name of the object.'),
    apiVersion: f(3, string(), 'Group and version of the kind, such as apps/v1.'),
  },
  { description: 'An object in the same namespace, named without its UID.' },
);
export type CrossVersionObjectReference = Infer<typeof CrossVersionObjectReference>;

export const MetricIdentifier = struct(
  'autoscaling.v2.MetricIdentifier',
  {
    name: f(1, string().required(), 'Name of the metric.'),
    selector: f(
      2,
      LabelSelector.optional(),
      'Passed on to the metrics server to narrow down the metric. Unset: by name alone.',
    ),
  },
  { description: 'A metric by name and selector.' },
);
export type MetricIdentifier = Infer<typeof MetricIdentifier>;

export const MetricTarget = struct(
  'autoscaling.v2.MetricTarget',
  {
    type: f(1, string().required(), 'Utilization, Value or AverageValue.'),
    value: f(2, quantity().optional(), 'Target for the metric as a whole.'),
    averageValue: f(3, quantity().optional(), 'Target for the average over all pods.'),
    averageUtilization: f(
      4,
      int32().optional(),
      'Target for the average over all pods, in percent of what they request; only for resource metrics.',
    ),
  },
  { description: 'The value to aim at; which of the fields counts depends on type.' },
);
export type MetricTarget = Infer<typeof MetricTarget>;

export const MetricValueStatus = struct(
  'autoscaling.v2.MetricValueStatus',
  {
    value: f(1, quantity().optional(), 'Value of the metric as a whole.'),
    averageValue: f(2, quantity().optional(), 'Average over all pods.'),
    averageUtilization: f(
      3,
      int32().optional(),
      'Average over all pods, in percent of what they request; only for resource metrics.',
    ),
  },
  { description: 'Last value of a metric; which of the fields is set depends on its target.' },
);
export type MetricValueStatus = Infer<typeof MetricValueStatus>;
