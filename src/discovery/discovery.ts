import type { Negotiator } from '../codec/negotiation.ts';
import { noSuchResource } from '../errors.ts';
import type { PathHandler } from '../handlers/path-handler.ts';
import type { Catalogue, ServedGroup } from '../registry/catalogue.ts';
import { type Document, documentOf, replyWithDocument } from './document.ts';
import { coreVersions, groupDocument, groupList, resourceList } from './documents.ts';

export interface DiscoveryOptions {
  readonly catalogue: Catalogue;
  readonly negotiator: Negotiator;
  /** `host:port` where clients reach this server; asked for again and again, because a port can be given late. */
  serverAddress(): string;
}

/** Answers `/api`, `/apis` and what groups and versions they lead to, as far as no resource is named. */
export function discoveryHandler(options: DiscoveryOptions): PathHandler {
  const documents = new DiscoveryDocuments(options);
  return (context) => {
    const document = documents.at(context.info.path);
    return document && replyWithDocument(context, options.negotiator, document);
  };
}

/** Documents by path, kept until the catalogue changes. Only paths that lead somewhere take room. */
class DiscoveryDocuments {
  readonly #options: DiscoveryOptions;
  readonly #known = new Map<string, Document>();
  #revision = -1;
  #address = '';

  constructor(options: DiscoveryOptions) {
    this.#options = options;
  }

  /** Undefined where nothing is served; throws the 404 of a served group that lacks the version. */
  at(path: string): Document | undefined {
    const segments = segmentsOf(path);
    if (segments === undefined) return undefined;
    this.#forgetStale();
    const key = segments.join('/');
    const known = this.#known.get(key);
    if (known) return known;
    const value = this.#build(segments);
    if (!value) return undefined;
    const document = documentOf(value);
    this.#known.set(key, document);
    return document;
  }

  #forgetStale(): void {
    const { catalogue, serverAddress } = this.#options;
    const address = serverAddress();
    if (this.#revision === catalogue.revision && this.#address === address) return;
    this.#revision = catalogue.revision;
    this.#address = address;
    this.#known.clear();
  }

  #build([prefix, ...rest]: readonly string[]): object | undefined {
    const groups = this.#options.catalogue.groups();
    if (prefix === 'api') return this.#core(groups, rest);
    const [group, version] = rest;
    if (group === undefined) return groupList(groups);
    const served = groups.find(({ name }) => name === group);
    if (!served) return undefined;
    return version === undefined ? groupDocument(served) : this.#resources(served, version);
  }

  #core(groups: readonly ServedGroup[], [version]: readonly string[]): object {
    const core = groups.find(({ name }) => name === '') ?? { name: '', versions: [] };
    return version === undefined ? coreVersions(core.versions, this.#address) : this.#resources(core, version);
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
