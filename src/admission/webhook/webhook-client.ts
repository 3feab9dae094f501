import type { ServiceReference } from '../../kinds/admissionregistration/client-config.ts';
import { ServicePlaces } from '../../kinds/core/service/service-places.ts';
import { readAnswer } from '../../outbound/answer-json.ts';
import type { Credentials } from '../../outbound/config.ts';
import { authorityOf } from '../../outbound/dialer.ts';
import { ConnectionWasClosed, NoAnswerInTime } from '../../outbound/failures.ts';
import type { ClusterNetwork, NetworkAddress } from '../../outbound/network.ts';
import type { Outbound, OutboundReply, OutboundRequest, OutboundTrust } from '../../outbound/outbound.ts';
import { OutboundPool } from '../../outbound/outbound-pool.ts';
import type { Objects } from '../../registry/objects.ts';
import { inSteps, restEveryTurn, type Steps } from '../../runtime/pacing.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { WebhookCredentials } from './credentials.ts';
import type { WebhookAddress } from './webhook.ts';

/** An answer may hold a patch that rewrites the largest object there can be. */
const MOST_BYTES = 8 * 1024 * 1024;
/** Of an answer with as many converted objects as are asked for at a time. */
const MOST_VALUES = 500_000;
const HTTPS_PORT = 443;

/** Where a question is sent. */
interface Destination {
  readonly url: URL;
  /** As the other side knows itself: `host:port`. */
  readonly authority: string;
  readonly trust: OutboundTrust;
}

/** What a client works with. */
export interface WebhookClientParts {
  readonly runtime: Runtime;
  /** How services and pods are reached. */
  readonly network: ClusterNetwork;
  readonly objects: Objects;
  readonly vocabulary: Vocabulary;
}

/** Puts questions to webhooks, over connections that are kept open. */
export class WebhookClient {
  readonly #runtime: Runtime;
  readonly #pool: OutboundPool;
  readonly #network: ClusterNetwork;
  readonly #places: ServicePlaces;
  readonly #credentials: WebhookCredentials;

  constructor({ runtime, network, objects, vocabulary }: WebhookClientParts, credentials: WebhookCredentials) {
    this.#runtime = runtime;
    this.#pool = new OutboundPool(runtime);
    this.#network = network;
    this.#places = new ServicePlaces(objects, runtime, vocabulary);
    this.#credentials = credentials;
  }

  /** Resolves with the answer, parsed. Rejects with an Error of one line when there is none in time, or no JSON. */
  async post(address: WebhookAddress, text: string, timeoutMs: number): Promise<unknown> {
    const { url, authority, trust } = this.#destination(address);
    // Tells the webhook how long it has.
    url.searchParams.set('timeout', `${Math.ceil(timeoutMs / 1000)}s`);
    const { clientCertificate, clientKey, ...others } = this.#credentials.of(authority);
    const outbound = this.#pool.with({ ...trust, ...proof(clientCertificate, clientKey) });
    const headers = { 'content-type': 'application/json', host: hostOf(authority), ...authorization(others) };
    const question = { method: 'POST', headers, body: text, mostBytes: MOST_BYTES } as const;
    const reply = await this.#send(outbound, url, question, timeoutMs).catch((error: unknown) => {
      throw new Error(`Post "${url}": ${reasonOf(error)}`, { cause: error });
    });
    return inSteps(jsonIn(reply), restEveryTurn(this.#runtime));
  }

  /** Webhooks may be asked twice: one that closed the connection meanwhile may never have seen the question. */
  async #send(outbound: Outbound, url: URL, question: OutboundRequest, timeoutMs: number): Promise<OutboundReply> {
    const began = this.#runtime.monotonic();
    try {
      return await outbound.send(url, { ...question, timeoutMs });
    } catch (error) {
      if (!(error instanceof ConnectionWasClosed)) throw error;
      return outbound.send(url, { ...question, timeoutMs: timeoutMs - (this.#runtime.monotonic() - began) });
    }
  }

  close(): void {
    this.#pool.close();
  }

  #destination({ url, service, ca }: WebhookAddress): Destination {
    const trust = ca === undefined ? {} : { ca };
    if (service) return this.#behind(service, trust);
    const parsed = new URL(url ?? '');
    return { url: parsed, authority: `${parsed.hostname}:${parsed.port || HTTPS_PORT}`, trust };
  }

  /** The certificate must be that of the service, wherever it is reached. */
  #behind({ namespace, name, path, port = HTTPS_PORT }: ServiceReference, trust: OutboundTrust): Destination {
    const host = `${name}.${namespace}.svc`;
    const place = this.#locate({ host, port }) ?? this.#network.locate(this.#places.find({ namespace, name, port }));
    const url = new URL(`https://${authorityOf(place)}`);
    url.pathname = path ?? '/';
    return { url, authority: `${host}:${port}`, trust: { ...trust, tlsServerName: host } };
  }

  /** Whoever stands in for the cluster's network may know the service by name. */
  #locate(named: NetworkAddress): NetworkAddress | undefined {
    const place = this.#network.locate(named);
    return place.host === named.host && place.port === named.port ? undefined : place;
  }
}

const hostOf = (authority: string): string => authority.replace(/:443$/, '');

const proof = (clientCertificate: string | undefined, clientKey: string | undefined): OutboundTrust =>
  clientCertificate === undefined || clientKey === undefined ? {} : { clientCertificate, clientKey };

function authorization({ token, username, password = '' }: Credentials): Readonly<Record<string, string>> {
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  if (username === undefined) return {};
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}

function reasonOf(error: unknown): string {
  if (error instanceof NoAnswerInTime) return 'context deadline exceeded';
  if (!(error instanceof Error)) return String(error);
  return dialFailure(error) ?? (error.message || String('code' in error ? error.code : error.name));
}

/** Failures to connect in the words by which people and tools know them. */
function dialFailure(
  error: Error & { code?: string; address?: string; port?: number; hostname?: string },
): string | undefined {
  const { code, address = '', port = 0, hostname = '' } = error;
  if (code === 'ECONNREFUSED' && address !== '')
    return `dial tcp ${placeText(address, port)}: connect: connection refused`;
  if (code === 'EHOSTUNREACH' && address !== '')
    return `dial tcp ${placeText(address, port)}: connect: no route to host`;
  return code === 'ENOTFOUND' ? `dial tcp: lookup ${hostname}: no such host` : undefined;
}

const placeText = (address: string, port: number): string =>
  `${address.includes(':') ? `[${address}]` : address}:${port}`;

function* jsonIn({ status, body }: OutboundReply): Steps<unknown> {
  if (status < 200 || status > 206) throw new Error(`the server answered ${status}`);
  return yield* readAnswer(body.toString('utf8'), MOST_VALUES);
}
