import { type PlaneAnswer, refusalIn, type Send } from '../../../client/plane-client.ts';
import type { APIGroupList, APIResource, APIResourceList, APIVersions } from '../../../meta/discovery.ts';
import { type Vocabulary, vocabularies } from '../../../vocabulary/vocabulary.ts';
import { type ServedResource, ServedResources } from './served-resources.ts';

const KIND = 'APIGroupDiscoveryList';

/** What `/api` and `/apis` answer to whoever wants all of it at once. */
interface AggregatedDocument {
  readonly kind: string;
  readonly items: readonly {
    readonly metadata: { readonly name?: string };
    readonly versions: readonly { readonly version: string; readonly resources?: readonly AggregatedResource[] }[];
  }[];
}

interface AggregatedResource {
  readonly resource: string;
  readonly responseKind: { readonly kind: string };
  readonly scope: string;
  readonly singularResource: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly {
    readonly subresource: string;
    readonly responseKind?: { readonly kind: string };
    readonly verbs: readonly string[];
  }[];
}

/** Asked for in both vocabularies: which of them the plane speaks is in the answer. */
const ACCEPT = [
  ...Object.values(vocabularies).map(({ groups }) => `application/json;g=${groups.apidiscovery};v=v2beta1;as=${KIND}`),
  'application/json',
].join(',');

/** Asks a plane what it serves. */
export async function readServedResources(send: Send): Promise<ServedResources> {
  const ask = async <T>(target: string): Promise<T> =>
    documentIn<T>(await send({ method: 'GET', target, accept: ACCEPT }));
  const [core, named] = await Promise.all([
    ask<AggregatedDocument | APIVersions>('/api'),
    ask<AggregatedDocument | APIGroupList>('/apis'),
  ]);
  const found = [
    ...(isAggregated(core)
      ? resourcesIn(core)
      : await readEach(
          ask,
          (core.versions ?? []).map((version) => ['', version]),
        )),
    ...(isAggregated(named) ? resourcesIn(named) : await readEach(ask, versionsIn(named))),
  ];
  return new ServedResources(found, vocabularyOf(found));
}

function documentIn<T>({ status, body }: PlaneAnswer): T {
  const document: unknown = JSON.parse(body.toString());
  if (status >= 400) throw refusalIn(status, document);
  return document as T;
}

const isAggregated = (document: { readonly kind?: string }): document is AggregatedDocument => document.kind === KIND;

/** Whoever serves access control under the original name speaks the original names. */
function vocabularyOf(found: readonly ServedResource[]): Vocabulary {
  const groups = new Set(found.map(({ group }) => group));
  return (
    Object.values(vocabularies).find(({ groups: names }) => groups.has(names.authorization)) ?? vocabularies.platform
  );
}

const resourcesIn = ({ items }: AggregatedDocument): ServedResource[] =>
  items.flatMap(({ metadata: { name: group = '' }, versions }) =>
    versions.flatMap(({ version, resources = [] }) =>
      resources.map((one) => ({
        group,
        version,
        plural: one.resource,
        kind: one.responseKind.kind,
        namespaced: one.scope === 'Namespaced',
        verbs: one.verbs,
        singular: one.singularResource,
        shortNames: one.shortNames ?? [],
        categories: one.categories ?? [],
        subresources: (one.subresources ?? []).map(({ subresource: name, responseKind, verbs }) => ({
          name,
          kind: responseKind?.kind ?? '',
          verbs,
        })),
      })),
    ),
  );

/** The preferred version of a group first. */
const versionsIn = ({ groups }: APIGroupList): (readonly [group: string, version: string])[] =>
  (groups ?? []).flatMap(({ name, versions, preferredVersion }) => {
    const first = preferredVersion?.version ?? '';
    const others = (versions ?? []).map(({ version }) => version).filter((version) => version !== first);
    return [first, ...others].filter((version) => version !== '').map((version) => [name, version] as const);
  });

/** Planes that know no document of everything are asked for each version. One that cannot be asked has no resources. */
async function readEach(
  ask: <T>(target: string) => Promise<T>,
  versions: readonly (readonly [group: string, version: string])[],
): Promise<ServedResource[]> {
  const each = versions.map(async ([group, version]) => {
    const target = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    const list = await ask<APIResourceList>(target).catch(() => undefined);
    return list === undefined ? [] : classicResources(list.resources ?? [], group, version);
  });
  return (await Promise.all(each)).flat();
}

function classicResources(listed: readonly APIResource[], group: string, version: string): ServedResource[] {
  const below = listed.filter(({ name }) => name.includes('/'));
  return listed
    .filter(({ name }) => !name.includes('/'))
    .map(({ name: plural, kind, namespaced, verbs, singularName, shortNames = [], categories = [] }) => ({
      group,
      version,
      plural,
      kind,
      namespaced,
      verbs: verbs ?? [],
      singular: singularName || kind.toLowerCase(),
      shortNames,
      categories,
      subresources: below
        .filter(({ name }) => name.startsWith(`${plural}/`))
        .map(({ name, kind: returned, verbs: of }) => ({
          name: name.slice(plural.length + 1),
          kind: returned,
          verbs: of ?? [],
        })),
    }));
}
