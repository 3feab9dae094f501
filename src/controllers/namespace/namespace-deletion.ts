import type { Namespace } from '../../kinds/core/namespace/namespace.ts';
import { formatTime } from '../../schema/time.ts';
import { type Loop, type LoopPlane, type LoopQueue, servedKind } from '../loop.ts';
import { ContentRemoval } from './content-removal.ts';
import { withFindings } from './deletion-conditions.ts';
import { Departures } from './departures.ts';

const NAMESPACES = { group: '', plural: 'namespaces' };

/** Empties namespaces that are going, and lets them go when they are empty. */
export const namespaceDeletion: Loop = {
  name: 'namespace',
  account: 'namespace-controller',
  workers: 10,
  begin(plane, queue) {
    const deletion = new NamespaceDeletion(plane, queue);
    return {
      watches: [
        {
          ...NAMESPACES,
          mentions: '"deletionTimestamp"',
          onSet: (namespace) => deletion.noticed(namespace as Namespace),
          onRemove: (namespace) => deletion.forgotten(namespace as Namespace),
        },
      ],
      handle: (name) => deletion.goOn(name),
      close: () => deletion.close(),
    };
  },
};

class NamespaceDeletion {
  readonly #plane: LoopPlane;
  readonly #queue: LoopQueue;
  readonly #departures: Departures;
  /** By name, the uid of namespaces that are going. */
  readonly #going = new Map<string, string>();

  constructor(plane: LoopPlane, queue: LoopQueue) {
    this.#plane = plane;
    this.#queue = queue;
    this.#departures = new Departures(plane.known, queue);
  }

  /** Once for each namespace: from then on it is its content that matters, and nothing that is said of itself. */
  noticed({ metadata: { name = '', uid = '', deletionTimestamp } }: Namespace): string[] {
    if (!deletionTimestamp || this.#going.get(name) === uid) return [];
    this.#going.set(name, uid);
    return [name];
  }

  forgotten({ metadata: { name = '' } }: Namespace): string[] {
    this.#going.delete(name);
    this.#departures.forget(name);
    return [];
  }

  close(): void {
    this.#departures.close();
  }

  async goOn(name: string): Promise<void> {
    const { known, vocabulary } = this.#plane;
    const namespace = known.get<Namespace>(NAMESPACES, '', name);
    const since = namespace?.metadata.deletionTimestamp;
    if (!namespace || !since || !isHeldBy(namespace, vocabulary.finalizers.namespace)) return;
    const isKnown = namespace.status.conditions?.some(({ type }) => type === 'NamespaceContentRemaining') ?? false;
    const content = new ContentRemoval(this.#plane, { name, since: Date.parse(since), isKnown });
    await content.run();
    const told = await this.#tell(namespace, content);
    if (!told) return;
    if (content.isEmpty) {
      await this.#finalize(told);
      return;
    }
    this.#departures.await(name, content.held);
    const [failure] = [...content.failures, ...content.undiscovered.values()];
    if (failure !== undefined) throw new Error(failure);
    this.#queue.addAfter(name, (content.estimateSeconds / 2 + 1) * 1000);
  }

  /** Gives what the namespace is now, unless it is gone. */
  async #tell(namespace: Namespace, content: ContentRemoval): Promise<Namespace | undefined> {
    const now = formatTime(this.#plane.runtime.now());
    return this.#plane.client.change(this.#target(namespace, 'status'), namespace, (current) => {
      const status = withFindings(current.status, content, now);
      return status && { ...current, status };
    });
  }

  async #finalize(namespace: Namespace): Promise<void> {
    const { namespace: own } = this.#plane.vocabulary.finalizers;
    await this.#plane.client.change(this.#target(namespace, 'finalize'), namespace, (current) => {
      if (!isHeldBy(current, own)) return undefined;
      const finalizers = current.spec.finalizers?.filter((finalizer) => finalizer !== own);
      return { ...current, spec: { ...current.spec, finalizers } };
    });
  }

  #target({ metadata: { name = '' } }: Namespace, subresource: string) {
    return { kind: servedKind(this.#plane, NAMESPACES), namespace: '', name, subresource };
  }
}

const isHeldBy = ({ spec }: Namespace, finalizer: string): boolean => spec.finalizers?.includes(finalizer) ?? false;
