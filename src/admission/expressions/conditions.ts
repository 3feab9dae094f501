import type { PolicyEvaluation } from '../../cel/policy/evaluation.ts';
import { Failure } from '../../cel/values/values.ts';
import type { CompiledCondition } from '../../kinds/admissionregistration/policy/policy-compiler.ts';
import type { Steps } from '../../runtime/pacing.ts';

/** What is told of an expression that cannot be evaluated. */
export const errorText = (source: string, { message }: Failure): string =>
  `expression '${source.trim()}' resulted in error: ${message}`;

/** Whether all conditions are met. One that is not decides; a text tells of the first that could not be evaluated. */
export function* conditionsMet(
  conditions: readonly CompiledCondition[],
  evaluation: PolicyEvaluation,
): Steps<boolean | string> {
  let failed: string | undefined;
  for (const { expression } of conditions) {
    const value = evaluation.ifShort(expression) ?? (yield* evaluation.inSteps(expression));
    if (value === false) return false;
    if (value instanceof Failure) failed ??= errorText(expression.source, value);
  }
  return failed ?? true;
}
