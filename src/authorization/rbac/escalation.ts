import type { PolicyRule } from '../../kinds/rbac/policy-rule.ts';
import type { UserInfo } from '../../user.ts';
import { uncovered } from './covers.ts';

/**
 * Why `user`, who holds the rules `held`, may not give the rules `granted` to anyone; undefined when that is all right.
 * Whether the user has the right to escalate or bind all the same is for the caller to ask first.
 */
export function escalation(
  user: UserInfo,
  held: readonly PolicyRule[],
  granted: readonly PolicyRule[],
): string | undefined {
  const missing = uncovered(held, granted);
  if (missing.length === 0) return undefined;
  const who = `user ${JSON.stringify(user.name)} (groups=${quotedList(user.groups)})`;
  const lines = [...new Set(joinVerbs(missing).map(describeRule))].sort();
  return `${who} is attempting to grant RBAC permissions not currently held:\n${lines.join('\n')}`;
}

/** Rules that differ in verbs only become one. */
function joinVerbs(rules: readonly PolicyRule[]): PolicyRule[] {
  const joined = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const { verbs, ...target } = rule;
    const key = JSON.stringify(target);
    const same = joined.get(key)?.verbs ?? [];
    joined.set(key, { ...rule, verbs: [...new Set([...same, ...(verbs ?? [])])] });
  }
  return [...joined.values()];
}

function describeRule({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string {
  const parts = Object.entries({
    APIGroups: apiGroups,
    Resources: resources,
    NonResourceURLs: nonResourceURLs,
    ResourceNames: resourceNames,
    Verbs: verbs,
  }).flatMap(([field, values]) => (values?.length ? `${field}:${quotedList(values)}` : []));
  return `{${parts.join(', ')}}`;
}

const quotedList = (values: readonly string[]): string => `[${values.map((it) => JSON.stringify(it)).join(' ')}]`;
