import type { Vocabulary } from '../../../vocabulary.ts';
import type { HorizontalPodAutoscaler } from './horizontal-pod-autoscaler.ts';

/** Where nothing is measured, neither here nor by the metrics that later versions keep in an annotation, it is the CPU. */
export function defaultHorizontalPodAutoscaler(autoscaler: HorizontalPodAutoscaler, { annotations }: Vocabulary): void {
  const { metadata, spec } = autoscaler;
  if (metadata.annotations?.[annotations.autoscalingMetrics]) return;
  spec.targetCPUUtilizationPercentage ??= 80;
}
