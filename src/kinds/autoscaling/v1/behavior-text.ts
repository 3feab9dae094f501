import { canonicalise } from '../../../schema/derive/canonical.ts';
import { TypeMismatch } from '../../../schema/derive/reading.ts';
import { HorizontalPodAutoscalerBehavior, type HPAScalingRules } from '../v2/behavior.ts';

/** The pace of an autoscaler as an annotation of v1 holds it: JSON whose fields have other names and are never left out. */
export const writeBehavior = ({ scaleUp, scaleDown }: HorizontalPodAutoscalerBehavior): string =>
  JSON.stringify({ ScaleUp: writeRules(scaleUp), ScaleDown: writeRules(scaleDown) });

function writeRules(rules: HPAScalingRules | undefined): object | null {
  if (!rules) return null;
  const { stabilizationWindowSeconds, selectPolicy, policies } = rules;
  return {
    StabilizationWindowSeconds: stabilizationWindowSeconds ?? null,
    SelectPolicy: selectPolicy ?? null,
    Policies:
      policies?.map(({ type, value, periodSeconds }) => ({ Type: type, Value: value, PeriodSeconds: periodSeconds })) ??
      null,
  };
}

/** Undefined when the text holds no behavior. */
export function readBehavior(text: string): HorizontalPodAutoscalerBehavior | undefined {
  try {
    const parsed: unknown = JSON.parse(text, uncapitalised);
    return parsed === null ? undefined : canonicalise(HorizontalPodAutoscalerBehavior, parsed).value;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeMismatch) return undefined;
    throw error;
  }
}

function uncapitalised(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [`${name.charAt(0).toLowerCase()}${name.slice(1)}`, held]),
  );
}
