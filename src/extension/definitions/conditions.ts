import type {
  CustomResourceDefinition,
  CustomResourceDefinitionCondition,
  CustomResourceDefinitionStatus,
} from '../../kinds/apiextensions/custom-resource-definition.ts';

/** What a condition says, without since when. */
export type Finding = Pick<CustomResourceDefinitionCondition, 'type' | 'status' | 'reason' | 'message'>;

type Conditions = readonly CustomResourceDefinitionCondition[];

export const conditionOf = (
  { status }: CustomResourceDefinition,
  type: string,
): CustomResourceDefinitionCondition | undefined => status.conditions?.find((condition) => condition.type === type);

export const isTrue = (definition: CustomResourceDefinition, type: string): boolean =>
  conditionOf(definition, type)?.status === 'True';

/** The conditions with one of them as it was found. Its time is that of the last change of its status. */
export function withCondition(conditions: Conditions | null, finding: Finding, now: string): Conditions {
  const known = (conditions ?? []).find(({ type }) => type === finding.type);
  if (!known) return [...(conditions ?? []), { ...finding, lastTransitionTime: now }];
  if (known.status === finding.status && known.reason === finding.reason && known.message === finding.message) {
    return conditions ?? [];
  }
  const lastTransitionTime = known.status === finding.status ? known.lastTransitionTime : now;
  return (conditions ?? []).map((one) => (one === known ? { ...finding, lastTransitionTime } : one));
}

export const withoutCondition = (conditions: Conditions | null, type: string): Conditions | null =>
  conditions?.some((one) => one.type === type) ? conditions.filter((one) => one.type !== type) : conditions;

/** The status with other conditions; the very same when they are. */
export const withConditions = (
  status: CustomResourceDefinitionStatus,
  conditions: Conditions | null,
): CustomResourceDefinitionStatus =>
  conditions === status.conditions ? status : { ...status, conditions: conditions && [...conditions] };
