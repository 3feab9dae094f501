import { readFile } from 'node:fs/promises';
import type { Connection, Credentials } from '../outbound/config.ts';
import type { OutboundHeaders } from '../outbound/outbound.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** What is shown while a connection is made; both are PEM. */
export interface ClientCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** Whom requests are from. */
export interface Identity {
  /** The headers that say so, for the next request. */
  headers(): Promise<OutboundHeaders>;
  /**
   * What connections show. Where it is another one than before, connections made with the former one take no more
   * requests. Undefined, or absent, where headers say everything.
   */
  certificate?(): Promise<ClientCertificate | undefined>;
  /** The plane did not accept a request. `shown`: with which headers it was sent. */
  refused(shown?: OutboundHeaders): void;
}

/** Files with tokens are replaced in place, some time before the old token ends. */
const TOKEN_FILE_MS = 60_000;

/** The user of a client configuration. */
export class ConfiguredIdentity implements Identity {
  readonly #credentials: Credentials;
  readonly #runtime: Runtime;
  #token: string | undefined;
  #readAt: number;

  constructor(credentials: Credentials, runtime: Runtime) {
    this.#credentials = credentials;
    this.#runtime = runtime;
    this.#token = credentials.token;
    this.#readAt = runtime.monotonic();
  }

  async headers(): Promise<OutboundHeaders> {
    return { ...(await this.#authorization()), ...impersonation(this.#credentials) };
  }

  async certificate(): Promise<ClientCertificate | undefined> {
    const { clientCertificate: certificate, clientKey: key } = this.#credentials;
    return certificate === undefined || key === undefined ? undefined : { certificate, key };
  }

  refused(): void {
    this.#readAt = Number.NEGATIVE_INFINITY;
  }

  async #authorization(): Promise<OutboundHeaders> {
    const { tokenFile, username, password = '' } = this.#credentials;
    const now = this.#runtime.monotonic();
    if (tokenFile !== undefined && now - this.#readAt >= TOKEN_FILE_MS) {
      this.#token = (await readFile(tokenFile, 'utf8')).trim();
      this.#readAt = now;
    }
    if (this.#token !== undefined) return { authorization: `Bearer ${this.#token}` };
    if (username === undefined) return {};
    return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
  }
}

/** Headers that say whom to act as. */
export function impersonation({ impersonate }: Credentials): OutboundHeaders {
  if (!impersonate) return {};
  const { user, uid, groups, extra } = impersonate;
  const extras = Object.entries(extra).map(([key, values]) => [
    `Impersonate-Extra-${encodeURIComponent(key)}`,
    [...values],
  ]);
  return {
    'Impersonate-User': user,
    ...(uid === undefined ? {} : { 'Impersonate-Uid': uid }),
    ...(groups.length === 0 ? {} : { 'Impersonate-Group': [...groups] }),
    ...Object.fromEntries(extras),
  };
}

/** The same server, for someone who shows other credentials. */
export const withoutCredentials = (connection: Connection): Connection => ({
  server: connection.server,
  ca: connection.ca,
  insecureSkipTlsVerify: connection.insecureSkipTlsVerify,
  tlsServerName: connection.tlsServerName,
  proxyUrl: connection.proxyUrl,
});
