import { type ClientRequest, Agent as HttpAgent, request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { ConnectionWasClosed } from '../../outbound/failures.ts';
import type { ExchangeAnswer, ExchangeRequest, HttpConnections } from './exchange.ts';

/** Requests beyond wait for each other. */
const MOST_CONNECTIONS = 32;
/** Long answers have a connection each, and are as many as kinds are watched. */
const MOST_LONG_ANSWERS = 10_000;

/** What requests to a server say besides what they ask for. */
export interface Http1Origin {
  /** Value of the header `Host`. */
  readonly host: string;
  /** Before every path: the URL of the server, for a proxy that is handed requests as they are. */
  readonly prefix: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** HTTP/1.1: one request at a time on each connection. Connections are kept open for the next one. */
export class Http1Connections implements HttpConnections {
  readonly #origin: Http1Origin;
  readonly #requests: DialingAgent;
  readonly #longAnswers: DialingAgent;

  /** `first`: a connection that there is already. */
  constructor(origin: Http1Origin, dial: () => Promise<Socket>, first?: Socket) {
    this.#origin = origin;
    this.#requests = new DialingAgent(dial, MOST_CONNECTIONS, first);
    this.#longAnswers = new DialingAgent(dial, MOST_LONG_ANSWERS);
  }

  exchange({ method, path, headers, body, isLong, signal }: ExchangeRequest): Promise<ExchangeAnswer> {
    const { host, prefix, headers: always } = this.#origin;
    return new Promise((resolve, reject) => {
      const outgoing = httpRequest({
        agent: isLong ? this.#longAnswers : this.#requests,
        method,
        path: `${prefix}${path}`,
        headers: { host, ...always, ...headers },
      });
      let cancel = (): void => void outgoing.destroy(reasonOf(signal));
      const onAbort = (): void => cancel();
      signal.addEventListener('abort', onAbort, { once: true });
      outgoing
        .once('response', (incoming) => {
          cancel = () => void incoming.destroy(reasonOf(signal));
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: incoming });
        })
        .once('upgrade', (_incoming, socket) => {
          socket.destroy();
          reject(new Error('the server changes the protocol unasked'));
        })
        .on('error', (error) => reject(isStale(outgoing, error) ? new ConnectionWasClosed(error.message) : error))
        .once('close', () => signal.removeEventListener('abort', onAbort));
      if (signal.aborted) onAbort();
      else if (body instanceof Readable) sendStream(body, outgoing);
      else outgoing.end(body);
    });
  }

  retire(): void {
    this.#requests.retire();
    this.#longAnswers.retire();
  }

  close(): void {
    this.#requests.close();
    this.#longAnswers.close();
  }
}

export const reasonOf = (signal: AbortSignal): Error =>
  signal.reason instanceof Error ? signal.reason : new Error('the request was cancelled');

const isStale = ({ reusedSocket }: ClientRequest, error: Error): boolean =>
  reusedSocket && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');

/** A body that breaks off breaks off its request. */
function sendStream(body: Readable, outgoing: ClientRequest): void {
  body.on('error', (error) => outgoing.destroy(error));
  outgoing.once('close', () => body.destroy());
  body.pipe(outgoing);
}

/** Keeps connections that somebody else makes. */
class DialingAgent extends HttpAgent {
  readonly #dial: () => Promise<Socket>;
  #first: Socket | undefined;

  constructor(dial: () => Promise<Socket>, mostConnections: number, first?: Socket) {
    super({ keepAlive: true, maxSockets: mostConnections, maxFreeSockets: MOST_CONNECTIONS });
    this.#dial = dial;
    this.#first = first;
  }

  override createConnection(
    _options: object,
    callback: (error: Error | null, socket: Socket) => void = () => {},
  ): undefined {
    const first = this.#first;
    this.#first = undefined;
    const dialed = first && !first.destroyed ? Promise.resolve(first) : this.#dial();
    // The callback takes no socket where there is an error, whatever its type says.
    dialed.then(
      (socket) => callback(null, socket),
      (error: Error) => (callback as (error: Error) => void)(error),
    );
  }

  retire(): void {
    this.maxFreeSockets = 0;
    for (const socket of Object.values(this.freeSockets).flatMap((sockets) => sockets ?? [])) socket.destroy();
    this.#first?.destroy();
  }

  close(): void {
    this.#first?.destroy();
    this.destroy();
  }
}
