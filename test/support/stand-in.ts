import { createServer as createHttp, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import type { TestAuthority } from './certificates.ts';

type OnUpgrade = (request: IncomingMessage, socket: Duplex) => void;

/** Stands in for a node (over TLS) or for something in a pod, on a port of its own of this machine. */
export class StandIn {
  /** What it was asked for, in order. */
  readonly received: IncomingMessage[] = [];
  /** Common name of the certificate that was shown last; '' for none. */
  client = '';
  answer: RequestListener = (_request, response) => response.end();
  upgrade: OnUpgrade = (_request, socket) => socket.destroy();
  readonly #server: Server;

  private constructor(authority: TestAuthority | undefined, hosts: readonly string[] | undefined) {
    const listener: RequestListener = (request, response) => {
      this.#note(request);
      this.answer(request, response);
    };
    this.#server = authority
      ? createHttps(
          { ...authority.server(hosts), ca: authority.pem, requestCert: true, rejectUnauthorized: false },
          listener,
        )
      : createHttp(listener);
    this.#server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
      this.#note(request);
      socket.on('error', () => {});
      this.upgrade(request, socket);
    });
  }

  /** `hosts`: the names of its certificate, those of this machine when absent. */
  static async open(authority?: TestAuthority, hosts?: readonly string[]): Promise<StandIn> {
    const standIn = new StandIn(authority, hosts);
    await new Promise<void>((resolve) => standIn.#server.listen(0, '127.0.0.1', resolve));
    return standIn;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get latest(): IncomingMessage {
    const latest = this.received.at(-1);
    if (!latest) throw new Error('nothing was received');
    return latest;
  }

  #note(request: IncomingMessage): void {
    const { socket } = request;
    this.received.push(request);
    this.client = socket instanceof TLSSocket ? String(socket.getPeerCertificate().subject?.CN ?? '') : '';
  }

  /** Ends connections on which nothing is asked now. */
  closeIdle(): void {
    this.#server.closeIdleConnections();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Agrees to an upgrade, then says everything back in capitals until the client is done. */
export const shoutBack: OnUpgrade = ({ headers }, socket) => {
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${headers.upgrade}\r\n\r\n`);
  socket.on('data', (part: Buffer) => socket.write(part.toString('latin1').toUpperCase(), 'latin1'));
  socket.on('end', () => socket.end());
};
