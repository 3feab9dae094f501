import { badRequest } from '../../api/errors.ts';
import type { UserInfo } from '../../api/user.ts';
import type { Action } from '../../handlers/actions/action.ts';
import {
  SelfSubjectRulesReview,
  type SubjectRulesReviewStatus,
} from '../../kinds/authorization/v1/self-subject-rules-review.ts';
import { canonicalise } from '../../schema/derive/canonical.ts';
import type { Authorizer } from '../attributes.ts';

/** Everything the requester may do in a namespace, as far as the authorizer can list it. `group`: that of the reviews. */
export function rulesReview(authorizer: Authorizer, group: string): Action<SelfSubjectRulesReview> {
  return {
    group,
    plural: 'selfsubjectrulesreviews',
    subresource: '',
    accepts: [{ group, version: 'v1', kind: 'SelfSubjectRulesReview', schema: SelfSubjectRulesReview }],
    admission: false,
    async run({ object, options }) {
      const { kind, apiVersion, spec } = object;
      if (!spec.namespace) throw badRequest('no namespace on request');
      const status = rulesStatus(authorizer, options.user, spec.namespace);
      // The answer does not repeat the question.
      const review = { kind, apiVersion, metadata: {}, spec: {}, status };
      return { status: 201, body: canonicalise(SelfSubjectRulesReview, review).value };
    },
  };
}

/** What a user may do in a namespace, each rule once. */
export function rulesStatus(authorizer: Authorizer, user: UserInfo, namespace: string): SubjectRulesReviewStatus {
  const rules = authorizer.rulesFor?.(user, namespace);
  if (!rules) {
    const evaluationError = 'the authorizer cannot list what a user may do';
    return { resourceRules: [], nonResourceRules: [], incomplete: true, evaluationError };
  }
  return {
    resourceRules: distinct(rules.resourceRules).map(({ verbs, apiGroups, resources, resourceNames }) => ({
      verbs: [...verbs],
      apiGroups: [...apiGroups],
      resources: [...resources],
      resourceNames: [...resourceNames],
    })),
    nonResourceRules: distinct(rules.nonResourceRules).map(({ verbs, nonResourceURLs }) => ({
      verbs: [...verbs],
      nonResourceURLs: [...nonResourceURLs],
    })),
    incomplete: rules.incomplete,
    evaluationError: rules.problem,
  };
}

/** Several modes, or several roles, may grant the same. */
const distinct = <T>(rules: readonly T[]): T[] => [
  ...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values(),
];
