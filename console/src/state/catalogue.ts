import { signal } from '@preact/signals';
import { at, type Json, listAt, textAt } from '../api/json.ts';
import { groupNamed } from '../api/names.ts';
import { messageOf, sendForJson } from '../api/request.ts';

/** A kind of objects that the server has, in the version that it prefers. */
export interface Kind {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly shortNames: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly string[];
}

export const kinds = signal<readonly Kind[]>([]);
export const catalogueProblem = signal('');

/** Reads what is served, in two requests. */
export async function loadCatalogue(): Promise<void> {
  try {
    const accept = `application/json;g=${groupNamed('apidiscovery')};v=v2;as=APIGroupDiscoveryList,application/json;g=${groupNamed('apidiscovery')};v=v2beta1;as=APIGroupDiscoveryList`;
    const [core, groups] = await Promise.all([sendForJson('/api', { accept }), sendForJson('/apis', { accept })]);
    kinds.value = [...kindsIn(core), ...kindsIn(groups)];
    catalogueProblem.value = '';
  } catch (error) {
    catalogueProblem.value = messageOf(error);
  }
}

function kindsIn(document: Json): Kind[] {
  const found = new Map<string, Kind>();
  for (const group of listAt(document, 'items')) {
    for (const version of listAt(group, 'versions')) {
      for (const resource of listAt(version, 'resources')) {
        const kind = kindOf(textAt(group, 'metadata', 'name'), textAt(version, 'version'), resource);
        const key = `${kind.group}/${kind.plural}`;
        // Versions come with the preferred one first.
        if (!found.has(key)) found.set(key, kind);
      }
    }
  }
  return [...found.values()];
}

const kindOf = (group: string, version: string, resource: Json): Kind => ({
  group,
  version,
  plural: textAt(resource, 'resource'),
  kind: textAt(resource, 'responseKind', 'kind'),
  shortNames: listAt(resource, 'shortNames').map(String),
  namespaced: at(resource, 'scope') === 'Namespaced',
  verbs: listAt(resource, 'verbs').map(String),
  subresources: listAt(resource, 'subresources').map((one) => textAt(one, 'subresource')),
});

/** Kinds whose objects can be looked at. */
export const listable = (all: readonly Kind[]): Kind[] => all.filter(({ verbs }) => verbs.includes('list'));

export const findKind = (group: string, plural: string): Kind | undefined =>
  kinds.value.find((kind) => kind.group === group && kind.plural === plural);

/** The kind that an owner reference or an event names. */
export const kindNamed = (apiVersion: string, name: string): Kind | undefined => {
  const group = apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
  return kinds.value.find((kind) => kind.group === group && kind.kind === name);
};

export const apiVersionOf = ({ group, version }: Kind): string => (group === '' ? version : `${group}/${version}`);

/** What stands for the core group in addresses. */
const CORE = 'core';
export const groupSegment = (group: string): string => group || CORE;
export const groupOfSegment = (segment: string): string => (segment === CORE ? '' : segment);

export const collectionPath = ({ group, version, plural }: Kind, namespace = ''): string => {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return namespace === '' ? `${root}/${plural}` : `${root}/namespaces/${encodeURIComponent(namespace)}/${plural}`;
};

export const objectPath = (kind: Kind, namespace: string, name: string): string =>
  `${collectionPath(kind, kind.namespaced ? namespace : '')}/${encodeURIComponent(name)}`;

/** As a command names it: `deployments.apps`. */
export const resourceName = ({ group, plural }: Kind): string => (group === '' ? plural : `${plural}.${group}`);

export const kindRoute = (kind: Kind): string[] => ['kinds', groupSegment(kind.group), kind.plural];
export const objectRoute = (kind: Kind, namespace: string, name: string): string[] => [
  'objects',
  groupSegment(kind.group),
  kind.plural,
  namespace === '' ? '-' : namespace,
  name,
];
