import type { PolicyRule } from '../../kinds/rbac/policy-rule.ts';
import type { Wanted } from '../attributes.ts';
import { CompiledRule } from './compiled-rule.ts';

type RulesByWord = ReadonlyMap<string, readonly CompiledRule[]>;

/** The rules of a role, found by what they are about, so that the size of a role does not matter to a decision. */
export class CompiledRole {
  readonly rules: readonly CompiledRule[];
  readonly #byResource: RulesByWord;
  readonly #aboutPaths: readonly CompiledRule[];

  constructor(rules: readonly PolicyRule[]) {
    this.rules = rules.map((rule) => new CompiledRule(rule));
    this.#byResource = groupByResource(this.rules);
    this.#aboutPaths = this.rules.filter(({ source }) => source.nonResourceURLs?.length);
  }

  /** `resource` is the combined resource of the attributes, which the caller has put together once. */
  allows(attributes: Wanted, resource: string): boolean {
    if (!attributes.resourceRequest) return this.#allowsPath(attributes);
    return (
      anyAllows(this.#byResource.get(resource), attributes, resource) ||
      anyAllows(this.#byResource.get('*'), attributes, resource) ||
      (attributes.subresource !== '' &&
        anyAllows(this.#byResource.get(`*/${attributes.subresource}`), attributes, resource))
    );
  }

  /** The rules that allow it, each by itself. */
  allowing(wanted: Wanted, resource: string): readonly CompiledRule[] {
    const { verb, path, subresource } = wanted;
    if (!wanted.resourceRequest) {
      return this.#aboutPaths.filter((rule) => rule.allowsVerb(verb) && rule.coversPath(path));
    }
    const words = new Set([resource, '*', ...(subresource === '' ? [] : [`*/${subresource}`])]);
    const candidates = new Set([...words].flatMap((word) => this.#byResource.get(word) ?? []));
    return [...candidates].filter((rule) => allows(rule, wanted, resource));
  }

  #allowsPath({ verb, path }: Wanted): boolean {
    return this.#aboutPaths.some((rule) => rule.allowsVerb(verb) && rule.coversPath(path));
  }
}

/** By each word of `resources` as it is written: `pods`, `pods/log`, `*`. */
export function groupByResource(rules: readonly CompiledRule[]): RulesByWord {
  const grouped = new Map<string, CompiledRule[]>();
  for (const rule of rules) {
    for (const resource of rule.source.resources ?? []) {
      const others = grouped.get(resource);
      if (others) others.push(rule);
      else grouped.set(resource, [rule]);
    }
  }
  return grouped;
}

function anyAllows(rules: readonly CompiledRule[] | undefined, wanted: Wanted, resource: string): boolean {
  if (!rules) return false;
  for (const rule of rules) {
    if (allows(rule, wanted, resource)) return true;
  }
  return false;
}

const allows = (rule: CompiledRule, { verb, group, subresource, name }: Wanted, resource: string): boolean =>
  rule.allowsVerb(verb) && rule.coversResource(group, resource, subresource, name);
