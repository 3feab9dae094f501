import type { Conversion, ResourceType } from '../../../registry/resource-type.ts';
import { canonicalise } from '../../../schema/derive/canonical.ts';
import { TypeMismatch } from '../../../schema/derive/reading.ts';
import type { Vocabulary } from '../../../vocabulary/vocabulary.ts';
import {
  HorizontalPodAutoscalerCondition,
  type HorizontalPodAutoscaler as NewerAutoscaler,
} from '../v2/horizontal-pod-autoscaler.ts';
import type { MetricSpec } from '../v2/metric-spec.ts';
import type { MetricStatus } from '../v2/metric-status.ts';
import { readBehavior, writeBehavior } from './behavior-text.ts';
import { HorizontalPodAutoscaler } from './horizontal-pod-autoscaler.ts';
import { metricSpecs, metricStatuses } from './metric-text.ts';

/**
 * v1 knows one metric, the use of CPU in percent of what is requested. All that v2 says besides is kept in annotations,
 * so that nothing is lost by reading and writing an autoscaler through v1.
 */
export const conversionFrom = (
  hub: ResourceType<NewerAutoscaler>,
  v: Vocabulary,
): Conversion<HorizontalPodAutoscaler> => ({
  hub,
  toHub: (object, stored) => toNewer(object, stored as NewerAutoscaler | undefined, v),
  fromHub: (object) => fromNewer(object as NewerAutoscaler, v),
});

type Annotations = Readonly<Record<string, string>> | undefined;

function namesOf({ annotations }: Vocabulary) {
  return {
    metrics: annotations.autoscalingMetrics,
    currentMetrics: annotations.autoscalingCurrentMetrics,
    conditions: annotations.autoscalingConditions,
    behavior: annotations.autoscalingBehavior,
  };
}

/** An autoscaler never keeps these: whoever sets them in another version than v1 means nothing by it. */
export function withoutKeptAnnotations(annotations: Annotations, v: Vocabulary): Record<string, string> {
  const kept = new Set(Object.values(namesOf(v)));
  return Object.fromEntries(Object.entries(annotations ?? {}).filter(([name]) => !kept.has(name)));
}

function fromNewer(
  { kind, apiVersion, metadata, spec, status }: NewerAutoscaler,
  v: Vocabulary,
): HorizontalPodAutoscaler {
  const { metrics, behavior, ...common } = spec;
  const { currentMetrics, conditions, ...counts } = status;
  const cpu = metrics?.find(isCpuTarget);
  const currentCpu = currentMetrics?.find(({ resource }) => resource?.name === 'cpu')?.resource?.current;
  const annotations = {
    ...withoutKeptAnnotations(metadata.annotations, v),
    ...annotationsFor(
      { metrics: metrics?.filter((metric) => metric !== cpu), currentMetrics, conditions, behavior },
      v,
    ),
  };
  const converted = {
    kind,
    apiVersion,
    metadata: { ...metadata, annotations },
    spec: { ...common, targetCPUUtilizationPercentage: cpu?.resource?.target.averageUtilization },
    status: { ...counts, currentCPUUtilizationPercentage: currentCpu?.averageUtilization },
  };
  return canonicalise(HorizontalPodAutoscaler, converted).value;
}

/** The use of CPU in percent, and nothing else about it. */
function isCpuTarget({ type, resource, ...others }: MetricSpec): boolean {
  if (type !== 'Resource' || resource?.name !== 'cpu' || Object.keys(others).length > 0) return false;
  const { type: targetType, averageUtilization, ...rest } = resource.target;
  return targetType === 'Utilization' && averageUtilization !== undefined && Object.keys(rest).length === 0;
}

interface Kept {
  readonly metrics: readonly MetricSpec[] | undefined;
  readonly currentMetrics: readonly MetricStatus[] | null;
  readonly conditions: readonly HorizontalPodAutoscalerCondition[] | undefined;
  readonly behavior: NewerAutoscaler['spec']['behavior'];
}

function annotationsFor(
  { metrics, currentMetrics, conditions, behavior }: Kept,
  v: Vocabulary,
): Record<string, string> {
  const names = namesOf(v);
  return {
    ...(metrics?.length ? { [names.metrics]: metricSpecs.write(metrics) } : {}),
    ...(currentMetrics?.length ? { [names.currentMetrics]: metricStatuses.write(currentMetrics) } : {}),
    ...(conditions?.length ? { [names.conditions]: JSON.stringify(conditions) } : {}),
    ...(behavior ? { [names.behavior]: writeBehavior(behavior) } : {}),
  };
}

/** `stored` is what the autoscaler is now, if it is there: it tells where among other metrics that of the CPU stands. */
function toNewer(object: HorizontalPodAutoscaler, stored: NewerAutoscaler | undefined, v: Vocabulary): NewerAutoscaler {
  const { kind, apiVersion, metadata, spec, status } = object;
  const { targetCPUUtilizationPercentage, ...common } = spec;
  const { currentCPUUtilizationPercentage, ...counts } = status;
  const names = namesOf(v);
  const read = <T>(name: string, from: (text: string) => T | undefined): T | undefined => {
    const text = metadata.annotations?.[name];
    return text === undefined ? undefined : from(text);
  };
  const others = read(names.metrics, (text) => metricSpecs.read(text)) ?? [];
  const cpu = targetCPUUtilizationPercentage === undefined ? [] : [cpuTarget(targetCPUUtilizationPercentage)];
  const place = stored?.spec.metrics?.findIndex(isCpuTarget) ?? -1;
  const metrics = place < 0 ? [...others, ...cpu] : [...others.slice(0, place), ...cpu, ...others.slice(place)];
  const behavior = read(names.behavior, readBehavior);
  const conditions = read(names.conditions, readConditions);
  return {
    kind,
    apiVersion,
    metadata: { ...metadata, annotations: withoutKeptAnnotations(metadata.annotations, v) },
    spec: { ...common, metrics, ...(behavior ? { behavior } : {}) },
    status: {
      ...counts,
      currentMetrics:
        read(names.currentMetrics, (text) => metricStatuses.read(text)) ?? cpuStatus(currentCPUUtilizationPercentage),
      ...(conditions ? { conditions } : {}),
    },
  };
}

const cpuTarget = (averageUtilization: number): MetricSpec => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});

const cpuStatus = (averageUtilization: number | undefined): MetricStatus[] | null =>
  averageUtilization === undefined
    ? null
    : [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization } } }];

function readConditions(text: string): HorizontalPodAutoscalerCondition[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    if (!Array.isArray(parsed)) return undefined;
    return parsed.map((condition) => canonicalise(HorizontalPodAutoscalerCondition, condition).value);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeMismatch) return undefined;
    throw error;
  }
}
