import type { PolicyRule } from '../../kinds/rbac/policy-rule.ts';

/** The words a rule lists in one of its fields; `*` among them stands for all words. */
class Words {
  readonly #all: boolean;
  readonly #listed: ReadonlySet<string>;

  constructor(words: readonly string[]) {
    this.#listed = new Set(words);
    this.#all = this.#listed.has('*');
  }

  has(word: string): boolean {
    return this.#all || this.#listed.has(word);
  }
}

/** What stands before the stars at the end. */
export function withoutStars(pattern: string): string {
  let end = pattern.length;
  while (end > 0 && pattern[end - 1] === '*') end--;
  return pattern.slice(0, end);
}

/** A rule made ready for many questions. */
export class CompiledRule {
  readonly source: PolicyRule;
  readonly #verbs: Words;
  readonly #groups: Words;
  readonly #resources: Words;
  /** What is listed as a subresource of `*`, that is, of any resource. */
  readonly #subresources: ReadonlySet<string>;
  /** Undefined: every name, and no name at all. */
  readonly #names: ReadonlySet<string> | undefined;
  readonly #paths: Words;
  readonly #pathPrefixes: readonly string[];

  constructor(rule: PolicyRule) {
    const { resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
    this.source = rule;
    this.#verbs = new Words(rule.verbs ?? []);
    this.#groups = new Words(rule.apiGroups ?? []);
    this.#resources = new Words(resources);
    this.#subresources = new Set(resources.filter((it) => it.startsWith('*/')).map((it) => it.slice('*/'.length)));
    this.#names = resourceNames.length === 0 ? undefined : new Set(resourceNames);
    this.#paths = new Words(nonResourceURLs);
    this.#pathPrefixes = nonResourceURLs.filter((it) => it.endsWith('*')).map(withoutStars);
  }

  allowsVerb(verb: string): boolean {
    return this.#verbs.has(verb);
  }

  /**
   * `resource` is the combined name, `subresource` its part after the slash or ''. `name` is '' in a request that names
   * no object, which a rule about names never matches unless it lists ''; undefined means "whatever the name".
   */
  coversResource(group: string, resource: string, subresource: string, name: string | undefined): boolean {
    return this.coversGroup(group) && this.coversWord(resource, subresource) && this.coversName(name);
  }

  coversGroup(group: string): boolean {
    return this.#groups.has(group);
  }

  /** The resource alone, whatever its group. */
  coversWord(resource: string, subresource: string): boolean {
    return this.#resources.has(resource) || (subresource !== '' && this.#subresources.has(subresource));
  }

  coversName(name: string | undefined): boolean {
    return this.#names === undefined || (name !== undefined && this.#names.has(name));
  }

  /** A trailing `*` in a rule stands for any rest of the path. */
  coversPath(path: string): boolean {
    return this.#paths.has(path) || this.#pathPrefixes.some((prefix) => path.startsWith(prefix));
  }
}
