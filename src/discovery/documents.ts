import { createHash } from 'node:crypto';
import type { APIGroup, APIResource, GroupVersionForDiscovery } from '../meta/discovery.ts';
import type { Catalogue, ServedGroup } from '../registry/catalogue.ts';
import { isStored, type ResourceType, type Subresource } from '../registry/resource-type.ts';
import { hubOf } from '../registry/versions.ts';

/** `apps/v1`, or `v1` for the core group. */
const groupVersionOf = (group: string, version: string): string => (group === '' ? version : `${group}/${version}`);

const inDiscovery = (group: string, version: string): GroupVersionForDiscovery => ({
  groupVersion: groupVersionOf(group, version),
  version,
});

/** The versions of the core group. Like the original, this document names no apiVersion of its own. */
export const coreVersions = (versions: readonly string[], serverAddress: string): object => ({
  kind: 'APIVersions',
  versions,
  serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
});

function describeGroup({ name, versions }: ServedGroup): Pick<APIGroup, 'name' | 'versions' | 'preferredVersion'> {
  const [preferred = ''] = versions;
  return {
    name,
    versions: versions.map((version) => inDiscovery(name, version)),
    preferredVersion: inDiscovery(name, preferred),
  };
}

/** All named groups; the core group has a document of its own. */
export const groupList = (groups: readonly ServedGroup[]): object => ({
  kind: 'APIGroupList',
  apiVersion: 'v1',
  groups: groups.filter(({ name }) => name !== '').map(describeGroup),
});

export const groupDocument = (group: ServedGroup): object => ({
  kind: 'APIGroup',
  apiVersion: 'v1',
  ...describeGroup(group),
});

/** Every resource of a version by name, each followed by its subresources. */
export function resourceList(catalogue: Catalogue, group: string, version: string): object {
  return {
    kind: 'APIResourceList',
    // The core group predates the rule that a document names its own version.
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: groupVersionOf(group, version),
    resources: catalogue.typesOf(group, version).flatMap((type) => [describeType(type), ...describeSubresources(type)]),
  };
}

function describeType(type: ResourceType): APIResource {
  const storageVersionHash = storageHash(type);
  const { plural, singular = '', namespaced, kind, verbs, shortNames = [], categories = [] } = type;
  return {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs: [...verbs].sort(),
    ...(shortNames.length > 0 ? { shortNames: [...shortNames] } : {}),
    ...(categories.length > 0 ? { categories: [...categories] } : {}),
    ...(storageVersionHash === undefined ? {} : { storageVersionHash }),
  };
}

const describeSubresources = (type: ResourceType): APIResource[] =>
  Object.entries(type.subresources)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, subresource]) => describeSubresource(type, name, subresource));

function describeSubresource(type: ResourceType, name: string, subresource: Subresource): APIResource {
  const { group = type.group, version = type.version, kind = type.kind, verbs } = subresource;
  const elsewhere = group !== type.group || version !== type.version;
  return {
    name: `${type.plural}/${name}`,
    singularName: '',
    namespaced: type.namespaced,
    ...(elsewhere ? { group, version } : {}),
    kind,
    verbs: [...verbs].sort(),
  };
}

/** Equal for all versions of a kind, and different once it is stored as another version. */
function storageHash(type: ResourceType): string | undefined {
  if (!isStored(type)) return undefined;
  const { group, version, kind } = hubOf(type);
  const digest = createHash('sha256').update(`${group}/${version}/${kind}`).digest();
  return digest.subarray(0, 8).toString('base64');
}
