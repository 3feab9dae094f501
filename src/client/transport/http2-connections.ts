import type { Socket } from 'node:net';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Dialed } from './dial.ts';
import { type ExchangeAnswer, type ExchangeRequest, type HttpConnections, VersionChanged } from './exchange.ts';
import { Http2Session } from './http2-session.ts';

/** Far more than anybody needs: each carries a hundred requests and more. */
const MOST_CONNECTIONS = 100;

const CLOSED = 'the client was closed';

/** HTTP/2: many requests on one connection, and several connections where a server allows too few on one. */
export class Http2Connections implements HttpConnections {
  readonly #authority: string;
  readonly #dial: () => Promise<Dialed>;
  readonly #runtime: Runtime;
  readonly #sessions = new Set<Http2Session>();
  #opening: Promise<void> | undefined;
  /** Requests that wait until another one ends. */
  readonly #waiting = new Set<() => void>();
  #isRetired = false;
  #isClosed = false;

  /** `first`: a connection that there is already. */
  constructor(authority: string, dial: () => Promise<Dialed>, runtime: Runtime, first: Socket) {
    this.#authority = authority;
    this.#dial = dial;
    this.#runtime = runtime;
    this.#add(first);
  }

  async exchange(request: ExchangeRequest): Promise<ExchangeAnswer> {
    for (;;) {
      request.signal.throwIfAborted();
      if (this.#isClosed) throw new Error(CLOSED);
      const session = this.#withRoom();
      if (session) return session.exchange(request);
      if (this.#sessions.size < MOST_CONNECTIONS) await this.#open();
      else await this.#room(request.signal);
    }
  }

  retire(): void {
    this.#isRetired = true;
    for (const session of this.#sessions) session.retire();
  }

  close(): void {
    this.#isClosed = true;
    for (const session of this.#sessions) session.destroy(new Error(CLOSED));
    for (const wake of this.#waiting) wake();
  }

  /** The first one that has room, so that the others become idle. */
  #withRoom(): Http2Session | undefined {
    for (const session of this.#sessions) if (session.hasRoom) return session;
    return undefined;
  }

  /** One at a time, however many requests wait for it. */
  #open(): Promise<void> {
    this.#opening ??= this.#dial()
      .then(({ socket, version }) => {
        if (version === 'h2') this.#add(socket);
        else {
          socket.destroy();
          throw new VersionChanged('the server does not speak HTTP/2 any more');
        }
      })
      .finally(() => {
        this.#opening = undefined;
      });
    return this.#opening;
  }

  #add(socket: Socket): void {
    const session = new Http2Session(this.#authority, socket, this.#runtime, {
      onRoom: () => {
        // A request that came just before is the last one.
        if (this.#isRetired) session.retire();
        this.#wakeOne();
      },
      onEnd: () => {
        this.#sessions.delete(session);
        this.#wakeOne();
      },
    });
    this.#sessions.add(session);
    if (this.#isClosed) session.destroy(new Error(CLOSED));
  }

  #wakeOne(): void {
    const [next] = this.#waiting;
    next?.();
  }

  #room(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const settle = (): void => {
        this.#waiting.delete(settle);
        signal.removeEventListener('abort', settle);
        resolve();
      };
      this.#waiting.add(settle);
      signal.addEventListener('abort', settle, { once: true });
    });
  }
}
