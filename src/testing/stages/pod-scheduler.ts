import {
  type AnyObject,
  Binding,
  type Client,
  fromKey,
  type Informer,
  keyOf,
  type Node,
  NotYet,
  Pod,
  WorkQueue,
} from '../../client/index.ts';
import { isRefusal } from '../../client/plane-client.ts';
import { type Amounts, amountsIn, type Candidate, chooseNode, requestsOf } from './node-choice.ts';
import { bringAbout } from './outcome.ts';
import type { StageSurroundings } from './stage-runner.ts';

const WORKERS = 8;
/** The scheduler that pods ask for unless they name another, which then has to run somewhere. */
const SCHEDULER = 'default-scheduler';

interface Placed {
  readonly node: string;
  readonly requests: Amounts;
}

/** Puts pods on nodes: on the one with the fewest pods that has room and that they may be on. */
export class PodScheduler {
  readonly #surroundings: StageSurroundings;
  readonly #pods: Informer<Pod & AnyObject>;
  readonly #nodes: Informer<Node & AnyObject>;
  readonly #queue: WorkQueue;
  readonly #candidates = new Map<string, Candidate>();
  readonly #used = new Map<string, Record<string, number>>();
  /** Where pods are, or were told to be a moment ago. */
  readonly #placed = new Map<string, Placed>();
  readonly #unplaced = new Set<string>();

  constructor(surroundings: StageSurroundings, pods: Informer<Pod & AnyObject>, nodes: Informer<Node & AnyObject>) {
    this.#surroundings = surroundings;
    this.#pods = pods;
    this.#nodes = nodes;
    this.#queue = new WorkQueue({
      runtime: surroundings.runtime,
      workers: WORKERS,
      handle: (key) => this.#place(key),
      onError: surroundings.onError,
    });
    const setNode = (node: Node & AnyObject): void => this.#setNode(node);
    nodes.handle({
      added: setNode,
      changed: setNode,
      removed: ({ metadata }) => this.#candidates.delete(metadata.name ?? ''),
    });
    const setPod = (pod: Pod & AnyObject): void => this.#setPod(pod);
    pods.handle({ added: setPod, changed: setPod, removed: (pod) => this.#removePod(keyOf(pod)) });
  }

  close(): Promise<void> {
    return this.#queue.close();
  }

  #setNode(node: Node & AnyObject): void {
    const { name = '' } = node.metadata;
    const allocatable = amountsIn(node.status.allocatable);
    this.#candidates.set(name, { node, allocatable, used: this.#usedOf(name) });
    this.#tryAgain();
  }

  #setPod(pod: Pod & AnyObject): void {
    const key = keyOf(pod);
    const { nodeName } = pod.spec;
    if (pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed') this.#removePod(key);
    else if (nodeName) this.#account(key, { node: nodeName, requests: requestsOf(pod) });
    else this.#queue.add(key);
  }

  #removePod(key: string): void {
    this.#unplaced.delete(key);
    const placed = this.#placed.get(key);
    if (!placed) return;
    this.#placed.delete(key);
    this.#add(placed, -1);
    this.#tryAgain();
  }

  #account(key: string, placed: Placed): void {
    const before = this.#placed.get(key);
    if (before) this.#add(before, -1);
    this.#placed.set(key, placed);
    this.#add(placed, 1);
  }

  #add({ node, requests }: Placed, sign: number): void {
    const used = this.#usedOf(node);
    for (const [name, value] of Object.entries(requests)) used[name] = (used[name] ?? 0) + sign * value;
  }

  #usedOf(node: string): Record<string, number> {
    const used = this.#used.get(node) ?? {};
    this.#used.set(node, used);
    return used;
  }

  #tryAgain(): void {
    for (const key of this.#unplaced) this.#queue.add(key);
  }

  async #place(key: string): Promise<void> {
    await this.#nodes.listed();
    const { namespace, name } = fromKey(key);
    const pod = this.#pods.store.get(name, namespace);
    if (!pod || pod.spec.nodeName || pod.metadata.deletionTimestamp || this.#placed.has(key)) return;
    if ((pod.spec.schedulerName || SCHEDULER) !== SCHEDULER) return;
    const node = chooseNode(pod, this.#candidates.values());
    if (node === undefined) return this.#leaveWaiting(key, pod);
    this.#unplaced.delete(key);
    this.#account(key, { node, requests: requestsOf(pod) });
    try {
      await bind(this.#surroundings.client, pod, node);
    } catch (error) {
      this.#removePod(key);
      if (isRefusal(error, 'NotFound')) return;
      if (isRefusal(error, 'Conflict')) throw new NotYet();
      throw error;
    }
  }

  async #leaveWaiting(key: string, pod: Pod & AnyObject): Promise<void> {
    if (this.#unplaced.has(key)) return;
    this.#unplaced.add(key);
    const message = `0/${this.#candidates.size} nodes are available`;
    const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message } as const;
    const { client, runtime } = this.#surroundings;
    await bringAbout({ conditions: [condition] }, pod, { client, kind: Pod, now: runtime.now() });
  }
}

async function bind(client: Client, { metadata: { namespace, name, uid } }: Pod, node: string): Promise<void> {
  await client
    .of(Binding)
    .inNamespace(namespace)
    .create({ metadata: { name, uid }, target: { apiVersion: 'v1', kind: 'Node', name: node } });
}
