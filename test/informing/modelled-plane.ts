import type { InformedPlane, OpenByteStream } from '../../src/client/informing/informed-plane.ts';
import { PlaneClient, type Send } from '../../src/client/plane-client.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { vocabularies } from '../../src/vocabulary/vocabulary.ts';
import { SimulatedProcess, type SimulatedWorld } from '../histories/simulated-world.ts';
import { ModelledWatch } from './modelled-watch.ts';
import { SimulatedStream } from './simulated-stream.ts';
import { type Scope, VersionModel } from './version-model.ts';

const META = 'meta.platform.io';
/** More than a client begins in a minute that waits longer and longer. */
const MOST_ATTEMPTS_A_MINUTE = 75;

/** What a plane that refuses for a while asks for. */
const PATIENCE_SECONDS = 7;
/** A client may have given up on an answer that takes longer. */
const CLIENT_PATIENCE_MS = 60_000;

/** What happened, to see that a history was worth running. */
export interface Tally {
  writes: number;
  compactions: number;
  attempts: number;
  pages: number;
  streamedStates: number;
  listedStates: number;
  resumed: number;
  forgotten: number;
  refusals: number;
  lost: number;
  cuts: number;
  silences: number;
  claims: number;
}

export const emptyTally = (): Tally => ({
  writes: 0,
  compactions: 0,
  attempts: 0,
  pages: 0,
  streamedStates: 0,
  listedStates: 0,
  resumed: 0,
  forgotten: 0,
  refusals: 0,
  lost: 0,
  cuts: 0,
  silences: 0,
  claims: 0,
});

/** How a plane takes a watch that asks for initial events. */
export type InitialEvents = 'served' | 'refused' | 'ignored';

/** A list of a version, or a watch after one. */
interface Resumable {
  readonly base: number;
  readonly stream?: SimulatedStream;
}

/** A plane that is nothing but its versions, reached over a network that fails as a seed decides. */
export class ModelledPlane implements InformedPlane {
  readonly runtime: Runtime;
  readonly vocabulary = vocabularies.platform;
  readonly versions: VersionModel;
  readonly world: SimulatedWorld;
  readonly tally: Tally;
  /** The plane and the network have timers of their own. */
  readonly process: SimulatedProcess;
  /** How likely a request fails, and ten times how likely an event is the last of its connection. */
  roughness: number;
  initialEvents: InitialEvents;
  /** Nobody answers, at once. */
  isDown = false;
  readonly watches = new Set<ModelledWatch>();
  /** Those that the client has to read or to destroy. */
  readonly handedOver: SimulatedStream[] = [];
  /** The first thing that a client must not do. */
  problem: unknown;
  /** From which versions the client may go on: those it was told of. */
  #resumable: Resumable = { base: 0 };
  #attemptTimes: number[] = [];
  /** Until when the client was asked to wait. */
  #notBefore = 0;

  constructor(world: SimulatedWorld, tally: Tally, roughness: number, initialEvents: InitialEvents) {
    this.world = world;
    this.tally = tally;
    this.roughness = roughness;
    this.initialEvents = initialEvents;
    this.versions = new VersionModel(world);
    this.process = new SimulatedProcess(world);
    this.runtime = new SimulatedProcess(world);
  }

  readonly client = new PlaneClient((request) => this.#answerList(request), META);

  readonly openStream: OpenByteStream = async (target, accept) => {
    const query = new URL(target, 'http://plane').searchParams;
    const from = query.get('resourceVersion');
    const attempt = this.#countAttempt();
    if (from !== null) this.#checkResume(Number(from));
    await this.#travel();
    const stream = new SimulatedStream(this.#statusFor(query));
    if (stream.statusCode >= 400) {
      stream.push(Buffer.from(JSON.stringify(this.#refusal(stream.statusCode))));
      stream.end();
    } else {
      const base = from === null ? undefined : Number(from);
      this.#told(attempt, { base: base ?? 0, stream });
      this.#beginWatch(stream, target, accept, base);
    }
    // A request that was repeated on its way has a watch that nobody reads.
    if (stream.statusCode < 400 && this.#fails()) this.#beginWatch(new SimulatedStream(), target, accept, undefined);
    await this.#travel();
    this.handedOver.push(stream);
    this.#askToWait(attempt, stream.statusCode);
    return stream;
  };

  write(): void {
    this.tally.writes++;
    const version = this.versions.write();
    if (version) for (const watch of [...this.watches]) watch.tell(version);
  }

  compact(keep: number): void {
    this.tally.compactions++;
    this.versions.compactTo(this.versions.revision - keep);
  }

  /** Every connection breaks. */
  restart(): void {
    for (const watch of [...this.watches]) watch.cut();
  }

  #beginWatch(stream: SimulatedStream, target: string, accept: string, from: number | undefined): void {
    new ModelledWatch(this, stream, { scope: scopeOf(target, accept), target, from });
  }

  async #answerList({ target, accept = '' }: Parameters<Send>[0]): ReturnType<Send> {
    const query = new URL(target, 'http://plane').searchParams;
    const token = query.get('continue');
    const attempt = token === null ? this.#countAttempt() : this.tally.attempts;
    this.tally.pages++;
    await this.#travel();
    if (this.#fails()) return this.#refuse(this.world.chance(0.5) ? 429 : 500, attempt);
    const { revision, after } = token === null ? { revision: this.versions.revision, after: 0 } : JSON.parse(token);
    if (revision < this.versions.compacted) return this.#refuse(410, attempt);
    const all = this.versions.listAt(revision, scopeOf(target, accept));
    const items = all.slice(after, after + Math.min(Number(query.get('limit')), 1 + this.world.below(9)));
    const reached = after + items.length;
    const rest = reached < all.length ? { continue: JSON.stringify({ revision, after: reached }) } : {};
    await this.#travel();
    if (reached >= all.length) {
      this.tally.listedStates++;
      this.#told(attempt, { base: revision });
    }
    const answer = { items, metadata: { resourceVersion: String(revision), ...rest } };
    return { status: 200, body: Buffer.from(JSON.stringify(answer)) };
  }

  #statusFor(query: URLSearchParams): number {
    if (this.#fails()) {
      this.tally.refusals++;
      return this.world.chance(0.5) ? 429 : 503;
    }
    const from = query.get('resourceVersion');
    if (from !== null && Number(from) < this.versions.compacted && this.world.chance(0.5)) {
      this.tally.forgotten++;
      return 410;
    }
    return query.has('sendInitialEvents') && this.initialEvents === 'refused' ? 422 : 200;
  }

  #refuse(status: number, attempt: number): Awaited<ReturnType<Send>> {
    this.tally.refusals++;
    this.#askToWait(attempt, status);
    return { status, body: Buffer.from(JSON.stringify(this.#refusal(status))) };
  }

  #refusal(code: number): object {
    const details = code === 429 ? { retryAfterSeconds: PATIENCE_SECONDS } : {};
    return { kind: 'Status', code, reason: code === 410 ? 'Expired' : 'Refused', message: `${code}`, details };
  }

  #askToWait(attempt: number, status: number): void {
    const { elapsed } = this.world;
    const isAwaited =
      attempt === this.tally.attempts && elapsed - (this.#attemptTimes.at(-1) ?? 0) < CLIENT_PATIENCE_MS;
    if (status === 429 && isAwaited) {
      this.#notBefore = elapsed + 1000 * PATIENCE_SECONDS;
    }
  }

  #fails(): boolean {
    return this.world.chance(this.roughness);
  }

  /** The way of a request or an answer: quick, slow, without end, or into nothing. */
  async #travel(): Promise<void> {
    if (this.isDown) {
      await this.#wait(1);
      throw new Error('nobody listens there');
    }
    if (this.#fails()) {
      this.tally.lost++;
      if (this.world.chance(0.3)) await new Promise(() => undefined);
      if (this.world.chance(0.5)) throw new Error('the connection was refused');
      await this.#wait(this.world.below(200_000));
      return;
    }
    await this.#wait(this.world.below(200));
  }

  #wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.process.after(milliseconds, resolve);
    });
  }

  #checkResume(from: number): void {
    const { base, stream } = this.#resumable;
    const least = Math.max(base, stream?.processed ?? 0);
    const most = Math.max(base, stream?.handed ?? 0);
    this.tally.resumed++;
    const known = least === most ? `${least}` : `${least} or ${most}`;
    this.#demand(least <= from && from <= most, `went on after ${from}, having been told of everything up to ${known}`);
  }

  /** What comes of an attempt that the client has given up is nothing to it. */
  #told(attempt: number, resumable: Resumable): void {
    if (attempt === this.tally.attempts) this.#resumable = resumable;
  }

  #countAttempt(): number {
    this.tally.attempts++;
    const now = this.world.elapsed;
    this.#demand(now >= this.#notBefore, 'came again earlier than it was asked to');
    this.#attemptTimes = [...this.#attemptTimes.filter((time) => time > now - 60_000), now];
    this.#demand(this.#attemptTimes.length <= MOST_ATTEMPTS_A_MINUTE, 'too many attempts in a minute');
    return this.tally.attempts;
  }

  /** What is thrown here would be taken for a failure of the network. */
  #demand(isSo: boolean, otherwise: string): void {
    if (!isSo) this.problem ??= new Error(otherwise);
  }
}

function scopeOf(target: string, accept: string): Scope {
  const { pathname, searchParams } = new URL(target, 'http://plane');
  return {
    namespace: /namespaces\/([^/]+)/.exec(pathname)?.[1] ?? '',
    onlyOn: searchParams.get('labelSelector') === 'on=yes',
    metadataOnly: accept.includes('PartialObjectMetadata'),
  };
}
