import type { Duplex } from 'node:stream';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { Dial } from '../http-transport.ts';
import { UpgradeRefused } from './conversation.ts';
import { type PodTarget, pathOf, refusalOf } from './pod-streams.ts';
import type { SpdySession } from './spdy-session.ts';

const MOST_ERROR_BYTES = 64 * 1024;
/** A WebSocket begins each channel with the number of its port. */
const PORT_BYTES = 2;
/** What the other side has for its last words. Over a WebSocket it cannot be told that nothing more comes. */
const LINGER_MS = 5_000;

/** A connection to a port of a pod. */
export interface ForwardedConnection {
  readonly data: Duplex;
  /** Resolves at the end of the connection with what went wrong on the other side; '' when nothing did. */
  readonly failure: Promise<string>;
  close(): void;
}

/**
 * Opens connections to ports of one pod. Over WebSockets where the server takes them, one for each connection; else all of
 * them over one SPDY connection.
 */
export class PortForwarder {
  readonly #dial: Dial;
  readonly #pod: PodTarget;
  readonly #names: Vocabulary['websocketProtocols'];
  readonly #runtime: Runtime;
  #spdy: Promise<SpdySession> | undefined;
  #requests = 0;

  constructor(dial: Dial, pod: PodTarget, vocabulary: Pick<Vocabulary, 'websocketProtocols'>, runtime: Runtime) {
    this.#dial = dial;
    this.#pod = pod;
    this.#names = vocabulary.websocketProtocols;
    this.#runtime = runtime;
  }

  async connect(port: number): Promise<ForwardedConnection> {
    if (!this.#spdy) {
      try {
        return await this.#overWebSocket(port);
      } catch (error) {
        if (!(error instanceof UpgradeRefused)) throw error;
      }
    }
    return this.#overSpdy(port);
  }

  close(): void {
    this.#spdy?.then(
      (session) => session.close(),
      () => {},
    );
  }

  async #overWebSocket(port: number): Promise<ForwardedConnection> {
    const { openWebSocket } = await import('./websocket-conversation.ts');
    const { ChannelPayload } = await import('./channel-payload.ts');
    const { channelV4 } = this.#names;
    const path = pathOf(this.#pod, 'portforward', [['ports', String(port)]]);
    const request = { path, protocols: [channelV4], channels: { data: 0, error: 1 }, closing: [] };
    const conversation = await openWebSocket(await this.#dial(), request, this.#runtime);
    const data = new ChannelPayload(conversation.stream('data'), PORT_BYTES);
    const failure = textOf(new ChannelPayload(conversation.stream('error'), PORT_BYTES));
    data.once('finish', () => this.#runtime.after(LINGER_MS, () => conversation.close()));
    return { data, failure, close: () => conversation.close() };
  }

  async #overSpdy(port: number): Promise<ForwardedConnection> {
    const session = await this.#session();
    const headers = { port: String(port), requestid: String(this.#requests++) };
    const error = await session.open({ ...headers, streamtype: 'error' });
    error.end();
    const data = await session.open({ ...headers, streamtype: 'data' });
    const close = (): void => {
      error.destroy();
      data.destroy();
    };
    return { data, failure: textOf(error), close };
  }

  #session(): Promise<SpdySession> {
    const opening = this.#spdy ?? this.#openSession();
    this.#spdy = opening;
    opening.then(
      (session) => session.onClose(() => this.#forget(opening)),
      () => this.#forget(opening),
    );
    return opening;
  }

  #forget(session: Promise<SpdySession>): void {
    if (this.#spdy === session) this.#spdy = undefined;
  }

  async #openSession(): Promise<SpdySession> {
    const { openSpdy } = await import('./spdy-conversation.ts');
    const path = pathOf(this.#pod, 'portforward', []);
    try {
      return (await openSpdy(await this.#dial(), path, [this.#names.portForward], this.#runtime)).session;
    } catch (error) {
      throw error instanceof UpgradeRefused ? refusalOf(error.status, error.body) : error;
    }
  }
}

async function textOf(stream: Duplex): Promise<string> {
  let text = '';
  try {
    for await (const part of stream) {
      text += part;
      if (text.length > MOST_ERROR_BYTES) break;
    }
  } catch {
    // A connection that breaks off is told of by its data.
  }
  return text;
}
