import type { LeaseObject } from '../../src/client/leading/lease.ts';
import type { Send } from '../../src/client/plane-client.ts';
import type { SimulatedWorld } from '../histories/simulated-world.ts';
import type { Candidate } from './candidate.ts';

type Request = Parameters<Send>[0];
type Answer = Awaited<ReturnType<Send>>;

/** A plane with one Lease, over a network that loses and delays requests and answers. */
export class ModelledLease {
  readonly #world: SimulatedWorld;
  /** How likely a request or an answer is lost or slow. */
  roughness = 0;
  stored: LeaseObject | undefined;
  /** How often the Lease went from one holder to another. */
  transitions = 0;
  writes = 0;
  #version = 0;

  constructor(world: SimulatedWorld) {
    this.#world = world;
  }

  get holder(): string {
    return this.stored?.spec.holderIdentity ?? '';
  }

  /** How one candidate reaches it. What comes back while the candidate is stopped waits for it. */
  sendAs =
    (candidate: Candidate): Send =>
    async (request) => {
      await this.#travel(candidate);
      const answer = this.#answer(request);
      await this.#travel(candidate);
      return answer;
    };

  #answer({ method, body = '' }: Request): Answer {
    if (method === 'GET') return this.stored ? ok(this.stored) : refused(404, 'NotFound');
    const next = JSON.parse(body) as LeaseObject;
    const isFound = this.stored !== undefined;
    if (method === 'POST' && isFound) return refused(409, 'AlreadyExists');
    if (method === 'PUT' && !isFound) return refused(404, 'NotFound');
    const { resourceVersion = '' } = next.metadata;
    const isMeant = resourceVersion === '' || resourceVersion === this.stored?.metadata.resourceVersion;
    if (method === 'PUT' && !isMeant) return refused(409, 'Conflict');
    const taken = next.spec.holderIdentity ?? '';
    if (isFound && taken !== '' && taken !== this.holder) this.transitions++;
    this.writes++;
    this.stored = { ...next, metadata: { uid: 'lease', resourceVersion: String(++this.#version) } };
    return ok(this.stored);
  }

  async #travel(candidate: Candidate): Promise<void> {
    if (!this.#world.chance(this.roughness)) return candidate.wait(this.#world.below(100));
    if (this.#world.chance(0.3)) await new Promise(() => undefined);
    if (this.#world.chance(0.3)) throw new Error('the connection was cut');
    return candidate.wait(this.#world.below(20_000));
  }
}

const ok = (lease: LeaseObject): Answer => ({ status: 200, body: Buffer.from(JSON.stringify(lease)) });

const refused = (status: number, reason: string): Answer => ({
  status,
  body: Buffer.from(JSON.stringify({ kind: 'Status', code: status, reason, message: reason })),
});
