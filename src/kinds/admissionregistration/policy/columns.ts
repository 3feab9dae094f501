import type { Column } from '../../../registry/resource-type.ts';
import { ageColumn, integer, nameColumn, text } from '../../columns.ts';
import { UNSET } from '../../printing.ts';
import type { ParamKind } from './expressions.ts';
import type { MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding } from './mutating-admission-policy.ts';
import type { ParamRef } from './param-ref.ts';
import type { ValidatingAdmissionPolicy } from './validating-admission-policy.ts';
import type { ValidatingAdmissionPolicyBinding } from './validating-admission-policy-binding.ts';

export const validatingPolicyColumns: readonly Column<ValidatingAdmissionPolicy>[] = [
  nameColumn,
  integer('Validations', 'Number of rules.', ({ spec }) => spec.validations?.length ?? 0),
  text('ParamKind', 'Kind of the objects that parameterize the policy.', ({ spec }) => paramKindText(spec.paramKind)),
  ageColumn,
];

export const bindingColumns: readonly Column<ValidatingAdmissionPolicyBinding | MutatingAdmissionPolicyBinding>[] = [
  nameColumn,
  text('PolicyName', 'The policy that is put into effect.', ({ spec }) => spec.policyName ?? ''),
  text('ParamRef', 'The objects that the policy is evaluated with.', ({ spec }) => paramRefText(spec.paramRef)),
  ageColumn,
];

export const mutatingPolicyColumns: readonly Column<MutatingAdmissionPolicy>[] = [
  nameColumn,
  integer('Mutations', 'Number of changes.', ({ spec }) => spec.mutations?.length ?? 0),
  text('ParamKind', 'Kind of the objects that parameterize the policy.', ({ spec }) => paramKindText(spec.paramKind)),
  ageColumn,
];

const paramKindText = (kind: ParamKind | undefined): string =>
  kind ? `${kind.apiVersion ?? ''}/${kind.kind ?? ''}` : UNSET;

function paramRefText(ref: ParamRef | undefined): string {
  if (!ref) return UNSET;
  const { namespace = '', name = '*' } = ref;
  return namespace === '' ? name : `${namespace}/${name}`;
}
