import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
} from 'node:http2';
import type { Runtime, Timer } from '../../runtime.ts';

/** gRPC over one HTTP/2 connection: as much of it as talking to etcd takes. */

/** How calls end badly, by gRPC's numbers. */
export const CODE = { deadlineExceeded: 4, outOfRange: 11, unavailable: 14 } as const;

/** Where an error is from: the server itself, the way to it, or, when nothing was sent, neither. */
export type Source = 'server' | 'transport' | 'unsent';

export class GrpcError extends Error {
  override readonly name = 'GrpcError';
  readonly code: number;
  readonly from: Source;

  constructor(code: number, message: string, from: Source) {
    super(message);
    this.code = code;
    this.from = from;
  }
}

export interface Tls {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** A call that takes and gives any number of messages. */
export interface Stream {
  send(message: Buffer): void;
  /** As `send`; nothing more will be sent. Streams left open would pile up, and Node hangs when they break at once. */
  sendLast(message: Buffer): void;
  close(): void;
  /** Resolves when the call is over, with what went wrong if anything did. Nothing is received after that. */
  readonly ended: Promise<GrpcError | undefined>;
}

const CONNECT_MS = 1_500;
/** etcd refuses to be pinged more often than every five seconds. */
const PING_EVERY_MS = 6_000;
/** A ping is answered at once however busy the peer is, unless it has stopped. */
const PING_ANSWER_MS = 1_500;
/** How long an answer may take before it is asked whether there is anyone at all. */
const WORRY_MS = 1_000;
const WINDOW_BYTES = 8 << 20;

export class GrpcConnection {
  readonly endpoint: string;
  readonly #session: ClientHttp2Session;
  readonly #runtime: Runtime;
  #nextPing: Timer | undefined;
  #pingAnswer: Timer | undefined;
  #lastPing = Number.NEGATIVE_INFINITY;

  private constructor(endpoint: string, session: ClientHttp2Session, runtime: Runtime) {
    this.endpoint = endpoint;
    this.#session = session;
    this.#runtime = runtime;
    session.setLocalWindowSize(WINDOW_BYTES);
    session.on('close', () => {
      this.#nextPing?.cancel();
      this.#pingAnswer?.cancel();
    });
    this.#keepAlive();
  }

  /** Resolves once the server has spoken; rejects with a plain Error. */
  static connect(endpoint: string, tls: Tls, runtime: Runtime): Promise<GrpcConnection> {
    return new Promise((resolve, reject) => {
      const session = connect(endpoint, { ...tls, settings: { initialWindowSize: WINDOW_BYTES, enablePush: false } });
      const timer = runtime.after(CONNECT_MS, () => {
        // The session itself may keep silent about its end.
        reject(new Error('no answer'));
        session.destroy();
      });
      session.once('remoteSettings', () => {
        timer.cancel();
        resolve(new GrpcConnection(endpoint, session, runtime));
      });
      session.on('error', reject);
      session.once('close', () => {
        timer.cancel();
        reject(new Error('the connection was closed'));
      });
    });
  }

  get alive(): boolean {
    return !this.#session.closed && !this.#session.destroyed;
  }

  onClose(callback: () => void): void {
    this.#session.once('close', callback);
  }

  /** One message there, one back. Rejects with a `GrpcError`. */
  async unary(path: string, message: Buffer, timeoutMs: number): Promise<Buffer> {
    let answer: Buffer | undefined;
    const call = this.stream(path, (received) => {
      answer = received;
    });
    const worry = this.#runtime.after(WORRY_MS, () => this.#check());
    let late = false;
    const timer = this.#runtime.after(timeoutMs, () => {
      late = true;
      call.close();
    });
    call.sendLast(message);
    const error = await call.ended;
    worry.cancel();
    timer.cancel();
    if (late) throw new GrpcError(CODE.deadlineExceeded, `no answer within ${timeoutMs} ms`, 'transport');
    if (error !== undefined) throw error;
    if (answer === undefined) throw new GrpcError(CODE.unavailable, 'an answer without a message', 'transport');
    return answer;
  }

  /** Throws a `GrpcError` when the connection cannot be used any more. */
  stream(path: string, onMessage: (message: Buffer) => void): Stream {
    const stream = this.#request(path);
    let status: GrpcError | undefined = new GrpcError(CODE.unavailable, 'the connection was lost', 'transport');
    const note = (headers: IncomingHttpHeaders): void => {
      if (headers['grpc-status'] !== undefined) status = statusIn(headers);
    };
    const messages = new Messages(onMessage);
    const ended = new Promise<GrpcError | undefined>((resolve) => {
      stream.on('response', note);
      stream.on('trailers', note);
      stream.on('data', (chunk: Buffer) => messages.take(chunk));
      // Every error is followed by the close, which is where the outcome is told.
      stream.on('error', () => undefined);
      stream.on('close', () => resolve(status));
    });
    return {
      ended,
      send: (message) => void stream.write(framed(message)),
      sendLast: (message) => void stream.end(framed(message)),
      close() {
        messages.stop();
        stream.end();
        stream.close(constants.NGHTTP2_CANCEL);
      },
    };
  }

  close(): void {
    this.#session.destroy();
  }

  #request(path: string): ClientHttp2Stream {
    try {
      return this.#session.request({
        ':method': 'POST',
        ':path': path,
        'content-type': 'application/grpc',
        te: 'trailers',
        // A member that is cut off from the others says so, rather than let us wait for it.
        hasleader: 'true',
      });
    } catch {
      throw new GrpcError(CODE.unavailable, 'the connection is closed', 'unsent');
    }
  }

  #keepAlive(): void {
    this.#nextPing = this.#runtime.after(PING_EVERY_MS, () => {
      this.#check();
      this.#keepAlive();
    });
  }

  /** A peer that has stopped or vanished without a word is found out: the connection is closed, and all calls end. */
  #check(): void {
    const now = this.#runtime.monotonic();
    if (!this.alive || now - this.#lastPing < PING_EVERY_MS - WORRY_MS) return;
    this.#lastPing = now;
    this.#pingAnswer = this.#runtime.after(PING_ANSWER_MS, () => this.close());
    this.#session.ping(() => this.#pingAnswer?.cancel());
  }
}

function statusIn(headers: IncomingHttpHeaders): GrpcError | undefined {
  const code = Number(headers['grpc-status']);
  if (code === 0) return undefined;
  return new GrpcError(code, decodeURIComponent(String(headers['grpc-message'] ?? `status ${code}`)), 'server');
}

/** One byte that says "not compressed", four of length. */
const FRAME_HEADER = 5;

function framed(message: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(FRAME_HEADER + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  message.copy(frame, FRAME_HEADER);
  return frame;
}

/** Puts messages together from chunks that may end anywhere. */
class Messages {
  readonly #onMessage: (message: Buffer) => void;
  #chunks: Buffer[] = [];
  #size = 0;
  #wanted = FRAME_HEADER;
  #stopped = false;

  constructor(onMessage: (message: Buffer) => void) {
    this.#onMessage = onMessage;
  }

  take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    while (this.#size >= this.#wanted && !this.#stopped) this.#advance();
  }

  stop(): void {
    this.#stopped = true;
    this.#chunks = [];
  }

  /** Either the header of a message has become complete, which tells its length, or the message has. */
  #advance(): void {
    const [only] = this.#chunks;
    const bytes = this.#chunks.length === 1 && only ? only : Buffer.concat(this.#chunks);
    const end = FRAME_HEADER + bytes.readUInt32BE(1);
    if (bytes.length < end) {
      this.#chunks = [bytes];
      this.#wanted = end;
      return;
    }
    const rest = bytes.subarray(end);
    this.#chunks = [rest];
    this.#size = rest.length;
    this.#wanted = FRAME_HEADER;
    this.#onMessage(bytes.subarray(FRAME_HEADER, end));
  }
}
