import { ApiError, noSuchResource, notFound } from '../../src/api/errors.ts';
import { SERVER_USER } from '../../src/api/user.ts';
import type { PlaneRequest, Send } from '../../src/client/plane-client.ts';
import { statusOf } from '../../src/codec/status.ts';
import type { Controller } from '../../src/controllers/controller.ts';
import { garbageCollector } from '../../src/controllers/garbage/garbage-collector.ts';
import type { KnownOwnership, Loop } from '../../src/controllers/loop.ts';
import { runLoop } from '../../src/controllers/running-loop.ts';
import { storedPlane } from '../../src/controllers/stored-plane.ts';
import { builtInCatalogue } from '../../src/kinds/built-in.ts';
import { Recorder } from '../../src/observe/metrics/recorder.ts';
import { WorkQueueMetrics } from '../../src/observe/metrics/work-queue-metrics.ts';
import { mergePatch } from '../../src/patch/merge-patch.ts';
import type { Catalogue } from '../../src/registry/catalogue.ts';
import { Informer } from '../../src/registry/informer.ts';
import { Kind } from '../../src/registry/kind.ts';
import { Objects } from '../../src/registry/objects.ts';
import type { Registry } from '../../src/registry/registry.ts';
import type { ApiObject, ResourceType } from '../../src/registry/resource-type.ts';
import { ZOO, zooType } from '../../src/registry/test-kinds.ts';
import { systemRuntime } from '../../src/runtime/runtime.ts';
import { MemoryBackend } from '../../src/storage/backends/memory/memory-backend.ts';
import { VersionLog } from '../../src/storage/log/version-log.ts';
import { vocabularies } from '../../src/vocabulary/vocabulary.ts';
import { plainRegistry } from '../support/plain-registry.ts';
import { FastRuntime } from './fast-runtime.ts';
import { standingOf } from './model.ts';
import type { Kinds, Thing, World } from './world.ts';

/** Long before that the collector has nothing left to do. */
const PATIENCE_MS = 60_000;
const OPTIONS = { user: SERVER_USER };
const kindOf = (plural: string, namespaced: boolean): Kind => {
  const storage = zooType(plural, 'v1', { namespaced });
  return new Kind({ versions: [storage], storage });
};
/** Of tigers it is sometimes not known that they exist; whales are in no namespace. */
export const KINDS = { lions: true, bears: true, tigers: true, whales: false };
export const apiVersion = `${ZOO}/v1`;
export const kindNamed = (plural: string): string => plural.charAt(0).toUpperCase() + plural.slice(1, -1);

/** What may befall requests of the collector on their way. */
export interface Weather {
  /** Awaited before a request arrives and before its answer does. */
  delay(): Promise<void>;
  /** Whether a request, or an answer, is lost. */
  loses(): boolean;
}

/** One life of the collector. */
interface Life {
  readonly loop: Controller;
  isOver: boolean;
  readonly waiting: Set<string>;
  working: number;
  ownership: KnownOwnership | undefined;
}

/** As much of a plane as the collector works in, with nothing else around it. */
export class GarbagePlane implements Kinds {
  readonly registry: Registry;
  readonly #log: VersionLog;
  readonly #objects: Objects;
  readonly #catalogue: Catalogue;
  readonly #informer: Informer;
  readonly #runtime = new FastRuntime();
  readonly #kinds: ReadonlyMap<string, Kind>;
  readonly #weather: Weather;
  #life: Life | undefined;
  /** Deletions of objects that had a live owner, or of which that was not known. */
  readonly wrongs: string[] = [];
  readonly failures: unknown[] = [];

  private constructor(log: VersionLog, weather: Weather) {
    const runtime = systemRuntime;
    const vocabulary = vocabularies.platform;
    const catalogue = builtInCatalogue(vocabulary);
    this.#kinds = new Map(Object.entries(KINDS).map(([plural, namespaced]) => [plural, kindOf(plural, namespaced)]));
    catalogue.add(...this.#kinds.values());
    this.#log = log;
    this.#weather = weather;
    this.#catalogue = catalogue;
    this.#objects = new Objects({ log, catalogue, runtime, vocabulary, freezes: true });
    this.#informer = new Informer({
      objects: this.#objects,
      catalogue,
      onError: (error) => this.failures.push(error),
    });
    this.registry = plainRegistry({ log, runtime, vocabulary, catalogue, objects: this.#objects });
  }

  static async open(weather: Weather): Promise<GarbagePlane> {
    const runtime = systemRuntime;
    const log = await VersionLog.open(new MemoryBackend({ runtime }), { runtime });
    return new GarbagePlane(log, weather);
  }

  isServed(kind: string): boolean {
    return [...this.#kinds.values()].some(({ storage }) => named(storage) === kind && this.#serves(storage));
  }

  isNamespaced(kind: string): boolean {
    return [...this.#kinds.values()].some(({ storage }) => named(storage) === kind && storage.namespaced);
  }

  /** Has a kind come or go. */
  serve(plural: string, isServed: boolean): void {
    const kind = this.#kinds.get(plural);
    if (!kind || this.#serves(kind.storage) === isServed) return;
    if (isServed) this.#catalogue.add(kind);
    else this.#catalogue.remove(kind);
  }

  /** What is stored of kinds that are served. */
  world(): World {
    return this.#stored([...this.#kinds.values()].filter(({ storage }) => this.#serves(storage)));
  }

  #stored(kinds: readonly Kind[]): World {
    return kinds.flatMap(({ storage }) =>
      this.#objects.versionsIn(storage).map((version) => thingOf(this.#objects.of(version))),
    );
  }

  eventReasons(): (string | undefined)[] {
    return this.#objects.list<ApiObject & { reason?: string }>({ group: '', plural: 'events' }).map((it) => it.reason);
  }

  async create(plural: string, namespace: string, metadata: object): Promise<ApiObject> {
    const { object } = await this.registry.create(this.#typeOf(plural), namespace, { metadata }, OPTIONS);
    return object;
  }

  async patch(plural: string, namespace: string, name: string, patch: object): Promise<void> {
    const ref = { type: this.#typeOf(plural), namespace, name, subresource: '' };
    await this.registry.update(ref, (current) => current && mergePatch(current, patch), { ...OPTIONS, patched: true });
  }

  async delete(plural: string, namespace: string, name: string, options: object): Promise<void> {
    await this.registry.delete(this.#typeOf(plural), namespace, name, { ...OPTIONS, ...options });
  }

  /** Has the collector begin a life, if it has none. */
  begin(): void {
    if (this.#life) return;
    const life: Life = {
      loop: { close: async () => {} },
      isOver: false,
      waiting: new Set(),
      working: 0,
      ownership: undefined,
    };
    const send: Send = (request) => this.#answer(life, request);
    const plane = storedPlane(
      {
        objects: this.#objects,
        catalogue: this.#catalogue,
        informer: this.#informer,
        runtime: this.#runtime,
        vocabulary: vocabularies.platform,
        remoteKinds: { kinds: () => [], undiscovered: () => new Map() },
        sendAs: () => send,
      },
      garbageCollector.account,
    );
    const queues = new WorkQueueMetrics(new Recorder(), this.#runtime);
    const onError = (_loop: string, _key: string, error: unknown): void => {
      // A kind may go between a look at what is served and the request.
      const isUnserved = error instanceof ApiError && error.reason === 'NotFound' && error.details.name === undefined;
      if (!(error instanceof Lost) && !isUnserved) this.failures.push(error);
    };
    this.#life = Object.assign(life, { loop: runLoop(counted(life), { plane, queues, onError }) });
  }

  /** Ends the life of the collector: no request of it arrives any more. */
  async crash(): Promise<void> {
    const life = this.#life;
    if (!life) return;
    this.#life = undefined;
    life.isOver = true;
    await life.loop.close();
  }

  /** Resolves when the collector has nothing left to do. */
  async idle(): Promise<void> {
    const began = performance.now();
    for (let calm = 0; calm < 3; ) {
      await turn();
      calm = this.#isIdle() ? calm + 1 : 0;
      if (performance.now() - began > PATIENCE_MS)
        throw new Error(`there is no end: ${this.failures.slice(0, 3)} ${JSON.stringify(this.world())}`);
    }
  }

  async close(): Promise<void> {
    await this.crash();
    await this.#log.close();
  }

  #isIdle(): boolean {
    const { waiting, working, ownership } = this.#life ?? {};
    return waiting?.size === 0 && working === 0 && !ownership?.whenComplete() && this.#runtime.waiting === 0;
  }

  #serves({ group, version, plural }: ResourceType): boolean {
    return this.#catalogue.find(group, version, plural) !== undefined;
  }

  #typeOf(plural: string): ResourceType {
    const type = this.#catalogue.find(plural in KINDS ? ZOO : '', 'v1', plural);
    if (!type) throw noSuchResource();
    return type;
  }

  async #answer(life: Life, request: PlaneRequest): Promise<{ status: number; body: Buffer }> {
    await this.#weather.delay();
    if (life.isOver || this.#weather.loses()) throw new Lost();
    const [status, body] = await this.#perform(request).then(
      (object) => [200, object] as const,
      (error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        return [error.code, statusOf(error)] as const;
      },
    );
    await this.#weather.delay();
    if (life.isOver || this.#weather.loses()) throw new Lost();
    return { status, body: Buffer.from(JSON.stringify(body)) };
  }

  async #perform({ method, target, body = '{}' }: PlaneRequest): Promise<object> {
    const { plural, namespace, name } = partsOf(target);
    const type = this.#typeOf(plural);
    if (method === 'POST') return (await this.registry.create(type, namespace, JSON.parse(body), OPTIONS)).object;
    const found = this.#objects.get(type, namespace, name);
    if (!found) throw notFound({ group: type.group, resource: type.plural }, name);
    if (method === 'GET') return found;
    if (method === 'PATCH') {
      await this.patch(plural, namespace, name, JSON.parse(body));
      return found;
    }
    const options = JSON.parse(body);
    if (options.preconditions.resourceVersion === found.metadata.resourceVersion) this.#judge(thingOf(found));
    await this.delete(plural, namespace, name, options);
    return found;
  }

  /** What is deleted now has to have owners, and none of them there. */
  #judge(thing: Thing): void {
    // What a kind had that is not served any more was seen to go.
    const world = this.#stored([...this.#kinds.values()]);
    const known = [...this.#kinds.values()].map(({ storage }) => named(storage));
    const kinds = {
      isServed: (kind: string) => known.includes(kind),
      isNamespaced: (kind: string) => this.isNamespaced(kind),
    };
    const standings = thing.owners.map((ref) => standingOf(world, kinds, thing, ref));
    // An owner that is going and has waited for its dependents before wants them gone all the same.
    const isGoing = (uid: string | undefined) => world.some((it) => it.uid === uid && it.isGoing);
    const isLive = standings.some((standing, at) => standing === 'solid' && !isGoing(thing.owners[at]?.uid));
    const isRight = standings.length > 0 && !isLive && !standings.includes('unresolved');
    if (!isRight) this.wrongs.push(`${thing.kind} ${thing.namespace}/${thing.name}: ${standings}`);
  }
}

/** A request or an answer did not arrive. */
class Lost extends Error {}

export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The collector, and what it has to do. */
function counted(life: Life): Loop {
  return {
    ...garbageCollector,
    begin(plane, queue) {
      const add = (key: string): void => {
        life.waiting.add(key);
        queue.add(key);
      };
      const followOwnership: typeof plane.known.followOwnership = (listener) => {
        life.ownership = plane.known.followOwnership(listener);
        return life.ownership;
      };
      const known = Object.assign(Object.create(plane.known), { followOwnership });
      const work = garbageCollector.begin({ ...plane, known }, { add, addAfter: (key, ms) => queue.addAfter(key, ms) });
      return {
        watches: work.watches,
        close: () => work.close?.(),
        async handle(key) {
          life.waiting.delete(key);
          life.working++;
          await work.handle(key).finally(() => life.working--);
        },
      };
    },
  };
}

const named = ({ kind }: Pick<ResourceType, 'kind'>): string => `${apiVersion}/${kind}`;

function thingOf({ kind, apiVersion: version, metadata }: ApiObject): Thing {
  const { uid = '', namespace = '', name = '', ownerReferences = [], finalizers = [], deletionTimestamp } = metadata;
  return {
    uid,
    kind: `${version}/${kind}`,
    namespace,
    name,
    owners: ownerReferences.map((ref) => ({
      uid: ref.uid,
      kind: `${ref.apiVersion}/${ref.kind}`,
      name: ref.name,
      blocks: ref.blockOwnerDeletion ?? false,
    })),
    isGoing: Boolean(deletionTimestamp),
    finalizers,
  };
}

/** `/apis/zoo.example/v1/namespaces/a/lions/b` */
function partsOf(target: string): { plural: string; namespace: string; name: string } {
  const segments = target.split('/').slice(target.startsWith('/api/') ? 3 : 4);
  const [first = '', second = '', third = '', fourth = ''] = segments;
  if (first === 'namespaces' && third !== '') return { plural: third, namespace: second, name: fourth };
  return { plural: first, namespace: '', name: second };
}
