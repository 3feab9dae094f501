import type { Runtime } from '../../runtime/runtime.ts';
import { isObject } from '../../schema/json-object.ts';
import type { ApiServices } from './api-services.ts';
import { versionPath } from './availability.ts';
import type { BackendClient, Fetched } from './backend-client.ts';
import { type Answer, LastAnswers } from './last-answers.ts';
import type { RemoteVersion } from './remote-version.ts';

/** A resource, or one below another, as the document that describes everything tells of it. */
export interface DescribedResource {
  readonly resource: string;
  readonly responseKind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly scope: 'Namespaced' | 'Cluster';
  readonly singularResource: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly DescribedSubresource[];
}

interface DescribedSubresource {
  readonly subresource: string;
  readonly responseKind: DescribedResource['responseKind'];
  readonly verbs: readonly string[];
}

/** A kind of objects of another server, in one version. */
export interface RemoteKind {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** What a remote version serves. */
export interface RemoteDescription {
  readonly resources: readonly DescribedResource[];
  readonly freshness: 'Current' | 'Stale';
}

/** In the words by which clients of the field are told. */
const UNAVAILABLE = 'the server is currently unable to handle the request';

const TIMEOUT_MS = 5_000;
const MOST_BYTES = 1024 * 1024;
const MOST_RESOURCES = 2_000;
const CAPACITY = 16 * 1024 * 1024;

export interface RemoteResourcesParts {
  readonly services: ApiServices;
  readonly client: BackendClient;
  readonly runtime: Runtime;
  onError(remote: RemoteVersion, error: unknown): void;
}

/** What the servers behind remote versions serve, as they said last. */
export class RemoteResources {
  readonly #services: ApiServices;
  readonly #answers: LastAnswers<readonly DescribedResource[]>;

  constructor({ services, client, runtime, onError }: RemoteResourcesParts) {
    this.#services = services;
    this.#answers = new LastAnswers({
      name: 'remote-discovery',
      capacity: CAPACITY,
      runtime,
      keyOf: (remote) => `${remote.name} ${remote.backend}`,
      ask: (remote, etag) =>
        client.get(remote, {
          target: versionPath(remote),
          headers: etag === '' ? [] : ['If-None-Match', etag],
          timeoutMs: TIMEOUT_MS,
          mostBytes: MOST_BYTES,
        }),
      read: readResources,
      onError,
    });
  }

  get revision(): number {
    return this.#answers.revision;
  }

  /** Settles when something is known of every version, or cannot be; undefined when there is nothing to wait for. */
  refresh(): Promise<unknown> | undefined {
    return this.#services.hasRemotes ? this.#answers.refresh(this.#services.remotes()) : undefined;
  }

  /** Everything that the other servers serve, as far as that is known, each kind in its preferred version. */
  kinds(): Iterable<RemoteKind> {
    const kinds = new Map<string, RemoteKind & { readonly priority: number }>();
    for (const remote of this.#remotes()) {
      const { group, version } = remote;
      const priority = this.#services.priorities(group, version)?.version ?? 0;
      for (const { resource: plural, responseKind, scope, verbs } of this.#answers.of(remote).value ?? []) {
        const key = `${group}/${plural}`;
        if ((kinds.get(key)?.priority ?? -1) >= priority) continue;
        kinds.set(key, {
          group,
          version,
          plural,
          kind: responseKind.kind,
          namespaced: scope === 'Namespaced',
          verbs,
          priority,
        });
      }
    }
    return kinds.values();
  }

  /** Versions of which it is not known what they serve now, and why. */
  undiscovered(): ReadonlyMap<string, string> {
    const unknown = [...this.#remotes()].filter((remote) => !this.#answers.of(remote).isCurrent);
    return new Map(unknown.map(({ group, version }) => [`${group}/${version}`, UNAVAILABLE]));
  }

  /** Those who want to know have it found out; what is not known yet is known the next time. */
  #remotes(): Iterable<RemoteVersion> {
    this.refresh()?.catch(() => undefined);
    return this.#services.remotes();
  }

  /** Undefined: this server answers for the version itself. */
  of(group: string, version: string): RemoteDescription | undefined {
    const remote = this.#services.find(group, version);
    if (!remote) return undefined;
    const { value = [], isCurrent } = this.#answers.of(remote);
    return { resources: value, freshness: isCurrent ? 'Current' : 'Stale' };
  }
}

/** Reads the list of resources that every server has for each version. Throws when it is none. */
function readResources({ status, body }: Fetched, remote: RemoteVersion): Answer<readonly DescribedResource[]> {
  if (status !== 200) throw new Error(`the list of resources was answered with ${status}`);
  const list: unknown = JSON.parse(body.toString('utf8'));
  const wanted = `${remote.group}/${remote.version}`;
  if (!isObject(list) || list.groupVersion !== wanted)
    throw new Error(`the answer is no list of resources of ${wanted}`);
  const entries = Array.isArray(list.resources) ? list.resources.filter(isObject) : [];
  if (entries.length > MOST_RESOURCES) throw new Error(`more than ${MOST_RESOURCES} resources`);
  const below = new Map<string, DescribedSubresource[]>();
  for (const entry of entries) {
    const [parent = '', ...rest] = textIn(entry.name).split('/');
    if (rest.length === 0) continue;
    const { responseKind, verbs } = described(entry, remote);
    const subresource = { subresource: rest.join('/'), responseKind, verbs };
    const siblings = below.get(parent);
    if (siblings) siblings.push(subresource);
    else below.set(parent, [subresource]);
  }
  const resources = entries
    .filter(({ name }) => textIn(name) !== '' && !textIn(name).includes('/'))
    .map((entry) => withSubresources(described(entry, remote), below));
  return { value: resources, bytes: 2 * body.length };
}

type Entry = Readonly<Record<string, unknown>>;

function described(entry: Entry, remote: RemoteVersion): DescribedResource {
  const { name, singularName, namespaced, kind, group, version, verbs, shortNames, categories } = entry;
  const [short, collective] = [textsIn(shortNames), textsIn(categories)];
  return {
    resource: textIn(name),
    responseKind: {
      group: textIn(group) || remote.group,
      version: textIn(version) || remote.version,
      kind: textIn(kind),
    },
    scope: namespaced === true ? 'Namespaced' : 'Cluster',
    singularResource: textIn(singularName) || textIn(kind).toLowerCase(),
    verbs: textsIn(verbs).toSorted(),
    ...(short.length > 0 ? { shortNames: short } : {}),
    ...(collective.length > 0 ? { categories: collective } : {}),
  };
}

function withSubresources(
  resource: DescribedResource,
  below: ReadonlyMap<string, readonly DescribedSubresource[]>,
): DescribedResource {
  const subresources = below.get(resource.resource);
  return subresources ? { ...resource, subresources } : resource;
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
