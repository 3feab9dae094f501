import type { UserInfo } from '../../api/user.ts';
import { combinedResource, type Wanted } from '../../authorization/attributes.ts';
import type { CompiledRule } from '../../authorization/rbac/compiled-rule.ts';
import type { RbacIndex } from '../../authorization/rbac/rbac-index.ts';
import type { Share } from '../../authorization/rbac/scope.ts';
import type { Steps } from '../../runtime/pacing.ts';

export type Lack = 'Verb' | 'APIGroup' | 'Resource' | 'Subresource' | 'Name' | 'Namespace' | 'Path';

/** A rule that a user holds and that does not allow what is wanted. */
export interface NearRule {
  readonly share: Share;
  readonly rule: CompiledRule;
  readonly lacks: readonly Lack[];
}

/** How far each lack puts a rule away: a name is easily added, a rule about another resource means something else. */
const DISTANCE: Readonly<Record<Lack, number>> = {
  Name: 1,
  Verb: 2,
  Namespace: 2,
  Subresource: 3,
  APIGroup: 4,
  Resource: 6,
  Path: 6,
};
/** Rules further away say nothing about the question. */
const FARTHEST = 6;
const MOST_RULES = 8;

/** The rules a user holds, in any namespace, that almost allow what is wanted; the nearest first. */
export function* nearestRules(rbac: RbacIndex, user: UserInfo, wanted: Wanted): Steps<readonly NearRule[]> {
  const nearest: { readonly near: NearRule; readonly distance: number }[] = [];
  for (const share of rbac.sharesAnywhere(user)) {
    yield undefined;
    for (const near of share ? nearRulesOf(share, wanted) : []) {
      const distance = near.lacks.reduce((sum, lack) => sum + DISTANCE[lack], 0);
      if (distance > FARTHEST || near.lacks.length === 0) continue;
      const at = nearest.findLastIndex((other) => other.distance <= distance) + 1;
      if (at < MOST_RULES) nearest.splice(at, nearest.length < MOST_RULES ? 0 : 1, { near, distance });
    }
  }
  return nearest.map(({ near }) => near);
}

function* nearRulesOf(share: Share, wanted: Wanted): Generator<NearRule> {
  const resource = combinedResource(wanted);
  const where: readonly Lack[] = isWhere(share, wanted) ? [] : ['Namespace'];
  for (const rule of share.slot.role?.rules ?? []) {
    const lacks = wanted.resourceRequest ? lacksOf(rule, wanted, resource) : pathLacksOf(rule, wanted);
    if (lacks) yield { share, rule, lacks: [...lacks, ...where] };
  }
}

const isWhere = ({ of: { namespace } }: Share, wanted: Wanted): boolean =>
  namespace === '' || (wanted.resourceRequest && namespace === wanted.namespace);

/** Undefined of a rule that is about no resource. */
function lacksOf(rule: CompiledRule, wanted: Wanted, resource: string): Lack[] | undefined {
  if (!rule.source.resources?.length) return undefined;
  const { verb, group, subresource, name } = wanted;
  const lacks: Lack[] = [];
  if (!rule.allowsVerb(verb)) lacks.push('Verb');
  if (!rule.coversGroup(group)) lacks.push('APIGroup');
  if (!rule.coversWord(resource, subresource)) {
    lacks.push(subresource !== '' && rule.coversWord(wanted.resource, '') ? 'Subresource' : 'Resource');
  }
  if (!rule.coversName(name)) lacks.push('Name');
  return lacks;
}

/** Undefined of a rule that is about no path. */
function pathLacksOf(rule: CompiledRule, { verb, path }: Wanted): Lack[] | undefined {
  if (!rule.source.nonResourceURLs?.length) return undefined;
  return [...(rule.allowsVerb(verb) ? [] : ['Verb' as const]), ...(rule.coversPath(path) ? [] : ['Path' as const])];
}
