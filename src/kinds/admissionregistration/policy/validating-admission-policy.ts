import { Condition } from '../../../meta/condition.ts';
import { ObjectMeta } from '../../../meta/object-meta.ts';
import { int64, string } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../../schema/schema.ts';
import { MatchCondition, ParamKind, Variable } from './expressions.ts';
import { MatchResources } from './match-resources.ts';

export const Validation = struct(
  'admissionregistration.v1.Validation',
  {
    expression: f(
      1,
      string().required(),
      'Expression that gives true for what is allowed. It may use object, oldObject, request, params, namespaceObject, variables and authorizer.',
    ),
    message: f(2, string(), 'What whoever is refused is told. Unset: the expression.'),
    reason: f(
      3,
      string().optional(),
      'Reason of the refusal: Unauthorized, Forbidden, Invalid (the default) or RequestEntityTooLarge.',
    ),
    messageExpression: f(
      4,
      string(),
      'Expression that gives the message; message is used where it fails or gives an empty text or several lines.',
    ),
  },
  { description: 'A rule that requests have to satisfy.' },
);
export type Validation = Infer<typeof Validation>;

export const AuditAnnotation = struct(
  'admissionregistration.v1.AuditAnnotation',
  {
    key: f(1, string().required(), 'Key of the annotation, after the name of the policy and a slash.'),
    valueExpression: f(2, string().required(), 'Expression that gives the text of the annotation, or null for none.'),
  },
  { description: 'An annotation for the record of a request.' },
);
export type AuditAnnotation = Infer<typeof AuditAnnotation>;

export const ValidatingAdmissionPolicySpec = struct(
  'admissionregistration.v1.ValidatingAdmissionPolicySpec',
  {
    paramKind: f(1, ParamKind.optional(), 'Kind of the objects that bindings name as params. Unset: there are none.'),
    matchConstraints: f(2, MatchResources.optional(), 'Which requests the policy is about. Required.'),
    validations: f(3, list(Validation).atomicList(), 'Rules that all have to hold.'),
    failurePolicy: f(
      4,
      string().optional().default('Fail'),
      'When an expression fails or the policy is not set up well: Fail (the default) is a violation, Ignore is none.',
    ),
    auditAnnotations: f(5, list(AuditAnnotation).atomicList(), 'Annotations for the record of requests.'),
    matchConditions: f(
      6,
      list(MatchCondition).mapBy('name').mergeBy('name'),
      'Conditions that all have to be met by a request before the policy is about it. At most 64.',
    ),
    variables: f(
      7,
      list(Variable).mapBy('name').mergeBy('name'),
      'Expressions under a name; each may use those before it.',
    ),
  },
  { description: 'Which requests a policy is about, and what it wants of them.' },
);
export type ValidatingAdmissionPolicySpec = Infer<typeof ValidatingAdmissionPolicySpec>;

export const ExpressionWarning = struct(
  'admissionregistration.v1.ExpressionWarning',
  {
    fieldRef: f(2, string().required(), 'Path of the expression, such as spec.validations[0].expression.'),
    warning: f(3, string().required(), 'What does not fit the declared types, for each kind that it was checked with.'),
  },
  { description: 'A problem that was found by checking the types of an expression.' },
);
export type ExpressionWarning = Infer<typeof ExpressionWarning>;

export const TypeChecking = struct(
  'admissionregistration.v1.TypeChecking',
  { expressionWarnings: f(1, list(ExpressionWarning).atomicList(), 'Problems of single expressions.') },
  { description: 'What came of checking the types of the expressions of a policy.' },
);

export const ValidatingAdmissionPolicyStatus = struct(
  'admissionregistration.v1.ValidatingAdmissionPolicyStatus',
  {
    observedGeneration: f(1, int64(), 'The metadata.generation that the status is about.'),
    typeChecking: f(
      2,
      TypeChecking.optional(),
      'Problems with the types of expressions; there once they were looked for.',
    ),
    conditions: f(3, list(Condition).mapBy('type'), 'Aspects of the state of the policy.'),
  },
  { description: 'What the server found out about a policy.' },
);

export const ValidatingAdmissionPolicy = kind(
  'admissionregistration.v1.ValidatingAdmissionPolicy',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, ValidatingAdmissionPolicySpec, 'What the policy wants.'),
    status: f(3, ValidatingAdmissionPolicyStatus, 'What the server found out about it.'),
  },
  { description: 'Rules in an expression language that requests have to satisfy; a binding puts them into effect.' },
);
export type ValidatingAdmissionPolicy = Infer<typeof ValidatingAdmissionPolicy>;
