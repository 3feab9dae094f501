import { readFile } from 'node:fs/promises';
import { type Runtime, sleep } from '../runtime/runtime.ts';
import { type Connection, loadClientConfig } from './config.ts';
import { NoAnswerInTime } from './failures.ts';
import { demandPrivate, Outbound, type OutboundReply } from './outbound.ts';

export type Json = Readonly<Record<string, unknown>>;

/** A question in the form of an object, whose status is the answer. */
export interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: object;
}

/** Before the second attempt to get an answer; each further one comes half as much later. */
const FIRST_DELAY_MS = 500;
const DELAY_GROWTH = 1.5;
const MOST_RETRIES = 3;

interface Peer {
  readonly outbound: Outbound;
  readonly url: URL;
  /** Shown to the service, if it wants one. */
  readonly bearer: string | undefined;
  /** Where it was read from; such files are replaced in place. */
  readonly bearerFile?: string | undefined;
  /** How long one attempt may take; ten seconds unless given. */
  readonly timeoutMs?: number | undefined;
}

/** Where a service is, and what to show it. */
export interface ServicePlace {
  readonly connection: Connection;
  readonly url: URL;
  /** How long one attempt to ask it may take; ten seconds unless given. */
  readonly timeoutMs?: number;
}

/** Reads a client configuration that says where a service is. Rejects with what to tell the operator. */
export async function readPlace(file: string): Promise<ServicePlace> {
  const connection = await loadClientConfig(file);
  if (connection.proxyUrl !== undefined) throw new Error(`${file}: proxies are not supported`);
  return { connection, url: demandPrivate(connection.server, file) };
}

/** A remote service that answers reviews which are posted to it. */
export class ReviewService {
  readonly #name: string;
  readonly #peer: Peer;
  readonly #runtime: Runtime;
  readonly #firstDelayMs: number;
  #closed = false;

  /** `name`: what the service is called in errors. */
  constructor(name: string, peer: Peer, runtime: Runtime, firstDelayMs = FIRST_DELAY_MS) {
    this.#name = name;
    this.#peer = peer;
    this.#runtime = runtime;
    this.#firstDelayMs = firstDelayMs;
  }

  /** The service that a client configuration names. Rejects with what to tell the operator. */
  static async fromFile(name: string, file: string, runtime: Runtime): Promise<ReviewService> {
    return ReviewService.at(name, await readPlace(file), runtime);
  }

  static at(
    name: string,
    { connection, url, timeoutMs }: ServicePlace,
    runtime: Runtime,
    firstDelayMs?: number,
  ): ReviewService {
    const peer = {
      outbound: new Outbound(connection, runtime),
      url,
      bearer: connection.token,
      bearerFile: connection.tokenFile,
      timeoutMs,
    };
    return new ReviewService(name, peer, runtime, firstDelayMs);
  }

  /**
   * Resolves with the status that the service gives the review. Rejects when there is no answer to be had, or it is one
   * to something else; the message names no address and no credential.
   */
  async statusOf(review: Review): Promise<Json> {
    const { apiVersion, kind } = review;
    const answer = jsonIn(await this.#post(JSON.stringify({ ...review, metadata: {} })));
    if (!answer) throw new Error(`${this.#name} did not answer with JSON`);
    if (answer.apiVersion !== apiVersion || answer.kind !== kind) {
      throw new Error(`${this.#name} did not answer with a ${kind} of ${apiVersion}`);
    }
    return objectIn(answer.status);
  }

  /** Lets go of connections; whoever waits for an answer learns that there is none. */
  close(): void {
    this.#closed = true;
    this.#peer.outbound.close();
  }

  /** Tries again when the service could not answer: not when it did not like the question, nor when it took all the time. */
  async #post(body: string): Promise<Buffer> {
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#send(body).catch((error: unknown) => this.#failure(error));
      if (!(outcome instanceof Error) && outcome.status >= 200 && outcome.status < 300) return outcome.body;
      if (attempt === MOST_RETRIES || this.#closed || !isPassing(outcome)) throw this.#asError(outcome);
      await sleep(this.#runtime, this.#firstDelayMs * DELAY_GROWTH ** attempt);
    }
  }

  async #send(body: string): Promise<OutboundReply> {
    const { outbound, url, timeoutMs } = this.#peer;
    const bearer = await currentBearer(this.#peer);
    const authorization = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
    return outbound.send(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...authorization },
      body,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
  }

  #failure(cause: unknown): Error {
    if (cause instanceof NoAnswerInTime) return new NoAnswerInTime(`${this.#name} did not answer in time`);
    return new Error(`${this.#name} could not be reached`, { cause });
  }

  #asError(outcome: OutboundReply | Error): Error {
    return outcome instanceof Error ? outcome : new Error(`${this.#name} answered ${outcome.status}`);
  }
}

/** A file that cannot be read just now counts as it was. */
async function currentBearer({ bearer, bearerFile }: Peer): Promise<string | undefined> {
  if (bearerFile === undefined) return bearer;
  const text = await readFile(bearerFile, 'utf8').catch(() => '');
  return text.trim() || bearer;
}

const isPassing = (outcome: OutboundReply | Error): boolean =>
  outcome instanceof Error ? !(outcome instanceof NoAnswerInTime) : outcome.status >= 500 || outcome.status === 429;

function jsonIn(bytes: Buffer): Json | undefined {
  try {
    return objectIn(JSON.parse(bytes.toString('utf8')));
  } catch {
    return undefined;
  }
}

export const objectIn = (value: unknown): Json => (typeof value === 'object' && value !== null ? { ...value } : {});

export const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
