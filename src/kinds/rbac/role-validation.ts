import { required } from '../../meta/field-rules.ts';
import { isUnusableSelector, validateLabelSelector } from '../../meta/label-selector-validation.ts';
import { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import type { ClusterRole } from './cluster-role.ts';
import type { PolicyRule } from './policy-rule.ts';
import type { Role } from './role.ts';

const RULES = Path.of('rules');
const SELECTORS = Path.of('aggregationRule', 'clusterRoleSelectors');

export function validateRole({ rules }: Role, problems: Problems): void {
  rules?.forEach((rule, at) => {
    const path = RULES.index(at);
    if (rule.nonResourceURLs?.length) {
      problems.invalid(
        path.child('nonResourceURLs'),
        rule.nonResourceURLs,
        'namespaced rules cannot apply to non-resource URLs',
      );
    }
    validatePolicyRule(rule, path, problems);
  });
}

export function validateClusterRole({ rules, aggregationRule }: ClusterRole, problems: Problems): void {
  rules?.forEach((rule, at) => {
    validatePolicyRule(rule, RULES.index(at), problems);
  });
  if (!aggregationRule) return;
  const { clusterRoleSelectors: selectors = [] } = aggregationRule;
  if (selectors.length === 0) {
    problems.required(SELECTORS, 'at least one clusterRoleSelector required if aggregationRule is non-nil');
  }
  selectors.forEach((selector, at) => {
    validateLabelSelector(selector, SELECTORS.index(at), problems);
    if (isUnusableSelector(selector)) problems.invalid(SELECTORS.index(at), selector, 'invalid label selector.');
  });
}

/** A rule is about resources or about paths, not both. */
function validatePolicyRule(rule: PolicyRule, path: Path, problems: Problems): void {
  const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = rule;
  required(problems, path, 'verbs', verbs, 'verbs must contain at least one value');
  if (nonResourceURLs?.length) {
    if (!apiGroups?.length && !resources?.length && !resourceNames?.length) return;
    problems.invalid(
      path.child('nonResourceURLs'),
      nonResourceURLs,
      'rules cannot apply to both regular resources and non-resource URLs',
    );
    return;
  }
  required(problems, path, 'apiGroups', apiGroups, 'resource rules must supply at least one api group');
  required(problems, path, 'resources', resources, 'resource rules must supply at least one resource');
}
