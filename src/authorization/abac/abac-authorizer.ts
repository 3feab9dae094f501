import type { UserInfo } from '../../api/user.ts';
import { ALLOW } from '../always.ts';
import type { Attributes, Authorizer, Decision, RuleSummary, Wanted } from '../attributes.ts';
import { type Grant, type GrantSteps, groupHolder, userHolder } from '../grants.ts';
import { withoutStars } from '../rbac/compiled-rule.ts';
import type { Policy } from './policy.ts';

const NO_MATCH: Decision = Object.freeze({ decision: 'abstain', reason: 'No policy matched.' });
const READ_VERBS = ['get', 'list', 'watch'];

/** Decides by policies that are read at the start: whatever one of them allows is allowed. */
export class AbacAuthorizer implements Authorizer {
  readonly mode = 'ABAC';
  readonly #byUser: ReadonlyMap<string, readonly Policy[]>;
  /** Those that name no user. */
  readonly #byGroup: ReadonlyMap<string, readonly Policy[]>;

  constructor(policies: readonly Policy[]) {
    this.#byUser = groupBy(policies, ({ user }) => user);
    this.#byGroup = groupBy(policies, ({ user, group }) => (user === '' ? group : ''));
  }

  authorize(wanted: Attributes): Decision {
    for (const policy of this.#policiesOf(wanted.user)) {
      if (allows(policy, wanted)) return ALLOW;
    }
    return NO_MATCH;
  }

  *grants(wanted: Wanted, user?: UserInfo): GrantSteps {
    const policies = user ? this.#policiesOf(user) : [...this.#byUser.values(), ...this.#byGroup.values()].flat();
    for (const policy of policies) yield allows(policy, wanted) ? grantOf(policy) : undefined;
  }

  rulesFor(user: UserInfo, namespace: string): RuleSummary {
    const held = [...this.#policiesOf(user)].filter((policy) => matches(policy.namespace, namespace));
    return {
      resourceRules: held.flatMap(({ readonly, apiGroup, resource }) =>
        resource === ''
          ? []
          : { verbs: verbsOf(readonly), apiGroups: [apiGroup], resources: [resource], resourceNames: [] },
      ),
      nonResourceRules: held.flatMap(({ readonly, nonResourcePath }) =>
        nonResourcePath === '' ? [] : { verbs: verbsOf(readonly), nonResourceURLs: [nonResourcePath] },
      ),
      incomplete: false,
      problem: '',
    };
  }

  *#policiesOf({ name, groups }: UserInfo): Generator<Policy> {
    for (const policy of this.#byUser.get(name) ?? []) {
      if (policy.group === '' || groups.includes(policy.group)) yield policy;
    }
    for (const group of new Set(groups)) yield* this.#byGroup.get(group) ?? [];
  }
}

function grantOf({ user, group, readonly, apiGroup, resource, nonResourcePath }: Policy): Grant {
  const verbs = verbsOf(readonly);
  const rules = [
    ...(resource === '' ? [] : [{ verbs, apiGroups: [apiGroup], resources: [resource] }]),
    ...(nonResourcePath === '' ? [] : [{ verbs, nonResourceURLs: [nonResourcePath] }]),
  ];
  if (user === '') return { holder: groupHolder(group), rules, condition: '' };
  const condition = group === '' ? '' : `the user is in the group ${JSON.stringify(group)}`;
  return { holder: userHolder(user), rules, condition };
}

/** Policies by a word of theirs; those without the word are left out. */
function groupBy(policies: readonly Policy[], wordOf: (policy: Policy) => string): Map<string, Policy[]> {
  const grouped = new Map<string, Policy[]>();
  for (const policy of policies) {
    const word = wordOf(policy);
    if (word === '') continue;
    const others = grouped.get(word);
    if (others) others.push(policy);
    else grouped.set(word, [policy]);
  }
  return grouped;
}

const verbsOf = (isReadonly: boolean): string[] => (isReadonly ? READ_VERBS : ['*']);

const matches = (pattern: string, word: string): boolean => pattern === '*' || pattern === word;

function allows(policy: Policy, { verb, resourceRequest, namespace, resource, group, path }: Wanted): boolean {
  if (policy.readonly && !READ_VERBS.includes(verb)) return false;
  if (!resourceRequest) return allowsPath(policy.nonResourcePath, path);
  return matches(policy.namespace, namespace) && matches(policy.resource, resource) && matches(policy.apiGroup, group);
}

/** A trailing `*` stands for any rest of the path. */
function allowsPath(pattern: string, path: string): boolean {
  if (pattern === '') return false;
  return pattern === path || (pattern.endsWith('*') && path.startsWith(withoutStars(pattern)));
}
