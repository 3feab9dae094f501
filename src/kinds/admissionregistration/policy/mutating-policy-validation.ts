import { oneOf, required } from '../../../meta/field-rules.ts';
import type { Steps } from '../../../runtime/pacing.ts';
import { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import { sameValue } from '../../../schema/same-value.ts';
import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingAdmissionPolicySpec,
  Mutation,
} from './mutating-admission-policy.ts';
import { compileMutatingPolicy } from './policy-compiler.ts';
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

const SPEC = Path.of('spec');
const REINVOCATION_POLICIES = ['IfNeeded', 'Never'];
const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'UPDATE'];

export function validateMutatingPolicy({ spec }: MutatingAdmissionPolicy, problems: Problems): void {
  validateFailurePolicy(spec.failurePolicy, SPEC, problems);
  validateParamKind(spec.paramKind, SPEC.child('paramKind'), problems);
  validateMatchConstraints(spec.matchConstraints, SPEC, problems);
  validateOperations(spec, problems);
  validateMatchConditions(spec.matchConditions, SPEC.child('matchConditions'), problems);
  validateVariables(spec.variables, SPEC.child('variables'), problems);
  const mutations = SPEC.child('mutations');
  required(problems, SPEC, 'mutations', spec.mutations);
  validateAtMost(spec.mutations, MOST_EXPRESSIONS, mutations, problems);
  spec.mutations?.forEach((mutation, at) => {
    validateMutation(mutation, mutations.index(at), problems);
  });
  if (!spec.reinvocationPolicy) problems.required(SPEC.child('reinvocationPolicy'));
  else oneOf(problems, SPEC, 'reinvocationPolicy', spec.reinvocationPolicy, REINVOCATION_POLICIES);
  validateTotalLength(textsOf(spec), SPEC, problems);
}

/** What is being deleted cannot be changed. */
function validateOperations({ matchConstraints }: MutatingAdmissionPolicySpec, problems: Problems): void {
  const rules = SPEC.child('matchConstraints').child('resourceRules');
  matchConstraints?.resourceRules?.forEach(({ operations = [] }, at) => {
    const place = operations.indexOf('DELETE');
    if (place >= 0) problems.notSupported(rules.index(at).child('operations').index(place), 'DELETE', OPERATIONS);
  });
}

const FIELDS: Readonly<Record<string, 'applyConfiguration' | 'jsonPatch'>> = {
  ApplyConfiguration: 'applyConfiguration',
  JSONPatch: 'jsonPatch',
};

function validateMutation(mutation: Mutation, path: Path, problems: Problems): void {
  const { patchType } = mutation;
  if (!required(problems, path, 'patchType', patchType)) return;
  oneOf(problems, path, 'patchType', patchType, Object.keys(FIELDS));
  for (const [type, field] of Object.entries(FIELDS)) {
    const given = mutation[field];
    if (type !== patchType) {
      if (given) problems.forbidden(path.child(field), `may not be specified when patchType is not ${type}`);
    } else if (given) validateExpression(problems, path.child(field), 'expression', given.expression);
    else problems.required(path.child(field), `must be specified when patchType is ${type}`);
  }
}

/** What does not compile. Of a policy that has no other problem, and whose expressions are not those it had before. */
export function* validateMutatingPolicyExpressions(
  { spec }: MutatingAdmissionPolicy,
  old: MutatingAdmissionPolicy | undefined,
  problems: Problems,
): Steps<void> {
  if (problems.count > 0 || (old && sameValue(spec, old.spec))) return;
  yield* compileMutatingPolicy(spec, (path, source, problem) => problems.invalid(path, source, problem));
}

const textsOf = (spec: MutatingAdmissionPolicySpec): (string | undefined)[] => [
  ...(spec.matchConditions ?? []).map(({ expression }) => expression),
  ...(spec.variables ?? []).map(({ expression }) => expression),
  ...(spec.mutations ?? []).map(({ applyConfiguration, jsonPatch }) => (applyConfiguration ?? jsonPatch)?.expression),
];

export function validateMutatingPolicyBinding({ spec }: MutatingAdmissionPolicyBinding, problems: Problems): void {
  validatePolicyName(spec.policyName, SPEC, problems);
  validateParamRef(spec.paramRef, SPEC.child('paramRef'), problems);
  validateMatchResources(spec.matchResources, SPEC.child('matchResources'), problems);
}
