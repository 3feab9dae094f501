import { validateConditions } from '../../../meta/condition-validation.ts';
import { distinct, oneOf } from '../../../meta/field-rules.ts';
import { qualifiedName } from '../../../meta/formats.ts';
import type { Steps } from '../../../runtime/pacing.ts';
import { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import { sameValue } from '../../../schema/same-value.ts';
import { compileValidatingPolicy } from './policy-compiler.ts';
import {
  MOST_EXPRESSIONS,
  validateAtMost,
  validateExpression,
  validateFailurePolicy,
  validateMatchConditions,
  validateMatchConstraints,
  validateMatchResources,
  validateParamKind,
  validateParamRef,
  validatePolicyName,
  validateTotalLength,
  validateVariables,
} from './policy-fields.ts';
import type {
  AuditAnnotation,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicySpec,
  Validation,
} from './validating-admission-policy.ts';
import type { ValidatingAdmissionPolicyBinding } from './validating-admission-policy-binding.ts';

const SPEC = Path.of('spec');
const NOTHING_TO_DO = 'validations or auditAnnotations must be non-empty';

export function validateValidatingPolicy({ metadata, spec }: ValidatingAdmissionPolicy, problems: Problems): void {
  validateFailurePolicy(spec.failurePolicy, SPEC, problems);
  validateParamKind(spec.paramKind, SPEC.child('paramKind'), problems);
  validateMatchConstraints(spec.matchConstraints, SPEC, problems);
  validateMatchConditions(spec.matchConditions, SPEC.child('matchConditions'), problems);
  validateVariables(spec.variables, SPEC.child('variables'), problems);
  validateValidations(spec.validations ?? [], SPEC.child('validations'), problems);
  validateAuditAnnotations(spec.auditAnnotations ?? [], metadata.name ?? '', SPEC.child('auditAnnotations'), problems);
  if (!spec.validations?.length && !spec.auditAnnotations?.length) {
    problems.required(SPEC.child('validations'), NOTHING_TO_DO);
    problems.required(SPEC.child('auditAnnotations'), NOTHING_TO_DO);
  }
  validateTotalLength(textsOf(spec), SPEC, problems);
}

/** What does not compile. Of a policy that has no other problem, and whose expressions are not those it had before. */
export function* validateValidatingPolicyExpressions(
  { spec }: ValidatingAdmissionPolicy,
  old: ValidatingAdmissionPolicy | undefined,
  problems: Problems,
): Steps<void> {
  if (problems.count > 0 || (old && sameValue(spec, old.spec))) return;
  yield* compileValidatingPolicy(spec, (path, source, problem) => problems.invalid(path, source, problem));
}

const textsOf = (spec: ValidatingAdmissionPolicySpec): (string | undefined)[] => [
  ...(spec.matchConditions ?? []).map(({ expression }) => expression),
  ...(spec.variables ?? []).map(({ expression }) => expression),
  ...(spec.validations ?? []).flatMap(({ expression, messageExpression }) => [expression, messageExpression]),
  ...(spec.auditAnnotations ?? []).map(({ valueExpression }) => valueExpression),
];

const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge', 'Unauthorized'];

function validateValidations(validations: readonly Validation[], path: Path, problems: Problems): void {
  validateAtMost(validations, MOST_EXPRESSIONS, path, problems);
  validations.forEach((validation, at) => {
    validateValidation(validation, path.index(at), problems);
  });
}

function validateValidation(validation: Validation, path: Path, problems: Problems): void {
  const { expression, message, messageExpression, reason } = validation;
  validateExpression(problems, path, 'expression', expression);
  const shown = message?.trim();
  if (message && shown === '') {
    problems.invalid(path.child('message'), message, 'message must be non-empty if specified');
  } else if (shown?.includes('\n')) {
    problems.invalid(path.child('message'), message, 'message must not contain line breaks');
  } else if (!shown && expression.trim().includes('\n')) {
    problems.required(path.child('message'), 'message must be specified if expression contains line breaks');
  }
  if (messageExpression) {
    if (messageExpression.trim() === '') {
      problems.invalid(path.child('messageExpression'), messageExpression, 'must be non-empty if specified');
    } else validateExpression(problems, path, 'messageExpression', messageExpression);
  }
  oneOf(problems, path, 'reason', reason, REASONS);
}

const MOST_ANNOTATIONS = 20;
const LONGEST_ANNOTATION = 5 * 1024;

function validateAuditAnnotations(
  annotations: readonly AuditAnnotation[],
  policy: string,
  path: Path,
  problems: Problems,
): void {
  if (annotations.length > MOST_ANNOTATIONS) {
    problems.invalid(path, annotations, `must not have more than ${MOST_ANNOTATIONS} auditAnnotations`);
  }
  const keys = annotations.map(({ key }) => key);
  distinct(problems, path, 'key', keys);
  annotations.forEach(({ key, valueExpression }, at) => {
    const own = path.index(at);
    const problem = qualifiedName(`${policy}/${key}`);
    if (!key) problems.required(own.child('key'), 'auditAnnotation key is required');
    else if (key.includes('/')) problems.invalid(own.child('key'), key, 'must not contain a slash');
    else if (problem !== undefined) problems.invalid(own.child('key'), key, problem);
    if (valueExpression.length > LONGEST_ANNOTATION) {
      problems.invalid(own.child('valueExpression'), valueExpression, 'must not exceed 5kb in length');
    } else validateExpression(problems, own, 'valueExpression', valueExpression);
  });
}

const STATUS = Path.of('status');
const MOST_WARNINGS = 1024;

export function validateValidatingPolicyStatus(
  { status }: ValidatingAdmissionPolicy,
  _old: ValidatingAdmissionPolicy,
  problems: Problems,
): void {
  const warnings = STATUS.child('typeChecking').child('expressionWarnings');
  const given = status.typeChecking?.expressionWarnings ?? [];
  validateAtMost(given, MOST_WARNINGS, warnings, problems);
  given.forEach(({ fieldRef, warning }, at) => {
    if (!fieldRef) problems.required(warnings.index(at).child('fieldRef'));
    if (!warning) problems.required(warnings.index(at).child('warning'));
  });
  validateConditions(status.conditions, STATUS.child('conditions'), problems);
}

const ACTIONS = ['Audit', 'Deny', 'Warn'];
const TOLD_TWICE =
  'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';

export function validateValidatingPolicyBinding({ spec }: ValidatingAdmissionPolicyBinding, problems: Problems): void {
  validatePolicyName(spec.policyName, SPEC, problems);
  validateParamRef(spec.paramRef, SPEC.child('paramRef'), problems);
  validateMatchResources(spec.matchResources, SPEC.child('matchResources'), problems);
  const actions = SPEC.child('validationActions');
  const given = spec.validationActions ?? [];
  if (given.length === 0) problems.required(actions);
  given.forEach((action, at) => {
    if (!ACTIONS.includes(action)) problems.notSupported(actions.index(at), action, ACTIONS);
  });
  distinct(problems, actions, '', given);
  if (given.includes('Deny') && given.includes('Warn')) problems.invalid(actions, given, TOLD_TWICE);
}
