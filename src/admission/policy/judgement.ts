import { PolicyEvaluation } from '../../cel/policy/evaluation.ts';
import type { PolicyValues } from '../../cel/policy/names.ts';
import type { Budget } from '../../cel/rule.ts';
import { Failure } from '../../cel/values/values.ts';
import type {
  CompiledAuditAnnotation,
  CompiledValidatingPolicy,
  CompiledValidation,
} from '../../kinds/admissionregistration/policy/policy-compiler.ts';
import type { Steps } from '../../runtime/pacing.ts';
import { conditionsMet, errorText } from '../expressions/conditions.ts';

/** A rule that does not hold, or could not be evaluated under a failure policy that counts that as well. */
export interface Violation {
  readonly message: string;
  /** '' where the rule says none. */
  readonly reason: string;
  /** Its place among the rules of the policy. */
  readonly expressionIndex: number;
}

/** What came of one policy, evaluated with one object as params. */
export interface Judgement {
  readonly violations: readonly Violation[];
  /** Notes for the record of the request. */
  readonly annotations: readonly { readonly key: string; readonly value: string }[];
  /** Annotations that could not be evaluated. */
  readonly failedAnnotations: readonly string[];
}

const NOTHING: Judgement = { violations: [], annotations: [], failedAnnotations: [] };

/** A message of more characters, or of more than one line, is not used. */
const LONGEST_MESSAGE = 5 * 1024;

/** Evaluates a policy. `failsOpen`: what cannot be evaluated is no violation. The budget is shared by all evaluations of a binding. */
export function* judge(
  policy: CompiledValidatingPolicy,
  values: PolicyValues,
  failsOpen: boolean,
  budget: Budget,
): Steps<Judgement> {
  const evaluation = new PolicyEvaluation(values, policy.variables, budget);
  const met = yield* conditionsMet(policy.matchConditions, evaluation);
  if (met === false) return NOTHING;
  if (met !== true) {
    return failsOpen ? NOTHING : { ...NOTHING, violations: [{ message: met, reason: '', expressionIndex: 0 }] };
  }
  const violations: Violation[] = [];
  let expressionIndex = 0;
  for (const validation of policy.validations) {
    const { expression } = validation;
    const value = evaluation.ifShort(expression) ?? (yield* evaluation.inSteps(expression));
    const found = value === true ? undefined : yield* violationOf(validation, value, evaluation, failsOpen);
    if (found) violations.push({ ...found, expressionIndex });
    expressionIndex++;
  }
  if (violations.length === 0 && policy.auditAnnotations.length === 0) return NOTHING;
  return { violations, ...(yield* annotationsOf(policy.auditAnnotations, evaluation)) };
}

/** `value` is what the rule came to, and not true. */
function* violationOf(
  { source, messageExpression }: CompiledValidation,
  value: unknown,
  evaluation: PolicyEvaluation,
  failsOpen: boolean,
): Steps<Pick<Violation, 'message' | 'reason'> | undefined> {
  const { reason = '' } = source;
  if (value instanceof Failure) return failsOpen ? undefined : { message: errorText(source.expression, value), reason };
  const written = messageExpression && shownText(yield* evaluation.inSteps(messageExpression));
  const message = written || source.message?.trim() || `failed expression: ${source.expression.trim()}`;
  return { message, reason };
}

/** '' where an expression gives nothing that can be shown. */
function shownText(value: unknown): string {
  const text = typeof value === 'string' ? value.trim() : '';
  return text.length > LONGEST_MESSAGE || text.includes('\n') ? '' : text;
}

function* annotationsOf(
  annotations: readonly CompiledAuditAnnotation[],
  evaluation: PolicyEvaluation,
): Steps<Pick<Judgement, 'annotations' | 'failedAnnotations'>> {
  const found: { key: string; value: string }[] = [];
  const failed: string[] = [];
  for (const { source, expression } of annotations) {
    const value = evaluation.ifShort(expression) ?? (yield* evaluation.inSteps(expression));
    if (value instanceof Failure) failed.push(errorText(source.valueExpression, value));
    else if (typeof value === 'string' && value.trim() !== '') found.push({ key: source.key, value: value.trim() });
  }
  return { annotations: found, failedAnnotations: failed };
}
