import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type ClientHttp2Session, connect } from 'node:http2';
import { request } from 'node:https';
import type { Readable } from 'node:stream';
import type { Connection } from '../../src/outbound/config.ts';
import { type Answer, answerOf, type Document, type Headers, prepare, tlsOptions } from './client.ts';
import { PATIENCE_MS } from './patience.ts';

export interface WatchEvent {
  readonly type: string;
  readonly object: Document;
}

/** How a stream came to its end: as HTTP has it, or by a broken connection. */
export type End = 'clean' | 'broken';

/** An open watch. Events wait here, in order, until `next` takes them. */
export class Watch {
  readonly ended: Promise<End>;
  readonly #incoming: Readable;
  readonly #waiting: WatchEvent[] = [];
  /** What has come of an event that is not complete. */
  #line: string[] = [];
  #onEvent: (() => void) | undefined;
  #over: End | undefined;

  constructor(incoming: Readable, isComplete: () => boolean) {
    this.#incoming = incoming;
    incoming.setEncoding('utf8').on('data', (text: string) => this.#take(text));
    incoming.on('error', () => {});
    this.ended = new Promise((resolve) => {
      incoming.on('close', () => {
        this.#over = isComplete() ? 'clean' : 'broken';
        this.#onEvent?.();
        resolve(this.#over);
      });
    });
  }

  /** The next event; fails when the stream ends first or nothing comes for a while. */
  async next(): Promise<WatchEvent> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const event = this.#waiting.shift();
      if (event) return event;
      if (this.#over) throw new Error(`the watch came to a ${this.#over} end`);
      if (Date.now() >= deadline) throw new Error('no event came in time');
      await this.#eventOrTimeout(deadline - Date.now());
    }
  }

  async take(count: number): Promise<WatchEvent[]> {
    const events: WatchEvent[] = [];
    while (events.length < count) events.push(await this.next());
    return events;
  }

  /** Events that have come and that nobody has taken. */
  get pending(): readonly WatchEvent[] {
    return this.#waiting;
  }

  /** Takes nothing more from the connection, as a client does that has stopped reading. */
  stall(): void {
    this.#incoming.pause();
  }

  resume(): void {
    this.#incoming.resume();
  }

  close(): void {
    this.#incoming.destroy();
  }

  #take(text: string): void {
    const [first = '', ...lines] = text.split('\n');
    this.#line.push(first);
    for (const next of lines) {
      this.#waiting.push(JSON.parse(this.#line.join('')));
      this.#line = [next];
    }
    this.#onEvent?.();
  }

  #eventOrTimeout(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#onEvent = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Sends a GET on a connection of its own and hands over whatever is answered, as soon as its headers are there. */
function open(connection: Connection, path: string, given: Headers): Promise<IncomingMessage> {
  const { hostname, port } = new URL(connection.server);
  const { headers } = prepare(connection, 'GET', undefined, given);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, headers, agent: false, ...tlsOptions(connection) }, resolve)
      .on('error', reject)
      .end();
  });
}

/** Opens a watch; fails when it is refused. `path` says what to watch, its query included. */
export async function openWatch(connection: Connection, path: string, headers: Headers = {}): Promise<Watch> {
  const incoming = await open(connection, path, headers);
  if (incoming.statusCode === 200) return new Watch(incoming, () => incoming.complete);
  throw new Error(`the watch was refused: ${(await whole(incoming)).text}`);
}

async function whole(incoming: IncomingMessage): Promise<Answer> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part);
  return answerOf(incoming.statusCode ?? 0, incoming.headers, parts);
}

/** As `openWatch`, as a stream of a connection that others may share. */
export async function openHttp2Watch(
  session: ClientHttp2Session,
  connection: Connection,
  path: string,
  given: Headers = {},
): Promise<Watch> {
  const { headers } = prepare(connection, 'GET', undefined, given);
  const stream = session.request({ ':path': path, ...headers });
  const [answer] = await once(stream, 'response');
  if (answer[':status'] === 200) return new Watch(stream, () => stream.readableEnded && stream.rstCode === 0);
  throw new Error(`the watch was refused: ${answer[':status']}`);
}

export function http2Session(connection: Connection): ClientHttp2Session {
  const session = connect(connection.server, tlsOptions(connection));
  session.on('error', () => {});
  return session;
}
