import type { Wanted } from '../../authorization/attributes.ts';
import { combinedResource } from '../../authorization/attributes.ts';
import type { Grant } from '../../authorization/grants.ts';
import type { AccessGrant } from '../../kinds/explain/access-grant.ts';
import type { PolicyRule } from '../../kinds/rbac/policy-rule.ts';

/** Of one role; more that allow the same help nobody. */
const MOST_RULES = 2;
/** Rules of more words are shown with those that matter. */
const MOST_WORDS = 40;

const wordsIn = (rule: PolicyRule): number => Object.values(rule).reduce((sum, words) => sum + (words?.length ?? 0), 0);

/** A rule as the answer to a question shows it: all of it, or of a long one what the question is about. */
export function shownRule(rule: PolicyRule, wanted: Wanted): PolicyRule {
  if (wordsIn(rule) <= MOST_WORDS) return rule;
  const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const { verb, group, resource, subresource, name, path } = wanted;
  const about = new Set([combinedResource(wanted), resource, '*', `*/${subresource}`]);
  const some = (words: readonly string[], matters: (word: string) => boolean): string[] => {
    const kept = words.filter((word) => word === '*' || matters(word));
    // Where none is about the question, the first ones tell what the rule is about instead.
    return (kept.length > 0 ? kept : words).slice(0, MOST_WORDS / 5);
  };
  return {
    verbs: some(verbs ?? [], (word) => word === verb),
    apiGroups: some(apiGroups, (word) => word === group),
    resources: some(resources, (word) => about.has(word)),
    resourceNames: some(resourceNames, (word) => word === name),
    nonResourceURLs: some(nonResourceURLs, (word) => word.endsWith('*') || word === path),
  };
}

/** A grant as an answer shows it. */
export function shownGrant(mode: string, grant: Grant, wanted: Wanted, holder?: Grant['holder']): AccessGrant {
  const { binding, role, rules, condition } = grant;
  return {
    mode,
    ...(holder && { holder }),
    ...(binding && { binding }),
    ...(role && { role }),
    rules: rules.slice(0, MOST_RULES).map((rule) => shownRule(rule, wanted)),
    omittedRules: Math.max(0, rules.length - MOST_RULES),
    condition,
  };
}
