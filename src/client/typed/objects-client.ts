import type { Readable } from 'node:stream';
import type { TokenRequest } from '../../kinds/authentication/v1/token-request.ts';
import type { Scale } from '../../kinds/autoscaling/v1/scale.ts';
import type { ServiceAccount } from '../../kinds/core/config/service-account.ts';
import type { Pod } from '../../kinds/core/pod/pod.ts';
import type { Eviction } from '../../kinds/policy/v1/eviction.ts';
import type { Informer } from '../informing/informer.ts';
import type { AnyObject, DeletionOptions, ListedObjects } from '../plane-client.ts';
import type { Selection, WriteOptions } from '../request-options.ts';
import type { LogOptions, PodStreams, PodTarget } from '../streams/pod-streams.ts';
import type { PortForwarder } from '../streams/port-forwarder.ts';
import type { LocalStreams, ProcessExit } from '../streams/remote-process.ts';
import { CollectionClient, type FollowOptions, type ListOptions } from './collection-client.ts';
import type { Input } from './input.ts';
import type { KindReference } from './object-kind.ts';
import type { PlaneAccess, Scope } from './plane-access.ts';
import { SingleObjectClient } from './single-object-client.ts';
import { SubresourceClient } from './subresource-client.ts';
import type { WatchEvent, WatchOptions } from './watch-events.ts';

const SCALE: KindReference = { apiVersion: 'autoscaling/v1', kind: 'Scale' };
const EVICTION: KindReference = { apiVersion: 'policy/v1', kind: 'Eviction' };

/** Which container of a pod; the only one, or the one that the pod says is meant, when absent. */
export interface InContainer {
  readonly container?: string | undefined;
}

/** The objects of a kind in one namespace, or of a kind that has none. */
export class ObjectsClient<T extends AnyObject> extends SingleObjectClient<T> {
  readonly #access: PlaneAccess;
  readonly #scope: Scope;
  readonly #collection: CollectionClient<T>;

  constructor(access: PlaneAccess, scope: Scope) {
    super(access, scope, '');
    this.#access = access;
    this.#scope = scope;
    this.#collection = new CollectionClient(access, scope);
  }

  /** All objects at once, or the first `limit` of them and where the next begin. */
  list(options?: ListOptions): Promise<ListedObjects<T>> {
    return this.#collection.list(options);
  }

  /** All objects, `limit` at a time, as they were when the first page was read. */
  pages(options?: ListOptions): AsyncGenerator<ListedObjects<T>, void, undefined> {
    return this.#collection.pages(options);
  }

  /** As `pages`, one object after the other. */
  each(options?: ListOptions): AsyncGenerator<T, void, undefined> {
    return this.#collection.each(options);
  }

  /** Knows all objects, and what becomes of them, until it is closed. */
  informer<Index extends string = never>(options?: FollowOptions<T, Index>): Promise<Informer<T, Index>> {
    return this.#collection.informer(options);
  }

  /** As `informer`, of names, labels, owners and the rest of the metadata alone. */
  metadataInformer<Index extends string = never>(
    options?: FollowOptions<AnyObject, Index>,
  ): Promise<Informer<AnyObject, Index>> {
    return this.#collection.metadataInformer(options);
  }

  /** What happens to objects, for as long as somebody asks. */
  watch(options?: WatchOptions): AsyncGenerator<WatchEvent<T>, void, undefined> {
    return this.#collection.watch(options);
  }

  /** Makes an object. Reviews, which are not stored, carry their answer in what is given back. */
  async create(document: Input<T>, options?: WriteOptions): Promise<T> {
    const kind = await this.#scope.kind();
    const { plane } = this.#access;
    return plane.create<T>(kind, this.#scope.namespace, this.complete(kind, document), this.writing(options));
  }

  /** Gives the object where the plane answers with it, as it does while something has to be done before it goes. */
  async delete(name: string, options?: DeletionOptions): Promise<T | undefined> {
    return this.#access.plane.deleteAnswered<T>(await this.target(name), options);
  }

  /** Deletes all objects that are selected. */
  async deleteCollection({
    labelSelector,
    fieldSelector,
    ...options
  }: DeletionOptions & Selection = {}): Promise<void> {
    const kind = await this.#scope.kind();
    const { plane } = this.#access;
    await plane.deleteCollection(kind, this.#scope.namespace, options, { labelSelector, fieldSelector });
  }

  /** The observed state, which writes of the object itself leave alone. */
  get status(): SubresourceClient<T> {
    return this.subresource<T>('status');
  }

  /** The number of replicas, of kinds that can be scaled. */
  get scale(): SubresourceClient<Scale> {
    return this.subresource<Scale>('scale', SCALE);
  }

  /** Any other subresource. `documents`: what is read and written, where that is of another kind than the objects. */
  subresource<S extends AnyObject = T>(name: string, documents?: KindReference): SubresourceClient<S> {
    return new SubresourceClient<S>(this.#access, this.#scope, name, documents);
  }

  /** Deletes a pod unless a disruption budget forbids it, which is a refusal with the code 429. */
  async evict(this: ObjectsClient<Pod>, name: string, options: DeletionOptions = {}): Promise<void> {
    const { signal, dryRun, ...others } = options;
    const deleteOptions = { ...others, ...(dryRun ? { dryRun: ['All'] } : {}) };
    const eviction = { metadata: { name }, deleteOptions };
    await this.subresource<Eviction>('eviction', EVICTION).create(name, eviction, { signal, dryRun });
  }

  /** What a container of a pod has written, and with `follow` what it goes on to write. */
  async logs(this: ObjectsClient<Pod>, name: string, options: LogOptions & InContainer = {}): Promise<Readable> {
    const { container, ...wanted } = options;
    return (await this.#containers()).logs(this.#pod(name, container), wanted);
  }

  /** Runs a command in a container. Throws when it cannot be run. */
  async exec(
    this: ObjectsClient<Pod>,
    name: string,
    command: readonly string[],
    options: LocalStreams & InContainer = {},
  ): Promise<ProcessExit> {
    return (await this.#containers()).exec(this.#pod(name, options.container), command, options);
  }

  /** Joins the process that a container was started with. */
  async attach(this: ObjectsClient<Pod>, name: string, options: LocalStreams & InContainer = {}): Promise<ProcessExit> {
    return (await this.#containers()).attach(this.#pod(name, options.container), options);
  }

  /** Opens connections to ports of a pod. */
  async forwardPorts(this: ObjectsClient<Pod>, name: string): Promise<PortForwarder> {
    const { PortForwarder } = await import('../streams/port-forwarder.ts');
    const { dial, vocabulary, runtime } = this.#access;
    return new PortForwarder(dial, this.#pod(name, undefined), vocabulary, runtime);
  }

  /** A token for a service account, and when it ends. */
  async requestToken(
    this: ObjectsClient<ServiceAccount>,
    name: string,
    spec: Input<TokenRequest['spec']> = {},
    options?: WriteOptions,
  ): Promise<TokenRequest['status']> {
    const apiVersion = `${this.#access.vocabulary.groups.authentication}/v1`;
    const requests = this.subresource<TokenRequest>('token', { apiVersion, kind: 'TokenRequest' });
    return (await requests.create(name, { spec }, options)).status;
  }

  async #containers(): Promise<PodStreams> {
    const { PodStreams } = await import('../streams/pod-streams.ts');
    const { open, dial, vocabulary, runtime } = this.#access;
    return new PodStreams(open, dial, vocabulary, runtime);
  }

  #pod(name: string, container: string | undefined): PodTarget {
    return { namespace: this.#scope.namespace, name, container };
  }
}

/** A kind whose objects are in namespaces: all of them can be read at once, and written in one namespace at a time. */
export class NamespacedClient<T extends AnyObject> extends CollectionClient<T> {
  readonly #access: PlaneAccess;
  readonly #scope: Scope;
  readonly #usualNamespace: string;

  constructor(access: PlaneAccess, scope: Scope, usualNamespace: string) {
    super(access, scope);
    this.#access = access;
    this.#scope = scope;
    this.#usualNamespace = usualNamespace;
  }

  /** Its objects in one namespace; in that of the configuration's context where none is named. */
  inNamespace(namespace: string = this.#usualNamespace): ObjectsClient<T> {
    if (namespace === '') throw new TypeError('the name of the namespace is missing');
    return new ObjectsClient<T>(this.#access, { ...this.#scope, namespace });
  }
}
