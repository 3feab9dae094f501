import type { PolicyRule } from '../../kinds/rbac/policy-rule.ts';
import { CompiledRule } from './compiled-rule.ts';

/**
 * How many combinations of group, resource and name are looked into one by one. Far above any real role; a request
 * made to keep the server busy runs into it.
 */
const MOST_COMBINATIONS = 100_000;

/** Whether every right that `requested` gives is among the rights that `held` gives. */
export const covers = (held: readonly PolicyRule[], requested: readonly PolicyRule[]): boolean =>
  uncovered(held, requested).length === 0;

/**
 * The rights in `requested` that are missing from `held`: a rule for each combination of one group, one resource and at
 * most one name (or for one path) with the verbs it lacks. Several rules together may cover a requested one. What goes
 * beyond the limit of combinations counts as missing, in one piece.
 */
export function uncovered(held: readonly PolicyRule[], requested: readonly PolicyRule[]): PolicyRule[] {
  const holdings = held.map((rule) => new CompiledRule(rule));
  let budget = MOST_COMBINATIONS;
  return requested.flatMap((rule) => {
    budget -= combinations(rule);
    return budget < 0 ? [rule] : [...missingTargets(holdings, rule), ...missingPaths(holdings, rule)];
  });
}

const combinations = ({
  apiGroups = [],
  resources = [],
  resourceNames = [],
  nonResourceURLs = [],
}: PolicyRule): number =>
  apiGroups.length * resources.length * Math.max(1, resourceNames.length) + nonResourceURLs.length;

function* missingTargets(
  holdings: readonly CompiledRule[],
  { verbs, apiGroups = [], resources = [], resourceNames }: PolicyRule,
): Generator<PolicyRule> {
  const names = resourceNames?.length ? resourceNames : [undefined];
  for (const group of apiGroups) {
    for (const resource of resources) {
      const subresource = subresourceOf(resource);
      for (const name of names) {
        const covering = holdings.filter((rule) => rule.coversResource(group, resource, subresource, name));
        const missing = missingVerbs(covering, verbs);
        const target = { apiGroups: [group], resources: [resource] };
        if (missing.length > 0) {
          yield { verbs: missing, ...target, ...(name === undefined ? {} : { resourceNames: [name] }) };
        }
      }
    }
  }
}

function* missingPaths(
  holdings: readonly CompiledRule[],
  { verbs, nonResourceURLs = [] }: PolicyRule,
): Generator<PolicyRule> {
  for (const path of nonResourceURLs) {
    const covering = holdings.filter((rule) => rule.coversPath(path));
    const missing = missingVerbs(covering, verbs);
    if (missing.length > 0) yield { verbs: missing, nonResourceURLs: [path] };
  }
}

const missingVerbs = (covering: readonly CompiledRule[], verbs: readonly string[] | null): string[] =>
  (verbs ?? []).filter((verb) => !covering.some((rule) => rule.allowsVerb(verb)));

function subresourceOf(resource: string): string {
  const slash = resource.indexOf('/');
  return slash < 0 ? '' : resource.slice(slash + 1);
}
