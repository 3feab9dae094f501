import type { PolicyRule } from '../../kinds/rbac/policy-rule.ts';
import { atOnce, type Steps } from '../../runtime/pacing.ts';
import { groupByResource } from './compiled-role.ts';
import { CompiledRule } from './compiled-rule.ts';

/**
 * How many questions are asked to find what is missing: of a rule whether it is about a resource, of a verb whether it is
 * allowed. Far above what any real role needs; a request made to keep the server busy runs into it.
 */
const MOST_QUESTIONS = 500_000;

/** Whether every right that `requested` gives is among the rights that `held` gives. */
export const covers = (held: readonly PolicyRule[], requested: readonly PolicyRule[]): boolean =>
  uncovered(held, requested).length === 0;

/**
 * The rights in `requested` that are missing from `held`: a rule for each combination of one group, one resource and at
 * most one name (or for one path) with the verbs it lacks. Several rules together may cover a requested one. What goes
 * beyond the limit of questions counts as missing, in one piece.
 */
export const uncovered = (held: readonly PolicyRule[], requested: readonly PolicyRule[]): PolicyRule[] =>
  atOnce(findUncovered(held, requested));

/** As `uncovered`, in steps. */
export function* findUncovered(held: readonly PolicyRule[], requested: readonly PolicyRule[]): Steps<PolicyRule[]> {
  const holdings = new Holdings(held);
  const missing: PolicyRule[] = [];
  for (const rule of requested) {
    for (const part of (yield* holdings.missing(rule)) ?? [rule]) missing.push(part);
  }
  return missing;
}

/** So many questions are asked between two rests. */
const STEP_QUESTIONS = 1_000;

class Holdings {
  readonly #byResource: ReadonlyMap<string, readonly CompiledRule[]>;
  readonly #aboutPaths: readonly CompiledRule[];
  /** Each is compared with a path that is asked for. */
  readonly #pathCount: number;
  #questionsLeft = MOST_QUESTIONS;
  /** With so many left there is a rest. */
  #rest = MOST_QUESTIONS - STEP_QUESTIONS;

  constructor(held: readonly PolicyRule[]) {
    const rules = held.map((rule) => new CompiledRule(rule));
    this.#byResource = groupByResource(rules);
    this.#aboutPaths = rules.filter(({ source }) => source.nonResourceURLs?.length);
    this.#pathCount = this.#aboutPaths.reduce((sum, { source }) => sum + (source.nonResourceURLs?.length ?? 0), 0);
  }

  /** Undefined when it takes too many questions to find out. */
  *missing(rule: PolicyRule): Steps<PolicyRule[] | undefined> {
    const missing: PolicyRule[] = [];
    for (const target of targetsOf(rule)) {
      const verbs = this.#missingVerbs(this.#rulesAbout(target), target, rule.verbs ?? []);
      if (verbs === undefined) return undefined;
      if (verbs.length > 0) missing.push({ verbs, ...target.rule });
      if (this.#questionsLeft > this.#rest) continue;
      this.#rest = this.#questionsLeft - STEP_QUESTIONS;
      yield;
    }
    return missing;
  }

  #rulesAbout({ resource, subresource }: Target): readonly (readonly CompiledRule[])[] {
    if (resource === undefined) return [this.#aboutPaths];
    const words = new Set([resource, '*', ...(subresource === '' ? [] : [`*/${subresource}`])]);
    return [...words].map((word) => this.#byResource.get(word) ?? []);
  }

  #missingVerbs(
    candidates: readonly (readonly CompiledRule[])[],
    target: Target,
    verbs: readonly string[],
  ): string[] | undefined {
    const count = candidates.reduce((sum, rules) => sum + rules.length, 1);
    if (!this.#mayAsk(target.resource === undefined ? count + this.#pathCount : count)) return undefined;
    const covering = candidates.flatMap((rules) => rules.filter((rule) => target.isCoveredBy(rule)));
    if (!this.#mayAsk(verbs.length * Math.max(1, covering.length))) return undefined;
    return verbs.filter((verb) => !covering.some((rule) => rule.allowsVerb(verb)));
  }

  #mayAsk(questions: number): boolean {
    this.#questionsLeft -= questions;
    return this.#questionsLeft >= 0;
  }
}

/** One resource of one group, under one name or all, or one path. */
interface Target {
  /** Undefined for a path. */
  readonly resource: string | undefined;
  readonly subresource: string;
  readonly rule: Omit<PolicyRule, 'verbs'>;
  isCoveredBy(rule: CompiledRule): boolean;
}

function* targetsOf({ apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): Generator<Target> {
  const names = resourceNames?.length ? resourceNames : [undefined];
  for (const group of apiGroups ?? []) {
    for (const resource of resources ?? []) {
      const subresource = subresourceOf(resource);
      for (const name of names) {
        yield {
          resource,
          subresource,
          rule: { apiGroups: [group], resources: [resource], ...(name === undefined ? {} : { resourceNames: [name] }) },
          isCoveredBy: (rule) => rule.coversResource(group, resource, subresource, name),
        };
      }
    }
  }
  for (const path of nonResourceURLs ?? []) {
    yield {
      resource: undefined,
      subresource: '',
      rule: { nonResourceURLs: [path] },
      isCoveredBy: (rule) => rule.coversPath(path),
    };
  }
}

function subresourceOf(resource: string): string {
  const slash = resource.indexOf('/');
  return slash < 0 ? '' : resource.slice(slash + 1);
}
