import { type Client, Lease, Namespace, Node, type Runtime, WorkQueue } from '../../client/index.ts';
import { isRefusal } from '../../client/plane-client.ts';
import { sideBySide } from '../../runtime/side-by-side.ts';
import { DueTimes } from './due-times.ts';
import type { StageSurroundings } from './stage-runner.ts';

/** As often as agents of real nodes do. */
const LEASE_MS = 10_000;
const STATUS_MS = 300_000;
const LEASE_SECONDS = 40;
const AT_ONCE = 16;
const MOST_NODES = 10_000;

/** What a node has, and what it is called by. */
export interface FakeNodeOptions {
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[] | undefined;
  /** 32 `cpu`, 256Gi of `memory` and 110 `pods` unless given. */
  readonly capacity?: Readonly<Record<string, string>> | undefined;
}

const USUAL_CAPACITY = { cpu: '32', memory: '256Gi', pods: '110', 'ephemeral-storage': '1Ti' };

const HEALTH = [
  ['MemoryPressure', 'False', 'HasSufficientMemory'],
  ['DiskPressure', 'False', 'HasNoDiskPressure'],
  ['PIDPressure', 'False', 'HasSufficientPID'],
  ['Ready', 'True', 'AgentReady'],
] as const;

/** Where the agent of all nodes listens. */
export interface AgentPlace {
  readonly address: string;
  readonly port: number;
}

/** Nodes without machines, which renew their leases and report their status as the agents of real ones do. */
export class FakeNodes {
  readonly #client: Client;
  readonly #runtime: Runtime;
  readonly #place: AgentPlace;
  readonly #names = new Set<string>();
  readonly #queue: WorkQueue;
  readonly #due: DueTimes;

  constructor({ client, runtime, onError }: StageSurroundings, place: AgentPlace) {
    this.#client = client;
    this.#runtime = runtime;
    this.#place = place;
    this.#due = new DueTimes(runtime, (key) => this.#queue.add(key));
    this.#queue = new WorkQueue({ runtime, workers: AT_ONCE, handle: (key) => this.#beat(key), onError });
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  get names(): readonly string[] {
    return [...this.#names];
  }

  /** Makes so many nodes, called `node-0` and so on; resolves when they are there. */
  async add(count: number, options: FakeNodeOptions = {}): Promise<readonly string[]> {
    const first = this.#names.size;
    if (!Number.isInteger(count) || count < 0 || first + count > MOST_NODES)
      throw new RangeError(`${count} nodes: there can be ${MOST_NODES}`);
    const names = Array.from({ length: count }, (_, number) => `node-${first + number}`);
    await this.#ensureLeaseNamespace();
    for (const name of names) this.#names.add(name);
    await sideBySide(names, AT_ONCE, (name) => this.#make(name, options));
    // Beats are spread over their period, as those of machines are that started at different times.
    for (const [number, name] of names.entries()) {
      this.#due.set(`lease/${name}`, LEASE_MS - Math.floor((LEASE_MS * number) / names.length));
      this.#due.set(`status/${name}`, STATUS_MS - Math.floor((STATUS_MS * number) / names.length));
    }
    return names;
  }

  /** The node is there and says nothing any more, as if its machine had lost power. */
  silence(name: string): void {
    this.#due.delete(`lease/${name}`);
    this.#due.delete(`status/${name}`);
    this.#names.delete(name);
  }

  async close(): Promise<void> {
    this.#names.clear();
    this.#due.clear();
    await this.#queue.close();
    this.#due.clear();
  }

  async #make(name: string, { labels, taints, capacity }: FakeNodeOptions): Promise<void> {
    const { hostname } = this.#client.vocabulary.labels;
    const has = { ...USUAL_CAPACITY, ...capacity };
    const { address, port } = this.#place;
    const nodes = this.#client.of(Node);
    const made = await nodes.create({ metadata: { name, labels: { [hostname]: name, ...labels } } });
    await nodes.status.patch(name, {
      merge: {
        status: {
          capacity: has,
          allocatable: has,
          conditions: this.#conditions(true),
          addresses: [{ type: 'InternalIP', address }],
          daemonEndpoints: { kubeletEndpoint: { Port: port } },
        },
      },
    });
    // A new node is tainted as not ready until somebody sees that it is.
    await nodes.patch(name, { merge: { spec: { taints: taints ? [...taints] : null } } });
    const owner = { apiVersion: 'v1', kind: 'Node', name, uid: made.metadata.uid };
    await this.#leases.create({
      metadata: { name, ownerReferences: [owner] },
      spec: { holderIdentity: name, leaseDurationSeconds: LEASE_SECONDS, renewTime: this.#microTime },
    });
  }

  async #beat(key: string): Promise<void> {
    const [what = '', name = ''] = key.split('/');
    if (!this.#names.has(name)) return;
    this.#due.set(key, what === 'lease' ? LEASE_MS : STATUS_MS);
    try {
      if (what === 'lease') await this.#leases.patch(name, { merge: { spec: { renewTime: this.#microTime } } });
      else
        await this.#client
          .of(Node)
          .status.patch(name, { strategic: { status: { conditions: this.#conditions(false) } } });
    } catch (error) {
      if (!isRefusal(error, 'NotFound')) throw error;
      // Somebody has deleted the node, or its lease.
      this.silence(name);
    }
  }

  #conditions(isFirst: boolean) {
    const time = new Date(this.#runtime.now()).toISOString().replace(/\.\d+Z$/, 'Z');
    const times = { lastHeartbeatTime: time, ...(isFirst ? { lastTransitionTime: time } : {}) };
    return HEALTH.map(([type, status, reason]) => ({ type, status, reason, ...times }));
  }

  get #leases() {
    return this.#client.of(Lease).inNamespace(this.#client.vocabulary.namespaces.nodeLease);
  }

  get #microTime(): string {
    return new Date(this.#runtime.now()).toISOString().replace('Z', '000Z');
  }

  /** The server makes it itself, at some time after it has started. */
  async #ensureLeaseNamespace(): Promise<void> {
    const name = this.#client.vocabulary.namespaces.nodeLease;
    await this.#client
      .of(Namespace)
      .create({ metadata: { name } })
      .catch((error: unknown) => {
        if (!isRefusal(error, 'AlreadyExists')) throw error;
      });
  }
}
