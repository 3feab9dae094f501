import type { Column } from '../../../registry/resource-type.ts';
import { ageColumn, nameColumn, text } from '../../columns.ts';
import { firstFew, NONE, UNKNOWN, UNSET } from '../../printing.ts';
import type { HorizontalPodAutoscaler } from './horizontal-pod-autoscaler.ts';
import type { MetricSpec } from './metric-spec.ts';
import type { MetricStatus } from './metric-status.ts';
import type { MetricTarget, MetricValueStatus } from './metrics.ts';

export const horizontalPodAutoscalerColumns: readonly Column<HorizontalPodAutoscaler>[] = [
  nameColumn,
  text(
    'Reference',
    'What is scaled.',
    ({ spec: { scaleTargetRef } }) => `${scaleTargetRef.kind}/${scaleTargetRef.name}`,
  ),
  text('Targets', 'Measured and wanted, for the first metrics.', targets),
  text('MinPods', 'Fewest pods.', ({ spec }) => spec.minReplicas?.toString() ?? UNSET),
  text('MaxPods', 'Most pods.', ({ spec }) => spec.maxReplicas),
  text('Replicas', 'Pods at present.', ({ status }) => status.currentReplicas ?? 0),
  ageColumn,
];

function targets({ spec, status }: HorizontalPodAutoscaler): string {
  if (!spec.metrics?.length) return NONE;
  return firstFew(
    spec.metrics.map((metric, at) => metricText(metric, status.currentMetrics?.[at])),
    2,
    ', ',
  );
}

/** Measurements are listed in the order of the metrics they belong to. */
function metricText(metric: MetricSpec, measured: MetricStatus | undefined): string {
  switch (metric.type) {
    case 'External':
      return absolute(metric.external?.target, measured?.external?.current);
    case 'Object':
      return absolute(metric.object?.target, measured?.object?.current);
    case 'Pods':
      return `${measured?.pods?.current.averageValue ?? UNKNOWN}/${metric.pods?.target.averageValue ?? '0'}`;
    case 'Resource':
      return relative(metric.resource?.target, measured?.resource?.current);
    case 'ContainerResource':
      return relative(metric.containerResource?.target, measured?.containerResource?.current);
    default:
      return '<unknown type>';
  }
}

function absolute(target: MetricTarget | undefined, current: MetricValueStatus | undefined): string {
  if (target?.averageValue !== undefined) return `${current?.averageValue ?? UNKNOWN}/${target.averageValue} (avg)`;
  return `${current?.value ?? UNKNOWN}/${target?.value ?? '0'}`;
}

function relative(target: MetricTarget | undefined, current: MetricValueStatus | undefined): string {
  if (target?.averageValue !== undefined) return `${current?.averageValue ?? UNKNOWN}/${target.averageValue}`;
  return `${percent(current?.averageUtilization, UNKNOWN)}/${percent(target?.averageUtilization, '<auto>')}`;
}

const percent = (value: number | undefined, missing: string): string => (value === undefined ? missing : `${value}%`);
