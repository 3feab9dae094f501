import type { Runtime } from '../../runtime/runtime.ts';
import { type Dialed, dial, type HttpVersion, isForwarded, type Route } from './dial.ts';
import { type ExchangeAnswer, type ExchangeRequest, type HttpConnections, VersionChanged } from './exchange.ts';
import { proxyCredentials } from './proxy-credentials.ts';

/**
 * Connections to a server in the version of HTTP that it speaks, which the first connection finds out. The code of the
 * other version is not loaded.
 */
export class ServerConnections implements HttpConnections {
  readonly #route: Route;
  readonly #versions: readonly HttpVersion[];
  readonly #runtime: Runtime;
  #chosen: Promise<HttpConnections> | undefined;
  #isClosed = false;

  /** `versions`: what to speak, the preferred one first. */
  constructor(route: Route, versions: readonly HttpVersion[], runtime: Runtime) {
    this.#route = route;
    this.#versions = versions;
    this.#runtime = runtime;
  }

  async exchange(request: ExchangeRequest): Promise<ExchangeAnswer> {
    const connections = await this.#connections();
    try {
      return await connections.exchange(request);
    } catch (error) {
      if (!(error instanceof VersionChanged)) throw error;
      connections.retire();
      this.#chosen = undefined;
      return (await this.#connections()).exchange(request);
    }
  }

  retire(): void {
    this.#chosen?.then(
      (connections) => connections.retire(),
      () => {},
    );
  }

  close(): void {
    this.#isClosed = true;
    this.#chosen?.then(
      (connections) => connections.close(),
      () => {},
    );
  }

  /** One connection at a time finds out, however many requests wait for it. */
  async #connections(): Promise<HttpConnections> {
    if (this.#isClosed) throw new Error('the client was closed');
    if (this.#chosen) return this.#chosen;
    const chosen = this.#choose();
    this.#chosen = chosen;
    chosen.catch(() => {
      this.#chosen = undefined;
    });
    return chosen;
  }

  async #choose(): Promise<HttpConnections> {
    const first = await this.#dial(this.#versions);
    const { server, proxy } = this.#route;
    if (first.version === 'h2') {
      const { Http2Connections } = await import('./http2-connections.ts');
      return new Http2Connections(server.host, () => this.#dial(this.#versions), this.#runtime, first.socket);
    }
    const { Http1Connections } = await import('./http1-connections.ts');
    const isPassedOn = isForwarded(this.#route) && proxy !== undefined;
    const origin = {
      host: server.host,
      prefix: isPassedOn ? server.origin : '',
      headers: isPassedOn ? proxyCredentials(proxy) : {},
    };
    const more = async () => (await this.#dial(['http/1.1'])).socket;
    return new Http1Connections(origin, more, first.socket);
  }

  #dial(versions: readonly HttpVersion[]): Promise<Dialed> {
    return dial(this.#route, versions, this.#runtime);
  }
}
