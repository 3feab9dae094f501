import type { AnyObject } from '../client/plane-client.ts';
import type { Pod } from '../kinds/core/pod/pod.ts';
import { restEveryTurn } from '../runtime/pacing.ts';
import { fromKey, keyOf, type Loop, type LoopPlane, type LoopQueue, type LoopWork, servedKind } from './loop.ts';
import type { LoopMaterials } from './loop-materials.ts';

const PODS = { group: '', plural: 'pods' };
const NODES = { group: '', plural: 'nodes' };
/** A node that has gone may be back in a moment under the same name. */
const QUARANTINE_MS = 40_000;
/** Pods that end together are counted once. */
const COUNTING_MS = 1_000;
/** Pods that are deleted at the same time. */
const AT_ONCE = 16;

/** Keys: pods that have ended, the pods of a node that may be gone, and one pod. */
const ENDED = 'ended';
const NODE = 'node/';
const POD = 'pod/';

type StoredPod = Pod & AnyObject;

/**
 * Deletes pods that nobody else would: the oldest of those that have ended beyond so many (0 for no bound), those on nodes
 * that are gone, and those that are going and were never on a node.
 */
export const podGarbage = ({ terminatedPodThreshold: mostEnded }: LoopMaterials): Loop => ({
  name: 'podgc',
  account: 'pod-garbage-collector',
  workers: 2,
  begin: (plane, queue) => new PodGarbage(plane, queue, mostEnded),
});

class PodGarbage implements LoopWork {
  readonly #plane: LoopPlane;
  readonly #queue: LoopQueue;
  readonly #mostEnded: number;
  /** When pods were made that have ended, by key. */
  readonly #ended = new Map<string, { readonly created: string; readonly uid: string }>();

  constructor(plane: LoopPlane, queue: LoopQueue, mostEnded: number) {
    this.#plane = plane;
    this.#queue = queue;
    this.#mostEnded = mostEnded;
  }

  readonly watches = [
    {
      ...PODS,
      onSet: (pod: AnyObject) => this.#setPod(pod as StoredPod),
      onRemove: (pod: AnyObject) => this.#removePod(pod),
    },
    { ...NODES, onRemove: (node: AnyObject) => this.#suspect(node.metadata.name ?? '') },
  ];

  async handle(key: string): Promise<void> {
    if (key === ENDED) await this.#removeOldest();
    else if (key.startsWith(NODE)) await this.#removeOf(key.slice(NODE.length));
    else await this.#removeUnscheduled(key.slice(POD.length));
  }

  #setPod(pod: StoredPod): string[] {
    const { metadata, spec } = pod;
    this.#count(pod);
    if (spec.nodeName) return this.#plane.known.get(NODES, '', spec.nodeName) ? [] : this.#suspect(spec.nodeName);
    return metadata.deletionTimestamp ? [`${POD}${keyOf(pod)}`] : [];
  }

  #count(pod: StoredPod): void {
    const { creationTimestamp, uid = '' } = pod.metadata;
    if (!hasEnded(pod)) {
      this.#ended.delete(keyOf(pod));
      return;
    }
    this.#ended.set(keyOf(pod), { created: creationTimestamp ?? '', uid });
    if (this.#mostEnded > 0 && this.#ended.size > this.#mostEnded) this.#queue.addAfter(ENDED, COUNTING_MS);
  }

  #removePod(pod: AnyObject): string[] {
    this.#ended.delete(keyOf(pod));
    return [];
  }

  #suspect(node: string): string[] {
    this.#queue.addAfter(`${NODE}${node}`, QUARANTINE_MS);
    return [];
  }

  async #removeOldest(): Promise<void> {
    const excess = this.#ended.size - this.#mostEnded;
    if (excess <= 0) return;
    const byAge = [...this.#ended].sort(([key, one], [other, two]) =>
      one.created === two.created ? compare(key, other) : compare(one.created, two.created),
    );
    await this.#removeAll(byAge.slice(0, excess).map(([key, { uid }]) => ({ key, uid })));
  }

  async #removeOf(node: string): Promise<void> {
    const { known, client, runtime } = this.#plane;
    if (known.get(NODES, '', node)) return;
    // What is known of nodes may be behind.
    if (await client.find({ kind: servedKind(this.#plane, NODES), namespace: '', name: node })) return;
    const rest = restEveryTurn(runtime);
    const lost: Doomed[] = [];
    for (const pod of known.each<StoredPod>(PODS, '', JSON.stringify(node))) {
      if (pod.spec.nodeName === node) lost.push({ key: keyOf(pod), uid: pod.metadata.uid ?? '' });
      const pause = rest();
      if (pause) await pause;
    }
    await this.#removeAll(lost);
  }

  async #removeUnscheduled(key: string): Promise<void> {
    const { namespace, name } = fromKey(key);
    const pod = this.#plane.known.get<StoredPod>(PODS, namespace, name);
    if (!pod?.metadata.deletionTimestamp || pod.spec.nodeName) return;
    await this.#removeAll([{ key, uid: pod.metadata.uid ?? '' }]);
  }

  /** All are tried; the first failure is thrown. */
  async #removeAll(doomed: Doomed[]): Promise<void> {
    const kind = servedKind(this.#plane, PODS);
    const failures: unknown[] = [];
    const work = async (): Promise<void> => {
      for (let next = doomed.pop(); next; next = doomed.pop()) {
        const { key, uid } = next;
        const options = { gracePeriodSeconds: 0, preconditions: { uid } };
        await this.#plane.client
          .deleteIfThere({ kind, ...fromKey(key) }, options)
          .catch((error) => failures.push(error));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (failures.length > 0) throw failures[0];
  }
}

interface Doomed {
  readonly key: string;
  readonly uid: string;
}

/** As the original has it: whatever is in no phase that still goes on. */
const hasEnded = ({ status }: StoredPod): boolean =>
  !['Pending', 'Running', 'Unknown', ''].includes(status.phase ?? '');

const compare = (one: string, other: string): number => {
  if (one === other) return 0;
  return one < other ? -1 : 1;
};
