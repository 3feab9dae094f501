import type { UserInfo } from '../../api/user.ts';
import type { GroupResources, Policy, PolicyRule } from '../../kinds/audit/policy.ts';
import type { RequestInfo } from '../../request/request-info.ts';
import { LEVELS, type Level, STAGES, type Stage } from './levels.ts';

/** What is done about a request. */
export interface Treatment {
  readonly level: Level;
  readonly omitted: ReadonlySet<Stage>;
  readonly omitManagedFields: boolean;
}

/** Who sends a request, if that is known, and what it asks for. */
export interface Subject {
  readonly user: UserInfo | undefined;
  readonly info: RequestInfo;
}

/** The treatment of a request by the first rule that matches it. Without one it is not recorded. */
export type TreatmentOf = (subject: Subject) => Treatment;

/** A policy that is known to be valid, made ready. */
export function compilePolicy({ rules, omitStages, omitManagedFields }: Policy): TreatmentOf {
  const compiled = (rules ?? []).map((rule) => ({
    rule,
    treatment: {
      level: LEVELS.find((level) => level === rule.level) ?? 'None',
      omitted: stagesIn([...(omitStages ?? []), ...(rule.omitStages ?? [])]),
      omitManagedFields: rule.omitManagedFields ?? omitManagedFields ?? false,
    },
  }));
  return (subject) => compiled.find(({ rule }) => matches(rule, subject))?.treatment ?? NOT_RECORDED;
}

const NOT_RECORDED: Treatment = { level: 'None', omitted: new Set(), omitManagedFields: false };

const stagesIn = (names: readonly string[]): ReadonlySet<Stage> =>
  new Set(STAGES.filter((stage) => names.includes(stage)));

type Names = readonly string[] | null | undefined;

/** A rule that does not name anything of a sort means all of it. */
const names = (list: Names, name: string): boolean => !list?.length || list.includes(name);

function matches(rule: PolicyRule, { user, info }: Subject): boolean {
  if (rule.users?.length && !(user && rule.users.includes(user.name))) return false;
  if (rule.userGroups?.length && !user?.groups.some((group) => rule.userGroups?.includes(group))) return false;
  if (!names(rule.verbs, info.verb)) return false;
  if (rule.namespaces?.length || rule.resources?.length) return matchesResource(rule, info);
  if (!rule.nonResourceURLs?.length) return true;
  return !info.resourceRequest && rule.nonResourceURLs.some((pattern) => matchesPath(pattern, info.path));
}

function matchesPath(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}

/** What has no namespace is in the namespace ''. */
function matchesResource({ namespaces, resources }: PolicyRule, info: RequestInfo): boolean {
  if (!info.resourceRequest || !names(namespaces, info.namespace)) return false;
  return !resources?.length || resources.some((entry) => matchesEntry(entry, info));
}

function matchesEntry({ group = '', resources, resourceNames }: GroupResources, info: RequestInfo): boolean {
  if (group !== info.group) return false;
  if (!resources?.length) return true;
  return names(resourceNames, info.name) && resources.some((pattern) => matchesName(pattern, info));
}

/** `pods` does not mean its subresources: those are `pods/log`, or `pods/*` with pods themselves. `*` is any resource. */
function matchesName(pattern: string, { resource, subresource }: RequestInfo): boolean {
  if (pattern === '*') return true;
  const [wanted, below] = pattern.split('/', 2);
  if (below === undefined) return wanted === resource && subresource === '';
  if (below === '*') return wanted === resource;
  return below === subresource && (wanted === '*' || wanted === resource);
}
