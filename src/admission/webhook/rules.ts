import type { RuleWithOperations } from '../../kinds/admissionregistration/rule.ts';

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
}

const SCOPES: Readonly<Record<string, (namespaced: boolean) => boolean>> = {
  Namespaced: (namespaced) => namespaced,
  Cluster: (namespaced) => !namespaced,
};

export function ruleMatches(rule: RuleWithOperations, subject: Subject): boolean {
  const { operation, group, version, plural, subresource, namespaced } = subject;
  return (
    names(rule.operations, operation) &&
    names(rule.apiGroups, group) &&
    names(rule.apiVersions, version) &&
    (rule.resources ?? []).some((pattern) => covers(pattern, plural, subresource)) &&
    (SCOPES[rule.scope ?? '*']?.(namespaced) ?? true)
  );
}

const names = (listed: readonly string[] | undefined, word: string): boolean =>
  listed?.some((one) => one === '*' || one === word) ?? false;

/** `pods` is no subresource of pods, and `*` none of anything; `pods/*` is all of them and the pods themselves. */
function covers(pattern: string, plural: string, subresource: string): boolean {
  const slash = pattern.indexOf('/');
  const resource = slash < 0 ? pattern : pattern.slice(0, slash);
  const below = slash < 0 ? '' : pattern.slice(slash + 1);
  return (resource === '*' || resource === plural) && (below === '*' || below === subresource);
}
