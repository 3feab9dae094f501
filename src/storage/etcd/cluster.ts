import { ApiError } from '../../errors.ts';
import { type Runtime, sleep } from '../../runtime.ts';
import { OutcomeUnknown, StorageUnavailable } from '../backend.ts';
import { CODE, GrpcConnection, GrpcError, type Stream, type Tls } from './grpc.ts';
import {
  decodeRange,
  decodeTxn,
  encodeCompaction,
  encodeRange,
  encodeTxn,
  type RangeRequest,
  type RangeResponse,
  type TxnRequest,
  type TxnResponse,
} from './messages.ts';

export interface ClusterOptions {
  readonly runtime: Runtime;
  /** `http://host:port` or `https://host:port` of the members. */
  readonly endpoints: readonly string[];
  readonly tls?: Tls;
}

/** How long a call may take in all, members that do not answer included. */
const READ_MS = 4_000;
const WRITE_MS = 5_000;
/** How long one member has to answer a read before it is asked again, or another that it has been left for. */
const ATTEMPT_MS = 3_000;
const PAUSE_MS = 50;

/** History up to here is gone. */
export class Compacted extends Error {
  override readonly name = 'Compacted';
}

/**
 * An etcd cluster, through whichever member answers: one connection at a time carries everything. A member that is
 * silent, unreachable or cut off from the others is left for the next.
 */
export class Cluster {
  readonly #options: ClusterOptions;
  #next: number;
  #active: GrpcConnection | undefined;
  #connecting: Promise<GrpcConnection> | undefined;
  #closed = false;

  constructor(options: ClusterOptions) {
    this.#options = options;
    // Several servers spread over the members.
    this.#next = Math.floor(options.runtime.random() * options.endpoints.length);
  }

  /** Linearizable unless it names a revision. Rejects with `StorageUnavailable` or `Compacted`. */
  async range(request: RangeRequest): Promise<RangeResponse> {
    return decodeRange(await this.#call('/etcdserverpb.KV/Range', encodeRange(request), READ));
  }

  /**
   * Sent once. Rejects with `StorageUnavailable` when it certainly has no effect, and with `OutcomeUnknown` when it may
   * have one, now or a little later.
   */
  async txn(request: TxnRequest): Promise<TxnResponse> {
    return decodeTxn(await this.#call('/etcdserverpb.KV/Txn', encodeTxn(request), WRITE));
  }

  async compact(revision: number): Promise<void> {
    await this.#call('/etcdserverpb.KV/Compact', encodeCompaction(revision), READ);
  }

  /** Rejects with `StorageUnavailable`. */
  async stream(path: string, onMessage: (message: Buffer) => void): Promise<Stream> {
    return (await this.#connection()).stream(path, onMessage);
  }

  close(): void {
    this.#closed = true;
    this.#active?.close();
  }

  async #call(path: string, message: Buffer, kind: Kind): Promise<Buffer> {
    const { runtime } = this.#options;
    const deadline = runtime.monotonic() + kind.totalMs;
    for (;;) {
      const connection = await this.#connection();
      try {
        return await connection.unary(path, message, Math.min(kind.attemptMs, deadline - runtime.monotonic()));
      } catch (error) {
        if (!(error instanceof GrpcError)) throw error;
        if (isOfMember(error)) this.#leave(connection);
        if (!kind.mayRepeat(error) || runtime.monotonic() + PAUSE_MS >= deadline) throw kind.explain(error);
      }
      await sleep(runtime, PAUSE_MS);
    }
  }

  async #connection(): Promise<GrpcConnection> {
    if (this.#closed) throw new StorageUnavailable('the store is closed');
    if (this.#active?.alive) return this.#active;
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  /** The first member that answers, asked one after another. */
  async #connect(): Promise<GrpcConnection> {
    const { endpoints, tls = {}, runtime } = this.#options;
    const problems: string[] = [];
    for (let tried = 0; tried < endpoints.length; tried++) {
      const endpoint = endpoints[this.#next % endpoints.length] ?? '';
      try {
        const connection = await GrpcConnection.connect(endpoint, tls, runtime);
        if (!this.#closed) return this.#adopt(connection);
        connection.close();
        throw new Error('the store is closed');
      } catch (error) {
        this.#next++;
        problems.push(`${endpoint}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    throw new StorageUnavailable(`no member of etcd answers (${problems.join('; ')})`);
  }

  #adopt(connection: GrpcConnection): GrpcConnection {
    this.#active = connection;
    connection.onClose(() => this.#leave(connection));
    return connection;
  }

  #leave(connection: GrpcConnection): void {
    if (this.#active !== connection) return;
    this.#active = undefined;
    this.#next++;
    connection.close();
  }
}

/** What differs between calls that may be made again and those that may not. */
interface Kind {
  readonly totalMs: number;
  readonly attemptMs: number;
  mayRepeat(error: GrpcError): boolean;
  explain(error: GrpcError): Error;
}

const NO_LEADER = 'etcdserver: no leader';

/** Another member may do better. One that is only slow is not left: that would break all other calls to it. */
const isOfMember = ({ code }: GrpcError): boolean => code === CODE.unavailable;

const isPassing = (error: GrpcError): boolean => isOfMember(error) || error.code === CODE.deadlineExceeded;

const isUndone = ({ from, message }: GrpcError): boolean => from === 'unsent' || message === NO_LEADER;

const READ: Kind = {
  totalMs: READ_MS,
  attemptMs: ATTEMPT_MS,
  mayRepeat: isPassing,
  explain: (error) => (error.code === CODE.outOfRange ? new Compacted(error.message) : unavailable(error)),
};

const WRITE: Kind = {
  totalMs: WRITE_MS,
  attemptMs: WRITE_MS,
  // What has certainly not been done, and may succeed the next time.
  mayRepeat: isUndone,
  explain(error) {
    if (/too large|larger than max/.test(error.message)) return tooLarge();
    const isRefused = isUndone(error) || (error.from === 'server' && REFUSALS.has(error.code));
    return isRefused ? unavailable(error) : new OutcomeUnknown(`etcd did not confirm the write: ${error.message}`);
  },
};

/**
 * Invalid argument, permission denied, resource exhausted, failed precondition, out of range, unauthenticated: answers
 * that etcd gives before it proposes a write to its members.
 */
const REFUSALS: ReadonlySet<number> = new Set([3, 7, 8, 9, 11, 16]);

const unavailable = (error: GrpcError): StorageUnavailable => new StorageUnavailable(`etcd: ${error.message}`);

const tooLarge = (): ApiError =>
  new ApiError('RequestEntityTooLarge', 'the object is larger than etcd accepts (see its --max-request-bytes)');
