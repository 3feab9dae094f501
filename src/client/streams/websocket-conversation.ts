import { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { ConnectionWasClosed, NoAnswerInTime } from '../../outbound/failures.ts';
import type { Runtime, Timer } from '../../runtime/runtime.ts';
import type { OwnConnection } from '../http-transport.ts';
import type { Conversation, StreamName } from './conversation.ts';
import { refusalOf, UPGRADE_TIMEOUT_MS } from './upgrade.ts';

/** The longest message that is read, and that is sent. */
const MOST_MESSAGE_BYTES = 16 * 2 ** 20;
const MOST_SENT_BYTES = 32 * 1024;
/** How often the server is asked for a sign of life, and how long nothing may come. */
const PING_MS = 10_000;
const SILENCE_MS = 60_000;
/** Says, since version 5, that the channel whose number follows has ended. */
const CLOSE_SIGNAL = 255;
/** Closed in order, with a code or without one (RFC 6455, 7.4.1). */
const ORDERLY: ReadonlySet<number> = new Set([1000, 1005]);

export interface WebSocketRequest {
  /** Path and query. */
  readonly path: string;
  /** Subprotocols, the preferred one first. */
  readonly protocols: readonly string[];
  /** Numbers of the channels. */
  readonly channels: Readonly<Partial<Record<StreamName, number>>>;
  /** Of these protocols, ends of channels are sent. */
  readonly closing: readonly string[];
}

/** Opens a WebSocket whose messages begin with the number of their channel. */
export async function openWebSocket(
  { socket, host, prefix, headers }: OwnConnection,
  request: WebSocketRequest,
  runtime: Runtime,
): Promise<WebSocketConversation> {
  const webSocket = new WebSocket(`ws://${host}${prefix}${request.path}`, [...request.protocols], {
    createConnection: () => socket,
    headers: { ...headers },
    perMessageDeflate: false,
    maxPayload: MOST_MESSAGE_BYTES,
    handshakeTimeout: UPGRADE_TIMEOUT_MS,
    followRedirects: false,
  });
  // Before the first message can come.
  const conversation = new WebSocketConversation(webSocket, request, runtime);
  await new Promise<void>((resolve, reject) => {
    webSocket
      .once('open', resolve)
      .once('unexpected-response', (outgoing, incoming) => {
        refusalOf(incoming)
          .then(reject, reject)
          .finally(() => outgoing.destroy());
      })
      .once('error', reject)
      .once('close', () => reject(new ConnectionWasClosed('the connection was closed')));
  });
  return conversation;
}

export class WebSocketConversation implements Conversation {
  readonly #socket: WebSocket;
  readonly #channels = new Map<number, Channel>();
  readonly #numbers: WebSocketRequest['channels'];
  readonly #closing: readonly string[];
  readonly #runtime: Runtime;
  /** Channels whose readers are behind. */
  readonly #full = new Set<Channel>();
  #heardAt: number;
  #timer: Timer;

  constructor(socket: WebSocket, { channels, closing }: WebSocketRequest, runtime: Runtime) {
    this.#socket = socket;
    this.#numbers = channels;
    this.#closing = closing;
    this.#runtime = runtime;
    for (const number of Object.values(channels)) this.#channels.set(number, this.#channel(number));
    this.#heardAt = runtime.monotonic();
    this.#timer = this.#watchSilence();
    socket
      .on('message', (data: Buffer) => this.#take(data))
      .on('pong', () => this.#hear())
      .on('ping', () => this.#hear())
      .on('error', (error) => this.#end(error))
      .once('close', (code) => this.#end(ORDERLY.has(code) ? undefined : new ConnectionWasClosed(lost(code))));
  }

  get protocol(): string {
    return this.#socket.protocol;
  }

  stream(name: StreamName): Duplex {
    const channel = this.#channels.get(this.#numbers[name] ?? -1);
    if (!channel) throw new TypeError(`there is no channel for ${name}`);
    return channel;
  }

  close(error?: Error): void {
    this.#end(error);
    this.#socket.terminate();
  }

  #channel(number: number): Channel {
    return new Channel(
      (part, done) => this.#send(number, part, done),
      (channel) => {
        this.#full.delete(channel);
        if (this.#full.size === 0) this.#socket.resume();
      },
      (done) => {
        if (this.#closing.includes(this.protocol)) this.#socket.send(Buffer.of(CLOSE_SIGNAL, number), done);
        else done();
      },
    );
  }

  #send(number: number, part: Buffer, done: (error?: Error) => void): void {
    for (let at = 0; at < part.length; at += MOST_SENT_BYTES) {
      const piece = part.subarray(at, at + MOST_SENT_BYTES);
      const isLast = at + MOST_SENT_BYTES >= part.length;
      this.#socket.send(Buffer.concat([Buffer.of(number), piece]), isLast ? done : undefined);
    }
    if (part.length === 0) done();
  }

  #take(data: Buffer): void {
    this.#hear();
    const [number = -1] = data;
    if (number === CLOSE_SIGNAL) {
      this.#channels.get(data[1] ?? -1)?.finish(undefined);
      return;
    }
    const channel = this.#channels.get(number);
    if (!channel || data.length === 1 || channel.readableEnded || channel.destroyed) return;
    if (channel.push(data.subarray(1))) return;
    this.#full.add(channel);
    this.#socket.pause();
  }

  #end(error: Error | undefined): void {
    this.#timer.cancel();
    for (const channel of this.#channels.values()) channel.finish(error);
  }

  #hear(): void {
    this.#heardAt = this.#runtime.monotonic();
  }

  #watchSilence(): Timer {
    return this.#runtime.after(PING_MS, () => {
      // While we do not read, what was sent is not heard either.
      if (this.#full.size > 0) this.#hear();
      if (this.#runtime.monotonic() - this.#heardAt >= SILENCE_MS) {
        this.close(new NoAnswerInTime('the server gave no sign of life'));
        return;
      }
      if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping();
      this.#timer = this.#watchSilence();
    });
  }
}

const lost = (code: number): string => `the connection was lost (code ${code})`;

class Channel extends Duplex {
  readonly #send: (part: Buffer, done: (error?: Error) => void) => void;
  readonly #wantMore: (channel: Channel) => void;
  readonly #sendEnd: (done: (error?: Error) => void) => void;
  #isFinished = false;

  constructor(
    send: (part: Buffer, done: (error?: Error) => void) => void,
    wantMore: (channel: Channel) => void,
    sendEnd: (done: (error?: Error) => void) => void,
  ) {
    super({ allowHalfOpen: true });
    this.#send = send;
    this.#wantMore = wantMore;
    this.#sendEnd = sendEnd;
    // Whoever reads is told; a channel that nobody reads has nobody to tell.
    this.on('error', () => {});
  }

  /** Nothing comes any more. */
  finish(error: Error | undefined): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    if (error) this.destroy(error);
    else this.push(null);
  }

  override _read(): void {
    this.#wantMore(this);
  }

  override _write(part: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.#send(part, done);
  }

  override _final(done: (error?: Error) => void): void {
    this.#sendEnd(done);
  }
}
