import type { NamedRuleWithOperations } from '../../kinds/admissionregistration/policy/match-resources.ts';

/** What a request is about, as rules see it. */
export interface Subject {
  readonly operation: string;
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  /** '' for the resource itself. */
  readonly subresource: string;
  /** Of the resource: subresources have the scope of their parent. */
  readonly namespaced: boolean;
  /** '' where the object has none yet. */
  readonly name: string;
}

const SCOPES: Readonly<Record<string, (namespaced: boolean) => boolean>> = {
  Namespaced: (namespaced) => namespaced,
  Cluster: (namespaced) => !namespaced,
};

export function ruleMatches(rule: NamedRuleWithOperations, subject: Subject): boolean {
  const { operation, group, version, plural, subresource, namespaced, name } = subject;
  return (
    names(rule.operations, operation) &&
    names(rule.apiGroups, group) &&
    names(rule.apiVersions, version) &&
    (rule.resources ?? []).some((pattern) => covers(pattern, plural, subresource)) &&
    (SCOPES[rule.scope ?? '*']?.(namespaced) ?? true) &&
    (!rule.resourceNames?.length || rule.resourceNames.includes(name))
  );
}

/** Whether some request for a resource, or for a subresource of it, can match. */
export function mayMatch(rule: NamedRuleWithOperations, group: string, plural: string): boolean {
  return names(rule.apiGroups, group) && (rule.resources ?? []).some((pattern) => coversResource(pattern, plural));
}

const names = (listed: readonly string[] | undefined, word: string): boolean =>
  listed?.some((one) => one === '*' || one === word) ?? false;

/** `pods` is no subresource of pods, and `*` none of anything; `pods/*` is all of them and the pods themselves. */
function covers(pattern: string, plural: string, subresource: string): boolean {
  const slash = pattern.indexOf('/');
  const below = slash < 0 ? '' : pattern.slice(slash + 1);
  return coversResource(pattern, plural) && (below === '*' || below === subresource);
}

function coversResource(pattern: string, plural: string): boolean {
  const slash = pattern.indexOf('/');
  const resource = slash < 0 ? pattern : pattern.slice(0, slash);
  return resource === '*' || resource === plural;
}
