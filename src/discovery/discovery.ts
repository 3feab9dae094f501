import { noSuchResource } from '../api/errors.ts';
import type { Negotiator } from '../codec/negotiation.ts';
import { demandRead, type PathHandler } from '../handlers/path-handler.ts';
import type { Typed } from '../handlers/respond.ts';
import { headerValue } from '../http/headers.ts';
import type { Reply } from '../http/message.ts';
import { APIGroup, APIGroupList, APIResourceList, APIVersions } from '../meta/discovery.ts';
import type { Catalogue, ServedGroup } from '../registry/catalogue.ts';
import type { RequestContext } from '../request/context.ts';
import type { Node } from '../schema/node.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { aggregatedDocument, aggregatedFormat, wantedVersion } from './aggregated.ts';
import { type Document, documentOf, replyWithDocument } from './document.ts';
import { coreVersions, groupDocument, groupList, resourceList } from './documents.ts';
import type { GroupSource, RemoteDescriptions } from './group-source.ts';

export interface DiscoveryOptions {
  readonly catalogue: Catalogue;
  /** What there is besides what the catalogue has, and in which order; the catalogue unless given. */
  readonly groups?: GroupSource;
  /** What other servers serve; absent: there are none. */
  readonly remote?: RemoteDescriptions;
  readonly negotiator: Negotiator;
  readonly vocabulary: Vocabulary;
  /** `host:port` where clients reach this server. */
  readonly serverAddress: string;
}

/** Answers `/api`, `/apis` and what groups and versions they lead to, as far as no resource is named. */
export function discoveryHandler(options: DiscoveryOptions): PathHandler {
  const documents = new DiscoveryDocuments(options);
  const { apidiscovery } = options.vocabulary.groups;
  return (context) => {
    const { path } = context.info;
    const accept = headerValue(context.request, 'accept');
    const version = wantedVersion(accept, apidiscovery);
    const [prefix, more] = segmentsOf(path) ?? [];
    if (version && prefix && !more) return replyWithWhole(options, documents, context, prefix, version);
    const document = documents.at(path);
    if (!document) return undefined;
    demandRead(context);
    // What has a binary form at all is the same for all of them; what has none is 406 to whoever accepts nothing else.
    const schema = document.binary ? APIResourceList : undefined;
    return replyWithDocument(context, document, options.negotiator.choose(accept, 'plain', schema));
  };
}

/** The document of everything, once it is known of other servers what they serve. */
async function replyWithWhole(
  { vocabulary, remote }: DiscoveryOptions,
  documents: DiscoveryDocuments,
  context: RequestContext,
  prefix: string,
  version: string,
): Promise<Reply | undefined> {
  demandRead(context);
  const waiting = remote?.refresh();
  if (waiting) await waiting;
  const whole = documents.whole(prefix, version);
  return whole && replyWithDocument(context, whole, aggregatedFormat(vocabulary.groups.apidiscovery, version));
}

/** What the documents of single groups and versions are in binary. The one for everything has no such form. */
const SCHEMAS: ReadonlyMap<string | undefined, Node> = new Map<string, Node>([
  ['APIVersions', APIVersions],
  ['APIGroupList', APIGroupList],
  ['APIGroup', APIGroup],
  ['APIResourceList', APIResourceList],
]);

/** Documents by path and form, kept until the catalogue changes. Only paths that lead somewhere take room. */
class DiscoveryDocuments {
  readonly #options: DiscoveryOptions;
  readonly #known = new Map<string, Document>();
  readonly #groups: GroupSource;
  #revision = -1;

  constructor(options: DiscoveryOptions) {
    this.#options = options;
    this.#groups = options.groups ?? options.catalogue;
  }

  /** Undefined where nothing is served; throws the 404 of a served group that lacks the version. */
  at(path: string): Document | undefined {
    const segments = segmentsOf(path);
    return segments && this.#keep(segments.join('/'), () => this.#build(segments));
  }

  /** All of the core group, or all of the named ones, in one document of this version. */
  whole(prefix: string, version: string): Document | undefined {
    const isCore = prefix === 'api';
    const { catalogue, vocabulary, remote } = this.#options;
    return this.#keep(`${prefix};${version}`, () => {
      const groups = this.#groups.groups().filter(({ name }) => (name === '') === isCore);
      return aggregatedDocument(catalogue, groups, `${vocabulary.groups.apidiscovery}/${version}`, remote);
    });
  }

  #keep(key: string, build: () => Typed | undefined): Document | undefined {
    this.#forgetStale();
    const known = this.#known.get(key);
    if (known) return known;
    const value = build();
    if (!value) return undefined;
    const document = documentOf(value, SCHEMAS.get(value.kind));
    this.#known.set(key, document);
    return document;
  }

  #forgetStale(): void {
    const revision = this.#groups.revision + (this.#options.remote?.revision ?? 0);
    if (this.#revision === revision) return;
    this.#revision = revision;
    this.#known.clear();
  }

  #build([prefix, ...rest]: readonly string[]): object | undefined {
    const groups = this.#groups.groups();
    if (prefix === 'api') return this.#core(groups, rest);
    const [group, version] = rest;
    if (group === undefined) return groupList(groups);
    const served = groups.find(({ name }) => name === group);
    if (!served) return undefined;
    return version === undefined ? groupDocument(served) : this.#resources(served, version);
  }

  #core(groups: readonly ServedGroup[], [version]: readonly string[]): object {
    const core = groups.find(({ name }) => name === '') ?? { name: '', versions: [] };
    if (version !== undefined) return this.#resources(core, version);
    return coreVersions(core.versions, this.#options.serverAddress);
  }

  #resources({ name, versions }: ServedGroup, version: string): object {
    if (!versions.includes(version)) throw noSuchResource();
    return resourceList(this.#options.catalogue, name, version);
  }
}

/** How many segments a discovery path has at most, by its first one. */
const LONGEST: ReadonlyMap<string, number> = new Map([
  ['api', 2],
  ['apis', 3],
]);

/** The segments of a discovery path, with or without a slash at its end; undefined for any other path. */
function segmentsOf(path: string): string[] | undefined {
  const segments = (path.endsWith('/') ? path.slice(1, -1) : path.slice(1)).split('/');
  const [prefix = ''] = segments;
  const longest = LONGEST.get(prefix) ?? 0;
  return segments.length <= longest && !segments.includes('') ? segments : undefined;
}
