import { list, repeated } from '../../../../settings/flag.ts';
import { CommandError } from '../../frame/failure.ts';
import type { ServedResources } from '../../resources/served-resources.ts';
import { generator, type MadeObject } from './generating.ts';
import { labelPairs } from './label-pairs.ts';

const RULE_FLAGS = {
  verb: list('verb', 'VERBS', [], 'what may be done'),
  resource: list('resource', 'RESOURCES', [], 'to what, such as pods,deployments.apps,pods/log'),
  resourceName: repeated('resource-name', 'NAME', 'to the object of this name alone'),
};

interface RuleFlags {
  readonly verb: readonly string[];
  readonly resource: readonly string[];
  readonly resourceName: readonly string[];
}

interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
}

function demandVerbs(verbs: readonly string[]): readonly string[] {
  if (verbs.length === 0) throw new CommandError('at least one verb must be specified');
  return verbs.includes('*') ? ['*'] : [...new Set(verbs)];
}

/** One rule for each group, with the resources in the order in which they are named. */
function rulesOf({ verb, resource, resourceName }: RuleFlags, served: ServedResources): Rule[] {
  const verbs = demandVerbs(verb);
  if (resource.length === 0) throw new CommandError('at least one resource must be specified');
  const byGroup = new Map<string, string[]>();
  for (const text of new Set(resource)) {
    const { group, name } = resourceIn(text, served);
    const known = byGroup.get(group) ?? [];
    if (!known.includes(name)) byGroup.set(group, [...known, name]);
  }
  return [...byGroup].map(([group, resources]) => ({
    verbs,
    apiGroups: [group],
    resources,
    ...(resourceName.length > 0 ? { resourceNames: resourceName } : {}),
  }));
}

function resourceIn(text: string, served: ServedResources): { readonly group: string; readonly name: string } {
  const [type = '', subresource] = text.split('/');
  if (text.split('/').length > 2) throw new CommandError(`invalid resource ${text}`);
  const below = subresource === undefined ? '' : `/${subresource}`;
  if (type === '*') return { group: '', name: `*${below}` };
  const { group, plural } = served.named(type);
  return { group, name: `${plural}${below}` };
}

export const createRole = generator({
  usage: 'create role NAME --verb=VERB --resource=RESOURCE',
  about: 'Creates a role with rules for resources of a namespace.',
  flags: RULE_FLAGS,
  async make({ flags, meta, session }) {
    const { rbac } = (await session.vocabulary()).groups;
    demandVerbs(flags.verb);
    const rules = rulesOf(flags, await session.resources());
    return { kind: 'Role', apiVersion: `${rbac}/v1`, metadata: meta(), rules };
  },
});

export const createClusterRole = generator({
  usage: 'create clusterrole NAME --verb=VERB --resource=RESOURCE',
  about: 'Creates a role for the whole plane: rules for resources or addresses, or a sum of other roles.',
  flags: {
    ...RULE_FLAGS,
    nonResourceUrl: list('non-resource-url', 'PATHS', [], 'paths that are no resources'),
    aggregationRule: list('aggregation-rule', 'LABELS', [], 'labels of the roles that this one is the sum of'),
  },
  clusterWide: true,
  async make({ flags, meta, session }): Promise<MadeObject> {
    const { rbac } = (await session.vocabulary()).groups;
    const role = { kind: 'ClusterRole', apiVersion: `${rbac}/v1`, metadata: meta() };
    const { aggregationRule, nonResourceUrl, resource } = flags;
    if (aggregationRule.length > 0) {
      if (flags.verb.length + resource.length + nonResourceUrl.length + flags.resourceName.length > 0) {
        throw new CommandError(
          'aggregation rule must be specified without nonResourceURLs, resources or resourceNames',
        );
      }
      const matchLabels = labelPairs(aggregationRule.join(','));
      return { ...role, rules: null, aggregationRule: { clusterRoleSelectors: [{ matchLabels }] } } as MadeObject;
    }
    const verbs = demandVerbs(flags.verb);
    if (resource.length === 0 && nonResourceUrl.length === 0) {
      throw new CommandError('one of resource or nonResourceURL must be specified');
    }
    const rules = resource.length > 0 ? rulesOf(flags, await session.resources()) : [];
    const paths = nonResourceUrl.length > 0 ? [{ verbs, nonResourceURLs: nonResourceUrl }] : [];
    return { ...role, rules: [...rules, ...paths] } as MadeObject;
  },
});
