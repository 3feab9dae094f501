import type {
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
} from '../kinds/flowcontrol/v1beta2/flow-schema.ts';
import type { RequestInfo } from '../request/request-info.ts';

const ALL = '*';

/** The words a rule lists; undefined when it takes any. */
type Words = ReadonlySet<string> | undefined;

const wordsOf = (list: readonly string[] | null | undefined): Words =>
  list?.includes(ALL) ? undefined : new Set(list ?? []);

const accepts = (words: Words, word: string): boolean => words === undefined || words.has(word);

interface ResourceRule {
  readonly verbs: Words;
  readonly groups: Words;
  readonly resources: Words;
  readonly namespaces: Words;
  /** Also requests that are about no namespace. */
  readonly clusterScope: boolean;
}

interface PathRule {
  readonly verbs: Words;
  readonly paths: readonly string[];
}

/** The requests that one set of rules of a flow schema is about, whoever sends them. */
export class RequestRules {
  readonly #resources: readonly ResourceRule[];
  readonly #paths: readonly PathRule[];

  constructor({ resourceRules = [], nonResourceRules = [] }: PolicyRulesWithSubjects) {
    this.#resources = resourceRules.map(resourceRule);
    this.#paths = nonResourceRules.map(pathRule);
  }

  cover(info: RequestInfo): boolean {
    if (info.resourceRequest) {
      for (const rule of this.#resources) if (coversResource(rule, info)) return true;
    } else {
      for (const rule of this.#paths) if (coversPath(rule, info)) return true;
    }
    return false;
  }
}

const resourceRule = (rule: ResourcePolicyRule): ResourceRule => ({
  verbs: wordsOf(rule.verbs),
  groups: wordsOf(rule.apiGroups),
  resources: wordsOf(rule.resources),
  namespaces: wordsOf(rule.namespaces),
  clusterScope: rule.clusterScope ?? false,
});

const pathRule = ({ verbs, nonResourceURLs }: NonResourcePolicyRule): PathRule => ({
  verbs: wordsOf(verbs),
  paths: nonResourceURLs ?? [],
});

const coversResource = (rule: ResourceRule, info: RequestInfo): boolean =>
  accepts(rule.verbs, info.verb) &&
  accepts(rule.groups, info.group) &&
  (rule.resources === undefined || rule.resources.has(resourceNameOf(info))) &&
  (info.namespace === '' ? rule.clusterScope : accepts(rule.namespaces, info.namespace));

const resourceNameOf = ({ resource, subresource }: RequestInfo): string =>
  subresource === '' ? resource : `${resource}/${subresource}`;

function coversPath({ verbs, paths }: PathRule, { verb, path }: RequestInfo): boolean {
  if (!accepts(verbs, verb)) return false;
  for (const listed of paths) if (listed === ALL || listed === path || isBelow(path, listed)) return true;
  return false;
}

/** A path stands for what is below it, with a star at its end or without. */
function isBelow(path: string, listed: string): boolean {
  const parent = listed.endsWith(ALL) ? listed.slice(0, -1) : listed;
  return path.startsWith(parent.endsWith('/') ? parent : `${parent}/`);
}
