import type { UserInfo } from '../../api/user.ts';
import type { PolicyRule } from '../../kinds/rbac/policy-rule.ts';
import type { Steps } from '../../runtime/pacing.ts';
import { findUncovered } from './covers.ts';

/** A text that lists more is read by nobody. */
const MOST_LISTED = 50;
/** Of more missing rules than this, the first are put in order. */
const MOST_SORTED = 1_000;

/**
 * Why `user`, who holds the rules `held`, may not give the rules `granted` to anyone, found in steps; undefined when that is
 * all right.
 * Whether the user has the right to escalate or bind all the same is for the caller to ask first.
 */
export function* escalation(
  user: UserInfo,
  held: readonly PolicyRule[],
  granted: readonly PolicyRule[],
): Steps<string | undefined> {
  const missing = yield* findUncovered(held, granted);
  if (missing.length === 0) return undefined;
  const who = `user ${JSON.stringify(user.name)} (groups=${quotedList(user.groups)})`;
  const lines = [...new Set(joinVerbs(missing.slice(0, MOST_SORTED)).map(describeRule))].sort();
  const more = Math.max(0, lines.length - MOST_LISTED) + Math.max(0, missing.length - MOST_SORTED);
  const listed = [...lines.slice(0, MOST_LISTED), ...(more > 0 ? [`and ${more} more`] : [])];
  return `${who} is attempting to grant RBAC permissions not currently held:\n${listed.join('\n')}`;
}

/** Rules that differ in verbs only become one. */
function joinVerbs(rules: readonly PolicyRule[]): PolicyRule[] {
  const joined = new Map<string, { rule: PolicyRule; verbs: Set<string> }>();
  for (const rule of rules) {
    const { verbs, ...target } = rule;
    const key = JSON.stringify(target);
    const same = joined.get(key) ?? { rule, verbs: new Set() };
    for (const verb of verbs ?? []) same.verbs.add(verb);
    joined.set(key, same);
  }
  return [...joined.values()].map(({ rule, verbs }) => ({ ...rule, verbs: [...verbs] }));
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
