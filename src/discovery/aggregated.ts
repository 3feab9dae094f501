import { clausesOf, type Format, JSON_FORMAT } from '../codec/negotiation.ts';
import type { Catalogue, ServedGroup } from '../registry/catalogue.ts';
import type { ResourceType, Subresource } from '../registry/resource-type.ts';
import type { RemoteDescriptions, VersionDescription } from './group-source.ts';

/**
 * Newer clients would rather have all of discovery in one document than a document for each version of each group. They
 * ask at the same paths, `/api` for the core group and `/apis` for the named ones, and say so in the Accept header.
 */

const KIND = 'APIGroupDiscoveryList';
const VERSIONS = new Set(['v2', 'v2beta1']);
const JSON_TYPE = 'application/json';
const PLAIN_TYPES = new Set([JSON_TYPE, 'application/yaml', 'application/*', '*/*']);

/** The version of the document that a client prefers to the plain ones; undefined when it does not. `group`: its own. */
export function wantedVersion(accept: string | undefined, group: string): string | undefined {
  for (const { type, parameters } of clausesOf(accept ?? '')) {
    const as = parameters.get('as');
    if (as === undefined && PLAIN_TYPES.has(type)) return undefined;
    const version = parameters.get('v') ?? '';
    const isOurs = as === KIND && parameters.get('g') === group && VERSIONS.has(version);
    if (isOurs && type === JSON_TYPE) return version;
  }
  return undefined;
}

/** Clients tell from the Content-Type which of the documents they got. */
export const aggregatedFormat = (group: string, version: string): Format => ({
  ...JSON_FORMAT,
  contentType: `${JSON_TYPE};g=${group};v=${version};as=${KIND}`,
});

/** Groups, their versions by preference, and in each version every resource by name. */
export function aggregatedDocument(
  catalogue: Catalogue,
  groups: readonly ServedGroup[],
  apiVersion: string,
  remote: RemoteDescriptions | undefined,
): object {
  return {
    kind: KIND,
    apiVersion,
    metadata: {},
    items: groups.map(({ name, versions }) => ({
      metadata: { ...(name === '' ? {} : { name }), creationTimestamp: null },
      versions: versions.map((version) => ({
        version,
        ...(remote?.of(name, version) ?? ownDescription(catalogue, name, version)),
      })),
    })),
  };
}

const ownDescription = (catalogue: Catalogue, group: string, version: string): VersionDescription => ({
  resources: catalogue.typesOf(group, version).map(describeType),
  freshness: 'Current',
});

function describeType(type: ResourceType): object {
  const { group, version, kind, plural, singular, namespaced, verbs, shortNames = [], categories = [] } = type;
  const subresources = Object.entries(type.subresources)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, subresource]) => describeSubresource(type, name, subresource));
  return {
    resource: plural,
    responseKind: { group, version, kind },
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular ?? kind.toLowerCase(),
    verbs: [...verbs].sort(),
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
    ...(subresources.length > 0 ? { subresources } : {}),
  };
}

function describeSubresource(type: ResourceType, subresource: string, declared: Subresource): object {
  const { group = type.group, version = type.version, kind = type.kind, verbs } = declared;
  return { subresource, responseKind: { group, version, kind }, verbs: [...verbs].sort() };
}
