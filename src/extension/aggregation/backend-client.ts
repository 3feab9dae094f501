import type { ClientRequest, IncomingMessage } from 'node:http';
import { type Dialer, urlOf } from '../../outbound/dialer.ts';
import { AnswerTooLarge, NoAnswerInTime } from '../../outbound/failures.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { BackendAccess } from './backend-access.ts';
import type { RemoteVersion } from './remote-version.ts';

export interface Fetch {
  /** Path and query. */
  readonly target: string;
  /** Names and values in turn. */
  readonly headers?: readonly string[];
  /** The answer has to be whole by then. */
  readonly timeoutMs: number;
  /** How long its body may be. */
  readonly mostBytes: number;
}

export interface Fetched {
  readonly status: number;
  readonly body: Buffer;
  /** As sent; '' for none. */
  readonly etag: string;
}

/** Questions under way at the same time, to all backends together: each holds a connection and a part of an answer. */
const MOST_AT_ONCE = 64;

/** Asks the servers behind remote versions on behalf of this server itself. Redirects are not followed. */
export class BackendClient {
  readonly #dialer: Dialer;
  readonly #runtime: Runtime;
  readonly #access: BackendAccess;
  /** Says who asks. */
  readonly #identity: readonly string[];
  readonly #open = new Set<ClientRequest>();
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;
  #closed = false;

  constructor(dialer: Dialer, runtime: Runtime, access: BackendAccess, identity: readonly string[]) {
    this.#dialer = dialer;
    this.#runtime = runtime;
    this.#access = access;
    this.#identity = identity;
  }

  /** Resolves with any answer that is whole in time and not too large, whatever its status. */
  get(remote: RemoteVersion, { mostBytes, ...fetch }: Fetch): Promise<Fetched> {
    return this.#inTurn(() => this.#ask(remote, fetch, (incoming) => readWhole(incoming, mostBytes)));
  }

  /** Resolves with the status of an answer, whatever else it says. */
  probe(remote: RemoteVersion, fetch: Omit<Fetch, 'mostBytes'>): Promise<number> {
    return this.#inTurn(() => this.#ask(remote, fetch, async ({ statusCode = 0 }) => statusCode));
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Nobody is asked any more, and whoever waits for an answer learns that there is none. */
  close(): void {
    this.#closed = true;
    for (const outgoing of this.#open) outgoing.destroy(new Error('the server is being closed'));
  }

  async #inTurn<T>(act: () => Promise<T>): Promise<T> {
    if (this.#underWay >= MOST_AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#underWay++;
    try {
      return await act();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#underWay--;
    }
  }

  async #ask<T>(
    remote: RemoteVersion,
    { target, headers = [], timeoutMs }: Omit<Fetch, 'mostBytes'>,
    read: (incoming: IncomingMessage) => Promise<T>,
  ): Promise<T> {
    if (this.#closed) throw new Error('the server is being closed');
    const { destination, ...route } = this.#access.route(remote, target);
    const outgoing = this.#dialer.open(destination, {
      ...route,
      method: 'GET',
      headers: ['Accept', 'application/json', ...headers, ...this.#identity],
    });
    this.#open.add(outgoing);
    const timer = this.#runtime.after(timeoutMs, () =>
      outgoing.destroy(new NoAnswerInTime(`timed out waiting for ${urlOf(destination)}`)),
    );
    try {
      return await new Promise((resolve, reject) => {
        outgoing
          .on('error', reject)
          // The connection is nobody's by now: an error of it would be heard by none, and end the process.
          .once('upgrade', (_incoming, socket) => {
            socket.destroy();
            reject(new Error('the protocol was changed unasked'));
          })
          .once('response', (incoming) => {
            incoming.on('error', reject);
            read(incoming).then(resolve, reject);
          })
          .once('close', () => reject(new Error('the connection was closed')))
          .end();
      });
    } finally {
      timer.cancel();
      this.#open.delete(outgoing);
      outgoing.destroy();
    }
  }
}

async function readWhole(incoming: IncomingMessage, mostBytes: number): Promise<Fetched> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of incoming) {
    length += part.length;
    if (length > mostBytes) throw new AnswerTooLarge(`the answer is longer than ${mostBytes} bytes`);
    parts.push(part);
  }
  const { statusCode = 0, headers } = incoming;
  return { status: statusCode, body: Buffer.concat(parts), etag: headers.etag ?? '' };
}
