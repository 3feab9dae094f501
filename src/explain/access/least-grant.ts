import type { UserInfo } from '../../api/user.ts';
import { combinedResource, type Wanted } from '../../authorization/attributes.ts';
import { type GrantHolder, groupHolder, userHolder } from '../../authorization/grants.ts';
import type { RbacIndex } from '../../authorization/rbac/rbac-index.ts';
import type { LeastGrant } from '../../kinds/explain/access-story.ts';
import type { PolicyRule } from '../../kinds/rbac/policy-rule.ts';
import { sameJson } from '../../schema/same-json.ts';

const LONGEST_NAME = 200;
const MOST_NUMBER = 100;

/** A role that allows what is wanted and nothing else, and a binding of it. `group`: that of roles. */
export function leastGrant(rbac: RbacIndex, group: string, user: UserInfo, wanted: Wanted): LeastGrant {
  const namespace = wanted.resourceRequest ? wanted.namespace : '';
  const rule = exactRule(wanted);
  const holder = user.name === '' ? groupHolder(user.groups[0] ?? '') : userHolder(user.name);
  const name = freeName(rbac, namespace, nameFor(holder, wanted), rule);
  const prefix = namespace === '' ? 'Cluster' : '';
  const apiVersion = `${group}/v1`;
  const metadata = namespace === '' ? { name } : { name, namespace };
  return {
    role: { apiVersion, kind: `${prefix}Role`, metadata, rules: [rule] },
    binding: {
      apiVersion,
      kind: `${prefix}RoleBinding`,
      metadata,
      subjects: [subjectOf(holder, group)],
      roleRef: { apiGroup: group, kind: `${prefix}Role`, name },
    },
  };
}

function exactRule(wanted: Wanted): PolicyRule {
  const { verb, path, group, subresource, name } = wanted;
  if (!wanted.resourceRequest) return { verbs: [verb], nonResourceURLs: [path] };
  // What is created has no name yet where a request is judged: a rule with a name would allow nothing.
  const isNamed = name !== '' && !(verb === 'create' && subresource === '');
  return {
    verbs: [verb],
    apiGroups: [group],
    resources: [combinedResource(wanted)],
    ...(isNamed ? { resourceNames: [name] } : {}),
  };
}

const subjectOf = ({ kind, namespace, name }: GrantHolder, group: string): object =>
  kind === 'ServiceAccount' ? { kind, namespace, name } : { kind, apiGroup: group, name };

/** Readable, of what names are made of, and the same for the same question. */
function nameFor(holder: GrantHolder, { resourceRequest, verb, resource, subresource, name, path }: Wanted): string {
  const parts = [holder.name, verb, ...(resourceRequest ? [resource, subresource, name] : [path])];
  const words = parts
    .join('-')
    .toLowerCase()
    .slice(0, 2 * LONGEST_NAME)
    .match(/[a-z0-9]+/g) ?? ['grant'];
  return words.join('-').slice(0, LONGEST_NAME);
}

/** A name that no other role has: creating it changes nothing for others. */
function freeName(rbac: RbacIndex, namespace: string, name: string, rule: PolicyRule): string {
  for (let number = 1; number < MOST_NUMBER; number++) {
    const numbered = number === 1 ? name : `${name}-${number}`;
    const rules = rbac.roleRules(namespace, numbered);
    if (rules === undefined || sameJson(rules, [rule])) return numbered;
  }
  return `${name}-${MOST_NUMBER}`;
}
