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
  for (const [expressionIndex, validation] of policy.validations.entries()) {
    const found = yield* violationOf(validation, evaluation, failsOpen);
    if (found) violations.push({ ...found, expressionIndex });
  }
  return { violations, ...(yield* annotationsOf(policy.auditAnnotations, evaluation)) };
}

function* violationOf(
  { source, expression, messageExpression }: CompiledValidation,
  evaluation: PolicyEvaluation,
  failsOpen: boolean,
): Steps<Pick<Violation, 'message' | 'reason'> | undefined> {
  const value = yield* evaluation.value(expression);
  if (value === true) return undefined;
  const { reason = '' } = source;
  if (value instanceof Failure) return failsOpen ? undefined : { message: errorText(source.expression, value), reason };
  const written = messageExpression && shownText(yield* evaluation.value(messageExpression));
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
    const value = yield* evaluation.value(expression);
    if (value instanceof Failure) failed.push(errorText(source.valueExpression, value));
    else if (typeof value === 'string' && value.trim() !== '') found.push({ key: source.key, value: value.trim() });
  }
  return { annotations: found, failedAnnotations: failed };
}
