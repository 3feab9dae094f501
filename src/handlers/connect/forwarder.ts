import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import type { HttpRequest, Reply } from '../../http/message.ts';
import { authorityOf, type Destination, type Dialer, type DialOptions } from '../../outbound/dialer.ts';
import { ConnectionWasClosed } from '../../outbound/failures.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { headersBack, headersOnward, type Secrets } from './forwarded-headers.ts';
import { Relay } from './relay.ts';
import { Tunnel } from './tunnel.ts';

/** How long the other side may think about an upgrade. Nobody would notice a client that goes away meanwhile. */
const UPGRADE_TIMEOUT_MS = 30_000;

const BODY_METHODS: ReadonlySet<string> = new Set(['PATCH', 'POST', 'PUT']);

export interface ForwardOptions extends Pick<DialOptions, 'trust' | 'guarded' | 'connectTimeoutMs' | 'at' | 'agent'> {
  /** Further headers for the other side, names and values in turn. */
  readonly headers?: readonly string[];
  /** Where a redirect is said to lead; by default where the other side says. */
  readonly onLocation?: (location: string) => string;
}

/**
 * Passes requests on and answers back, bodies of both at the pace of whoever reads them. A request for an upgrade that is
 * granted becomes a tunnel.
 */
export class Forwarder {
  readonly #dialer: Dialer;
  readonly #runtime: Runtime;
  readonly #secrets: Secrets;

  constructor(dialer: Dialer, runtime: Runtime, secrets: Secrets) {
    this.#dialer = dialer;
    this.#runtime = runtime;
    this.#secrets = secrets;
  }

  /** Resolves with whatever the other side answers. Rejects with a plain Error when it does not. */
  async forward(request: HttpRequest, destination: Destination, options: ForwardOptions): Promise<Reply> {
    // What follows the headers of an upgrade is not for HTTP: refused here if it claims to be.
    if (request.canUpgrade) await request.readBody(0);
    const body = request.canUpgrade ? undefined : request.streamBody();
    const headers = [
      ...headersOnward(request, this.#secrets),
      ...(options.headers ?? []),
      ...framing(request, body !== undefined),
    ];
    const { agent, ...alone } = options;
    if (agent && isRepeatable(request) && !body) {
      try {
        return await this.#send(request, destination, { ...options, headers }, undefined);
      } catch (error) {
        if (!(error instanceof ConnectionWasClosed)) throw error;
      }
    }
    return this.#send(request, destination, { ...alone, headers }, body);
  }

  /** Rejects with `ConnectionWasClosed` where a connection that was kept turned out to be closed. */
  #send(
    request: HttpRequest,
    destination: Destination,
    options: ForwardOptions & Pick<DialOptions, 'headers'>,
    body: Readable | undefined,
  ): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const outgoing = this.#dialer.open(destination, { ...options, method: request.method });
      const onLocation = options.onLocation ?? ((location) => location);
      outgoing
        .on('error', (error) => reject(outgoing.reusedSocket ? new ConnectionWasClosed(error.message) : error))
        .once('response', (incoming) => {
          if (isFinal(incoming)) resolve(answerOf(incoming, onLocation));
          else outgoing.destroy(new Error(`${authorityOf(destination)} answers with status ${incoming.statusCode}`));
        })
        .once('upgrade', (incoming, socket, head) => {
          if (request.canUpgrade) resolve(this.#tunnel(request, incoming, socket, head));
          else reject(unasked(socket, destination));
        });
      request.onceGone(() => outgoing.destroy());
      if (request.canUpgrade) this.#limitWait(outgoing);
      if (!body) outgoing.end();
      else body.once('aborted', () => outgoing.destroy()).pipe(outgoing);
    });
  }

  #limitWait(outgoing: ClientRequest): void {
    const timer = this.#runtime.after(UPGRADE_TIMEOUT_MS, () =>
      outgoing.destroy(new Error(`no answer in ${UPGRADE_TIMEOUT_MS / 1000} s`)),
    );
    const answered = (): void => timer.cancel();
    outgoing.once('response', answered).once('upgrade', answered).once('close', answered);
  }

  #tunnel(request: HttpRequest, { rawHeaders, headers }: IncomingMessage, socket: Duplex, head: Buffer): Reply {
    if (head.length > 0) socket.unshift(head);
    const client = request.streamBody();
    if (!client) throw new TypeError('an upgrade has a client');
    return {
      status: 101,
      headers: [...headersBack(rawHeaders, String), 'Upgrade', headers.upgrade ?? ''],
      body: new Tunnel(client, socket, this.#runtime),
    };
  }
}

/** The connection is nobody's by now: an error of it would be heard by none, and end the process. */
function unasked(socket: Duplex, destination: Destination): Error {
  socket.destroy();
  return new Error(`${authorityOf(destination)} changes the protocol unasked`);
}

/** May be sent twice: the other side may or may not have seen the first. */
const isRepeatable = ({ method, canUpgrade }: HttpRequest): boolean =>
  !canUpgrade && (method === 'GET' || method === 'HEAD');

/** What the headers say of the connection to the other side and of how long the body is. */
function framing({ canUpgrade, headers, method }: HttpRequest, hasBody: boolean): string[] {
  if (canUpgrade) return ['Connection', 'Upgrade', 'Upgrade', String(headers.upgrade ?? '')];
  if (headers['content-length'] !== undefined) return [];
  if (hasBody) return ['Transfer-Encoding', 'chunked'];
  return BODY_METHODS.has(method) ? ['Content-Length', '0'] : [];
}

/** Whether it is a status that an answer can have; servers may send any three digits. */
const isFinal = ({ statusCode = 0 }: IncomingMessage): boolean => statusCode >= 200 && statusCode < 600;

function answerOf(incoming: IncomingMessage, onLocation: (location: string) => string): Reply {
  return {
    status: incoming.statusCode ?? 502,
    headers: headersBack(incoming.rawHeaders, onLocation),
    body: new Relay(incoming, incoming.headers['content-length'] !== undefined),
  };
}
