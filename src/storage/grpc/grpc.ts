import { PassingMap } from '../../runtime/passing-map.ts';
import type { Runtime, Timer } from '../../runtime/runtime.ts';
import { Call, CODE, GrpcError } from './grpc-call.ts';
import { framed } from './grpc-messages.ts';
import { Http2Connection, type Tls } from './http2-connection.ts';
import type { Http2Stream } from './http2-stream.ts';

/** gRPC over one HTTP/2 connection: as much of it as talking to etcd, and to plugins on this machine, takes. */

/** A call that takes and gives any number of messages. */
export interface Stream {
  send(message: Buffer): void;
  close(): void;
  /** Resolves when the call is over, with what went wrong if anything did. Nothing is received after that. */
  readonly ended: Promise<GrpcError | undefined>;
}

/** A call with one answer that has not come yet. */
interface Unanswered {
  readonly number: number;
  readonly deadline: number;
  readonly timeoutMs: number;
  readonly stream: Http2Stream;
  fail(error: GrpcError): void;
}

const TICK_MS = 250;
/** How long nothing may come before it is asked whether there is anyone: when something should come, and when not. */
const QUIET_MS = 1_000;
const IDLE_MS = 6_000;
/** etcd refuses to be pinged more often than every five seconds. */
const PING_EVERY_MS = 5_500;
/** A ping is answered at once however busy the peer is, unless it has stopped. Counted in ticks: we may be busy too. */
const PING_TICKS = 8;

export class GrpcConnection {
  readonly endpoint: string;
  readonly #connection: Http2Connection;
  readonly #runtime: Runtime;
  readonly #unanswered = new PassingMap<number, Unanswered>();
  readonly #streams = new Set<Stream>();
  #calls = 0;
  #answeredAt: number;
  #pingAt = Number.NEGATIVE_INFINITY;
  #ticksSincePing: number | undefined;
  #timer: Timer | undefined;

  private constructor(endpoint: string, connection: Http2Connection, runtime: Runtime) {
    this.endpoint = endpoint;
    this.#connection = connection;
    this.#runtime = runtime;
    this.#answeredAt = runtime.monotonic();
    connection.onClose(() => this.#timer?.cancel());
    this.#scheduleTick();
  }

  /** Resolves once the server has spoken; rejects with a plain Error. */
  static async connect(endpoint: string, tls: Tls, runtime: Runtime): Promise<GrpcConnection> {
    return new GrpcConnection(endpoint, await Http2Connection.connect(endpoint, tls, runtime), runtime);
  }

  /** New calls can be made. */
  get usable(): boolean {
    return this.#connection.usable;
  }

  /** How long ago a call was answered last. A peer that has much to do answers some, one that is stalled none. */
  get sinceAnswerMs(): number {
    return this.#runtime.monotonic() - this.#answeredAt;
  }

  onClose(callback: (reason: string) => void): void {
    this.#connection.onClose(callback);
  }

  /** One message there, one back, of any size unless given. Rejects with a `GrpcError`. */
  unary(path: string, message: Buffer, timeoutMs: number, mostBytes?: number): Promise<Buffer> {
    const number = ++this.#calls;
    return new Promise((resolve, reject) => {
      let answer: Buffer | undefined;
      const call = new Call(
        (received) => {
          answer = received;
        },
        (error) => {
          this.#unanswered.delete(number);
          this.#answeredAt = this.#connection.heardAt;
          if (error !== undefined) reject(error);
          else if (answer !== undefined) resolve(answer);
          else reject(new GrpcError(CODE.unavailable, 'an answer without a message', 'transport'));
        },
        mostBytes,
      );
      const stream = this.#connection.open(path, call);
      if (stream === undefined) return reject(closedBefore());
      const deadline = this.#runtime.monotonic() + timeoutMs;
      this.#unanswered.set(number, { number, deadline, timeoutMs, stream, fail: reject });
      this.#connection.send(stream, framed(message), true);
    });
  }

  /** Throws a `GrpcError` when no new calls can be made. */
  stream(path: string, onMessage: (message: Buffer) => void): Stream {
    let end: (error: GrpcError | undefined) => void = () => undefined;
    const ended = new Promise<GrpcError | undefined>((resolve) => {
      end = resolve;
    });
    const connection = this.#connection;
    const http2 = connection.open(path, new Call(onMessage, (error) => finish(error)));
    if (http2 === undefined) throw closedBefore();
    const finish = (error: GrpcError | undefined): void => {
      this.#streams.delete(stream);
      end(error);
    };
    const stream: Stream = {
      ended,
      send: (message) => connection.send(http2, framed(message), false),
      close() {
        connection.cancel(http2);
        finish(new GrpcError(CODE.unavailable, 'the call was given up', 'transport'));
      },
    };
    this.#streams.add(stream);
    return stream;
  }

  /** Ends streams at once, and the connection when all that is unanswered has been answered or given up. */
  leave(): void {
    for (const stream of [...this.#streams]) stream.close();
    this.#connection.leave();
  }

  close(reason?: string): void {
    this.#connection.close(reason);
  }

  #scheduleTick(): void {
    this.#timer = this.#runtime.after(TICK_MS, () => {
      this.#giveUpLate();
      this.#checkPeer();
      if (!this.#connection.closed) this.#scheduleTick();
    });
  }

  #giveUpLate(): void {
    const now = this.#runtime.monotonic();
    for (const { number, deadline, timeoutMs, stream, fail } of this.#unanswered.values()) {
      if (deadline > now) continue;
      this.#unanswered.delete(number);
      this.#connection.cancel(stream);
      fail(new GrpcError(CODE.deadlineExceeded, `no answer within ${timeoutMs} ms`, 'transport'));
    }
  }

  /** A peer that has stopped or vanished without a word is found out: the connection is closed, and all calls end. */
  #checkPeer(): void {
    const now = this.#runtime.monotonic();
    const { heardAt } = this.#connection;
    if (heardAt > this.#pingAt) this.#ticksSincePing = undefined;
    if (this.#ticksSincePing !== undefined) {
      if (++this.#ticksSincePing > PING_TICKS) this.close('the peer does not answer any more');
      return;
    }
    const patience = this.#unanswered.size > 0 ? QUIET_MS : IDLE_MS;
    if (now - heardAt < patience || now - this.#pingAt < PING_EVERY_MS) return;
    this.#pingAt = now;
    this.#ticksSincePing = 0;
    this.#connection.ping();
  }
}

const closedBefore = (): GrpcError => new GrpcError(CODE.unavailable, 'the connection is closed', 'unsent');
