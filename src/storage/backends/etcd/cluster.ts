import { ApiError, tooManyRequests } from '../../../api/errors.ts';
import { type Runtime, sleep } from '../../../runtime/runtime.ts';
import { OutcomeUnknown, StorageUnavailable } from '../../backend.ts';
import { GrpcConnection, type Stream } from '../../grpc/grpc.ts';
import { CODE, GrpcError } from '../../grpc/grpc-call.ts';
import type { Tls } from '../../grpc/http2-connection.ts';
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
  /** Asked for every connection, so that certificates can be replaced while the server runs. */
  tls?(): Tls;
}

/** How long a call may take in all, members that do not answer included. */
const READ_MS = 5_000;
export const WRITE_MS = 10_000;
/** How long one member has to answer a read before it is asked again, or another that it has been left for. */
const ATTEMPT_MS = 2_500;
const PAUSE_MS = 50;

/** History up to here is gone. */
export class Compacted extends Error {
  override readonly name = 'Compacted';
}

/** etcd has used up the room it was given, and takes nothing until someone has made room and cleared its alarm. */
export class StorageFull extends StorageUnavailable {}

/**
 * An etcd cluster, through whichever member answers: one connection at a time carries everything. What is wrong with a
 * member decides what happens. One that is overloaded answers late, and is given time. One that is stalled answers its
 * pings and nothing else, and one that is cut off says so: others are asked from then on, and what it was sent may still
 * be answered. One that is dead is silent: its connection is closed.
 */
export class Cluster {
  readonly #options: ClusterOptions;
  #next: number;
  #active: GrpcConnection | undefined;
  #connecting: Promise<GrpcConnection> | undefined;
  readonly #connections = new Set<GrpcConnection>();
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
   * Made once. Rejects with `StorageUnavailable` when it certainly has no effect, and with `OutcomeUnknown` when it may
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
    for (const connection of this.#connections) connection.close();
  }

  async #call(path: string, message: Buffer, kind: Kind): Promise<Buffer> {
    const { runtime } = this.#options;
    const deadline = runtime.monotonic() + kind.totalMs;
    for (;;) {
      const connection = await this.#connection();
      const timeoutMs = Math.min(kind.attemptMs, deadline - runtime.monotonic());
      try {
        return await connection.unary(path, message, timeoutMs);
      } catch (error) {
        if (!(error instanceof GrpcError)) throw error;
        const isStalled = error.code === CODE.deadlineExceeded && connection.sinceAnswerMs >= timeoutMs;
        if (isStalled || isCutOff(error)) this.#leave(connection);
        const isLast = runtime.monotonic() + PAUSE_MS >= deadline;
        if (!kind.mayRepeat(error) || isLast) throw kind.explain(error, isStalled);
      }
      await sleep(runtime, PAUSE_MS);
    }
  }

  async #connection(): Promise<GrpcConnection> {
    if (this.#closed) throw new StorageUnavailable('the store is closed');
    if (this.#active?.usable) return this.#active;
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  /** The first member that answers, asked one after another. */
  async #connect(): Promise<GrpcConnection> {
    const { endpoints, runtime } = this.#options;
    const problems: string[] = [];
    for (let tried = 0; tried < endpoints.length; tried++) {
      const endpoint = endpoints[this.#next % endpoints.length] ?? '';
      try {
        const connection = await GrpcConnection.connect(endpoint, this.#options.tls?.() ?? {}, runtime);
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
    this.#connections.add(connection);
    connection.onClose(() => {
      this.#connections.delete(connection);
      if (this.#active !== connection) return;
      this.#active = undefined;
      this.#next++;
    });
    return connection;
  }

  /** Asks another member from now on, where there is one. What the one before was sent may still be answered. */
  #leave(connection: GrpcConnection): void {
    if (this.#active !== connection || this.#options.endpoints.length === 1) return;
    this.#active = undefined;
    this.#next++;
    connection.leave();
  }
}

/** What differs between calls that may be made again and those that may not. */
interface Kind {
  readonly totalMs: number;
  readonly attemptMs: number;
  mayRepeat(error: GrpcError): boolean;
  explain(error: GrpcError, isStalled: boolean): Error;
}

const NO_LEADER = 'etcdserver: no leader';
const TOO_MANY = 'etcdserver: too many requests';

/** A member that knows no leader, or goes: another may do better. */
const isCutOff = ({ message }: GrpcError): boolean => message === NO_LEADER || message === 'etcdserver: server stopped';

const isBusy = ({ message }: GrpcError): boolean => message === TOO_MANY;

const isPassing = (error: GrpcError): boolean =>
  error.code === CODE.unavailable || error.code === CODE.deadlineExceeded || isBusy(error);

/** It certainly has no effect, and may have one the next time. */
const isUndone = (error: GrpcError): boolean => error.from === 'unsent' || isCutOff(error) || isBusy(error);

const READ: Kind = {
  totalMs: READ_MS,
  attemptMs: ATTEMPT_MS,
  mayRepeat: isPassing,
  explain(error, isStalled) {
    if (error.code === CODE.outOfRange) return new Compacted(error.message);
    const isSlow = error.code === CODE.deadlineExceeded && !isStalled;
    return isSlow || isBusy(error) ? overloaded() : unavailable(error);
  },
};

const WRITE: Kind = {
  totalMs: WRITE_MS,
  attemptMs: WRITE_MS,
  mayRepeat: isUndone,
  explain(error) {
    if (/too large|larger than max/.test(error.message)) return tooLarge();
    if (/database space exceeded/.test(error.message)) return full();
    if (isBusy(error)) return overloaded();
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

const RETRY_AFTER_SECONDS = 1;

export const overloaded = (): ApiError =>
  tooManyRequests('etcd has more to do than it can: please try again later', RETRY_AFTER_SECONDS);

const full = (): StorageFull =>
  new StorageFull('etcd has no space left (its NOSPACE alarm is raised), and takes no writes until that is cleared');

const tooLarge = (): ApiError =>
  new ApiError('RequestEntityTooLarge', 'the object is larger than etcd accepts (see its --max-request-bytes)');
