/** A permission as roles and reviews have it. */
export interface Rule {
  readonly verbs: readonly string[] | null;
  readonly apiGroups?: readonly string[] | null;
  readonly resources?: readonly string[] | null;
  readonly resourceNames?: readonly string[] | null;
  readonly nonResourceURLs?: readonly string[] | null;
}

export interface PlainRule extends Rule {
  readonly verbs: readonly string[];
}

/**
 * The same permissions, one resource (and object, where one is named) or one path a rule, with all that may be done to it,
 * in the order in which people are used to read them.
 */
export function compactRules<T extends Rule>(rules: readonly T[]): T[] {
  const byResource = new Map<string, { rule: PlainRule; verbs: Set<string> }>();
  const paths: PlainRule[] = [];
  for (const one of rules.flatMap(singleRules)) {
    if ((one.nonResourceURLs ?? []).length > 0) {
      paths.push(one);
      continue;
    }
    const key = JSON.stringify([one.apiGroups, one.resources, one.resourceNames ?? []]);
    const known = byResource.get(key);
    if (known) for (const verb of one.verbs) known.verbs.add(verb);
    else byResource.set(key, { rule: one, verbs: new Set(one.verbs) });
  }
  const merged = [...byResource.values()].map(({ rule, verbs }) => ({ ...rule, verbs: [...verbs] }));
  return [...paths, ...merged].sort((a, b) => compare(sortingText(a), sortingText(b))) as unknown as T[];
}

/** A rule taken apart: one verb, and one resource, object or path each. */
export function singleRules({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: Rule): PlainRule[] {
  const names: readonly (readonly string[])[] =
    (resourceNames ?? []).length > 0 ? (resourceNames ?? []).map((name) => [name]) : [[]];
  const ofResources = (apiGroups ?? []).flatMap((group) =>
    (resources ?? []).flatMap((resource) =>
      (verbs ?? []).flatMap((verb) =>
        names.map((name) => ({
          verbs: [verb],
          apiGroups: [group],
          resources: [resource],
          ...(name.length > 0 ? { resourceNames: name } : {}),
        })),
      ),
    ),
  );
  const ofPaths = (nonResourceURLs ?? []).flatMap((path) =>
    (verbs ?? []).map((verb) => ({ verbs: [verb], nonResourceURLs: [path] })),
  );
  return [...ofResources, ...ofPaths];
}

const list = (items: readonly string[] | null | undefined): string => `[${(items ?? []).join(' ')}]`;

const sortingText = ({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: Rule): string =>
  [verbs, apiGroups, resources, resourceNames, nonResourceURLs].map(list).join(',');

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** `deployments.apps/scale`: the one resource of a compact rule. */
export function resourceText({ resources, apiGroups }: Rule): string {
  const [resource] = resources ?? [];
  if (resource === undefined) return '';
  const [plural, ...rest] = resource.split('/');
  const group = apiGroups?.[0] ? `.${apiGroups[0]}` : '';
  return `${plural}${group}${rest.length === 0 ? '' : `/${rest.join('/')}`}`;
}
