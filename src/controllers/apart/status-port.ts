import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LoopMetrics } from '../../observe/metrics/loop-metrics.ts';

const HEALTH: readonly string[] = ['/healthz', '/livez', '/readyz'];
/** Collectors are few, and ask for little. */
const MOST_CONNECTIONS = 64;
const TIMEOUT_MS = 10_000;

/** Where a process is asked whether it is well, and what it has counted. In the open: it is for one's own machine. */
export class StatusPort {
  readonly #metrics: LoopMetrics;
  readonly #server: Server;

  private constructor(metrics: LoopMetrics) {
    this.#metrics = metrics;
    this.#server = createServer({ requestTimeout: TIMEOUT_MS }, (request, response) => this.#answer(request, response));
    this.#server.maxConnections = MOST_CONNECTIONS;
  }

  /** `place`: `address:port`; 0 for any port that is free. Rejects when nobody can listen there. */
  static async open(place: string, metrics: LoopMetrics): Promise<StatusPort> {
    const { hostname, port } = new URL(`http://${place}`);
    const status = new StatusPort(metrics);
    const server = status.#server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(Number(port || 80), hostname.replace(/^\[|\]$/g, ''), resolve);
    });
    return status;
  }

  get url(): string {
    const { address, port, family } = this.#server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  #answer({ method, url = '' }: IncomingMessage, response: ServerResponse): void {
    const send = (status: number, text: string | Buffer, type = 'text/plain; charset=utf-8'): void => {
      response.writeHead(status, { 'content-type': type }).end(text);
    };
    const [path = ''] = url.split('?');
    if (method !== 'GET') send(405, 'only GET\n');
    else if (HEALTH.includes(path)) send(200, 'ok');
    else if (path !== '/metrics') send(404, 'not found\n');
    else
      this.#metrics.expose().then(
        ({ parts, contentType }) => send(200, Buffer.concat(parts), contentType),
        (error: unknown) => send(500, `${error}\n`),
      );
  }
}
