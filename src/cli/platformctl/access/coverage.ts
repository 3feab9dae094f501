import type { Rule } from './rules.ts';
import { singleRules } from './rules.ts';

/** Permissions of `wanted` that `given` does not include, one verb and one resource or path each. */
export const uncovered = (given: readonly Rule[], wanted: readonly Rule[]): Rule[] =>
  wanted.flatMap(singleRules).filter((one) => !given.some((rule) => includes(rule, one)));

/** Whether a rule allows what another, of one verb and one resource or path, does. */
function includes(rule: Rule, one: Rule): boolean {
  const [verb = ''] = one.verbs ?? [];
  if (!has(rule.verbs, verb)) return false;
  const [path] = one.nonResourceURLs ?? [];
  if (path !== undefined) return (rule.nonResourceURLs ?? []).some((pattern) => coversPath(pattern, path));
  const [group = ''] = one.apiGroups ?? [];
  const [resource = ''] = one.resources ?? [];
  const names = rule.resourceNames ?? [];
  const [name] = one.resourceNames ?? [];
  const coversName = names.length === 0 || (name !== undefined && names.includes(name));
  return has(rule.apiGroups, group) && coversResource(rule.resources ?? [], resource) && coversName;
}

const has = (values: readonly string[] | null | undefined, wanted: string): boolean =>
  (values ?? []).some((value) => value === '*' || value === wanted);

/** One that begins with a star stands for what is below any resource. */
function coversResource(patterns: readonly string[], resource: string): boolean {
  if (has(patterns, resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && patterns.includes(`*${resource.slice(slash)}`);
}

const coversPath = (pattern: string, path: string): boolean =>
  pattern === path || (pattern.endsWith('*') && path.startsWith(pattern.slice(0, -1)));
