import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtInTypes, groupOrder } from '../src/kinds/built-in.ts';
import { dns1035Label, dns1123Label, dns1123Subdomain, pathSegment } from '../src/meta/formats.ts';
import { isSelectable } from '../src/registry/facets.ts';
import { apiVersionOf } from '../src/registry/incoming.ts';
import type { Column, ResourceType } from '../src/registry/resource-type.ts';
import { servedWith } from '../src/registry/runtime-config.ts';
import { hubOf } from '../src/registry/versions.ts';
import { vocabularies } from '../src/vocabulary/vocabulary.ts';

/** Holds the registered resource types against the published facts of the interface. */

const REFERENCE = join(import.meta.dirname, '../../shared/reference');
const isThere = existsSync(REFERENCE);
const facts = (file: string) => (isThere ? JSON.parse(readFileSync(join(REFERENCE, file), 'utf8')) : {});

interface Subresource {
  readonly name: string;
  readonly kind: string;
  readonly verbs: readonly string[];
  readonly group?: string;
  readonly version?: string;
}

interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

interface Resource extends Subresource {
  readonly deprecated?: {
    readonly active: boolean;
    readonly deprecatedIn: string;
    readonly removedIn?: string;
    readonly replacement?: GroupVersionKind;
  };
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly Subresource[];
}

interface Group {
  readonly name: string;
  readonly groupPriorityMinimum: number | null;
  readonly versions: readonly {
    readonly version: string;
    readonly versionPriority: number | null;
    readonly resources: readonly Resource[];
  }[];
}

/** A resource that is served only when asked for, if it can be at all. */
interface SwitchableResource extends GroupVersionKind {
  readonly resource: string;
  readonly namespaced: boolean;
  readonly subresources: readonly string[];
  readonly servableWithRuntimeConfig: boolean;
}

interface ColumnFacts {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly priority: number;
}

interface StrategyFacts {
  readonly createOnUpdate: boolean;
  readonly unconditionalUpdate: boolean;
  readonly generation: boolean;
  readonly deleteReturnsObject: boolean;
  readonly defaultPropagation: string;
  readonly resetFields?: Readonly<Record<string, readonly string[]>>;
}

interface SelectorFacts {
  readonly labels: readonly string[];
  readonly alias?: Readonly<Record<string, string>>;
}

/** Where the stored value does not stay although ownership of the field is not recorded. */
const NOT_RESET: Readonly<Record<string, readonly string[]>> = {
  // A signer notes its failure there.
  'CertificateSigningRequest/status': ['status.conditions'],
};

const groups: readonly Group[] = facts('resources.json').groups ?? [];
const switchable: readonly SwitchableResource[] = (facts('resources.json').disabledByDefault ?? []).filter(
  ({ servableWithRuntimeConfig }: SwitchableResource) => servableWithRuntimeConfig,
);
const tables = facts('tables.json');
const selectors: Readonly<Record<string, SelectorFacts>> = facts('fieldselectors.json').resources ?? {};
const validation = facts('validation.json');
const strategies: Readonly<Record<string, StrategyFacts>> = validation.strategies ?? {};

const v = vocabularies.platform;
const all = builtInTypes(v);
const isServed = servedWith([], all);
// The reference has no group that explains.
const types = all.filter((type) => isServed(type) && type.group !== v.groups.explain);
const pathOf = ({ group, version, plural }: Pick<ResourceType, 'group' | 'version' | 'plural'>): string =>
  [group, version, plural].filter(Boolean).join('/');
const byPath = new Map(types.map((type) => [pathOf(type), type]));

const expected = groups.flatMap(({ name: group, versions }) =>
  versions.flatMap(({ version, resources }) =>
    resources.map((resource) => ({ path: pathOf({ group, version, plural: resource.name }), resource })),
  ),
);
/** Those that are kept; others are posted, or made when asked for. */
const stored = expected.filter(({ resource }) => resource.verbs.includes('watch'));
const read = expected.filter(({ resource }) => resource.verbs.includes('list'));

function typeAt(path: string): ResourceType {
  const type = byPath.get(path);
  if (!type) throw new Error(`no resource type at ${path}`);
  return type;
}

describe.skipIf(!isThere)('resource types, against the reference (skipped where there is none)', () => {
  it('are all there, in the order of the groups', () => {
    expect(types.map(pathOf)).toEqual(expected.map(({ path }) => path));
  });

  it('are more than what is served, where a version may vanish again', () => {
    const off = switchable.map(({ group, version, resource, kind, namespaced, subresources }) => ({
      ...{ path: pathOf({ group, version, plural: resource }), kind, namespaced, subresources },
    }));
    const unserved = all.filter((type) => !isServed(type));
    expect(
      unserved.map((type) => ({
        ...{ path: pathOf(type), kind: type.kind, namespaced: type.namespaced },
        subresources: Object.keys(type.subresources),
      })),
    ).toEqual(expect.arrayContaining(off));
    // What newer clients ask for is all that there is beside.
    const more = unserved.filter(({ plural }) => plural !== 'selfsubjectreviews');
    expect(more).toHaveLength(off.length);
  });

  it.each(expected)('$path is discovered as it should be', ({ path, resource }) => {
    const type = typeAt(path);
    expect({
      kind: type.kind,
      namespaced: type.namespaced,
      shortNames: type.shortNames,
      categories: type.categories,
      verbs: type.verbs,
      singular: type.singular,
    }).toEqual({
      kind: resource.kind,
      namespaced: resource.namespaced,
      shortNames: resource.shortNames,
      categories: resource.categories,
      verbs: resource.verbs,
      singular: undefined,
    });
  });

  it.each(expected)('$path has its subresources', ({ path, resource }) => {
    const wanted = resource.subresources ?? [];
    const type = typeAt(path);
    const actual = Object.entries(type.subresources).map(([name, { verbs, kind = type.kind, group, version }]) => ({
      ...{ name, verbs, kind, group, version },
    }));
    expect(actual).toEqual(
      wanted.map(({ name, verbs, kind, group, version }) => ({ name, verbs, kind, group, version })),
    );
  });

  it.each(read)('$path has its table', ({ path }) => {
    const { columns } = hubOf(typeAt(path));
    const actual = columns ? columns.map(columnFacts) : tables.special.default.map(referenceColumn);
    expect(actual).toEqual(tables.resources[path].map(referenceColumn));
  });

  it.each(read)('$path is selected by its fields', ({ path }) => {
    const type = typeAt(path);
    const { selectableFields = {}, selectableAliases = {} } = type;
    const { labels, alias = {} } = selectors[path] ?? fail(path);
    const known = [
      'metadata.name',
      'metadata.namespace',
      ...Object.keys({ ...selectableFields, ...selectableAliases }),
    ];
    expect(known.filter((field) => isSelectable(type, field)).sort()).toEqual([...labels].sort());
    expect(selectableAliases).toEqual(alias);
  });

  it.each(stored)('$path is written as it should be', ({ path }) => {
    const { kind, strategy } = typeAt(path);
    const { resetFields: _, ...wanted } = strategies[kind] ?? fail(kind);
    expect(strategy).toEqual(wanted);
  });

  it.each(stored)('$path keeps what an endpoint cannot write', ({ path }) => {
    const { kind, rules, subresources } = typeAt(path);
    const actual = { main: rules.resets ?? [], ...Object.fromEntries(Object.entries(subresources).map(resetsOf)) };
    const wanted = Object.entries(strategies[kind]?.resetFields ?? {}).map(([endpoint, paths]) => {
      const exempt = NOT_RESET[`${kind}/${endpoint}`] ?? [];
      return [endpoint, paths.filter((field) => !exempt.includes(field))];
    });
    expect(actual).toMatchObject({ main: [], ...Object.fromEntries(wanted) });
  });

  it.each(expected)('$path warns if it is on its way out', ({ path, resource }) => {
    const { active, deprecatedIn, removedIn, replacement } = resource.deprecated ?? {};
    const wanted = { deprecatedIn, removedIn, replacement: replacement && gvkText(replacement) };
    expect(typeAt(path).deprecation).toEqual(active ? wanted : undefined);
  });

  it.each(stored)('$path has the right rule for names', ({ path }) => {
    const { kind, nameRule, ...type } = typeAt(path);
    const name = validation.kinds[kind]?.name ?? validation.kinds[`${kind} (${apiVersionOf(type)})`]?.name;
    expect(nameRule).toBe(NAME_RULES[name]);
  });
});

const NAME_RULES: Readonly<Record<string, ResourceType['nameRule']>> = {
  dns1035Label,
  dns1123Label,
  dns1123Subdomain,
  pathSegment,
};

function fail(what: string): never {
  throw new Error(`the reference knows nothing of ${what}`);
}

const gvkText = ({ group, version, kind }: GroupVersionKind): string => `${group}/${version} ${kind}`;

const columnFacts = ({ name, type, format = '', priority = 0 }: Column<never>): ColumnFacts => ({
  name,
  type,
  format,
  priority,
});

const referenceColumn = ({ name, type, format, priority }: ColumnFacts): ColumnFacts => ({
  name,
  type,
  format,
  priority,
});

const resetsOf = ([name, { rules }]: [string, ResourceType['subresources'][string]]) =>
  [name, rules?.resets ?? []] as const;

describe.skipIf(!isThere)('groups, against the reference (skipped where there is none)', () => {
  it('are ranked as discovery ranks them', () => {
    const wanted = groups.map(({ name, groupPriorityMinimum, versions }) => ({
      name,
      priority: groupPriorityMinimum ?? 0,
      versions: versions.map(({ version }) => version),
      versionPriorities: versions.map(({ versionPriority }) => versionPriority ?? 0),
    }));
    const served = new Set(types.map(({ group, version }) => `${group}/${version}`));
    const ours = groupOrder(v).map(({ name, priority, versions, versionPriorities }) => {
      const at = [...versions.keys()].filter((index) => served.has(`${name}/${versions[index]}`));
      return {
        ...{ name, priority },
        versions: at.map((index) => versions[index]),
        versionPriorities: at.map((index) => versionPriorities[index]),
      };
    });
    const shared = ours.filter(({ name, versions }) => name !== v.groups.explain && versions.length > 0);
    expect(shared).toEqual(wanted);
  });
});

describe('resource types', () => {
  it('have columns that say what they show', () => {
    const columns = types.flatMap(({ columns = [] }) => columns);
    expect(columns.filter(({ description }) => !/^[A-Z].*\.$/.test(description))).toEqual([]);
  });

  it('are stored in collections of their own, whatever their version', () => {
    const stored = types.filter(({ conversion }) => !conversion);
    expect(new Set(stored.map(({ collection }) => collection)).size).toBe(stored.length);
    expect(types.filter((type) => type.collection !== hubOf(type).collection)).toEqual([]);
  });

  it('are the same in both vocabularies but for names', () => {
    const shapes = (name: keyof typeof vocabularies) =>
      builtInTypes(vocabularies[name]).map(({ kind, plural }) => ({ kind, plural }));
    expect(shapes('kubernetes')).toEqual(shapes('platform'));
  });
});
