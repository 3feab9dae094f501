import {
  createSecureServer,
  type Http2SecureServer,
  type SecureServerOptions,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { HttpTransport, type TransportOptions } from '../../src/client/http-transport.ts';
import type { Identity } from '../../src/client/identity.ts';
import type { Connection } from '../../src/outbound/config.ts';
import { type Runtime, systemRuntime } from '../../src/runtime/runtime.ts';
import { TestAuthority } from './certificates.ts';

export const NOBODY: Identity = { headers: async () => ({}), refused: () => {} };

type OnStream = (stream: ServerHttp2Stream, path: string) => void;

/** Speaks HTTP/2 alone, and behaves as a test says. */
export class Http2StandIn {
  readonly sessions: ServerHttp2Session[] = [];
  readonly streams: ServerHttp2Stream[] = [];
  readonly paths: string[] = [];
  onStream: OnStream = (stream) => {
    stream.respond({ ':status': 200 });
    stream.end('{}');
  };
  readonly #server: Http2SecureServer;
  readonly #authority: TestAuthority;

  private constructor(authority: TestAuthority, options: SecureServerOptions) {
    this.#authority = authority;
    this.#server = createSecureServer({ ...authority.server(), ...options });
    this.#server.on('session', (session) => this.sessions.push(session.on('error', () => {})));
    this.#server.on('stream', (stream, headers) => {
      stream.on('error', () => {});
      this.streams.push(stream);
      this.paths.push(headers[':path'] ?? '');
      this.onStream(stream, headers[':path'] ?? '');
    });
  }

  static async open(options: SecureServerOptions = {}): Promise<Http2StandIn> {
    const standIn = new Http2StandIn(new TestAuthority('planes'), options);
    await new Promise<void>((resolve) => standIn.#server.listen(0, '127.0.0.1', resolve));
    return standIn;
  }

  get connection(): Connection {
    const server = `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return { server, ca: this.#authority.pem, insecureSkipTlsVerify: false };
  }

  transport(options: TransportOptions = {}, runtime: Runtime = systemRuntime): HttpTransport {
    return new HttpTransport(this.connection, runtime, 'test', { environment: {}, ...options });
  }

  async close(): Promise<void> {
    for (const session of this.sessions) session.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
