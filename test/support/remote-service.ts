import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { TestAuthority } from './certificates.ts';

/** A request that a remote service was sent. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** Common name of the certificate that was shown; '' for none. */
  readonly client: string;
}

export interface Answered {
  readonly status?: number;
  readonly body: unknown;
}

/** A service of someone else, on a port of its own, that keeps what it was asked. */
export class RemoteService {
  readonly received: Received[] = [];
  /** What it answers from now on. */
  answer: (request: Received) => Answered | Promise<Answered> = () => ({ status: 404, body: {} });
  readonly #server: Server;

  private constructor(authority: TestAuthority) {
    const options = { ...authority.server(), ca: authority.pem, requestCert: true, rejectUnauthorized: false };
    this.#server = createServer(options, async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part);
      const received = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(parts).toString(),
        client: String((request.socket as TLSSocket).getPeerCertificate().subject?.CN ?? ''),
      };
      this.received.push(received);
      const { status = 200, body } = await this.answer(received);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  }

  static async open(authority: TestAuthority): Promise<RemoteService> {
    const service = new RemoteService(authority);
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
