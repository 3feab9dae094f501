import { VERSION } from '../../api/release.ts';
import { AccountIdentity } from '../../client/account-identity.ts';
import { HttpTransport } from '../../client/http-transport.ts';
import { type Identity, withoutCredentials } from '../../client/identity.ts';
import { Leadership } from '../../client/leading/leadership.ts';
import type { LeaseTimes } from '../../client/leading/lease.ts';
import { ServedLease } from '../../client/leading/served-lease.ts';
import { PlaneClient, type Send } from '../../client/plane-client.ts';
import { withinTerm } from '../../client/term.ts';
import type { LoopMetrics } from '../../observe/metrics/loop-metrics.ts';
import type { Connection } from '../../outbound/config.ts';
import type { Deadline } from '../../runtime/deadline.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { Controller } from '../controller.ts';
import type { Loop } from '../loop.ts';
import { LoopTerm } from './loop-term.ts';
import type { ServedPlane } from './served-plane.ts';

export interface Election {
  /** Of the Lease. */
  readonly name: string;
  readonly namespace: string;
  readonly identity: string;
  readonly times: LeaseTimes;
}

export interface LoopsApartParts {
  readonly connection: Connection;
  /** The user of the connection. */
  readonly identity: Identity;
  readonly vocabulary: Vocabulary;
  readonly runtime: Runtime;
  readonly loops: readonly Loop[];
  /** Whether each loop acts as its own service account; otherwise all act as the user of the connection. */
  readonly asAccounts: boolean;
  /** Undefined: nobody else runs these loops. */
  readonly election: Election | undefined;
  readonly metrics: LoopMetrics;
  onError(controller: string, key: string, error: unknown): void;
}

/** Loops run for months and watch a few dozen kinds: a connection that breaks takes one watch with it, not all. */
const ONE_WATCH_A_CONNECTION = { http2: false };

/** Control loops in a process of their own, over HTTP. */
export class LoopsApart implements Controller {
  readonly #parts: LoopsApartParts;
  readonly #transport: HttpTransport;
  /** For those who show a token: a client certificate beside it would be taken for the one who asks. */
  readonly #withTokens: HttpTransport;
  readonly #process: Identity;
  readonly #client: PlaneClient;
  readonly #accounts = new Map<string, Identity>();
  readonly #running: Controller;

  constructor(parts: LoopsApartParts) {
    const { connection, identity, runtime, vocabulary, election, metrics } = parts;
    this.#parts = parts;
    const program = `${vocabulary.components.controllerManager}/${VERSION}`;
    const options = { ...ONE_WATCH_A_CONNECTION, meter: metrics.requests };
    this.#transport = new HttpTransport(connection, runtime, program, options);
    this.#withTokens = new HttpTransport(withoutCredentials(connection), runtime, program, options);
    this.#process = identity;
    this.#client = new PlaneClient(this.#transport.sendAs(this.#process), vocabulary.groups.meta);
    this.#running = election ? this.#stand(election) : this.#begin(undefined);
  }

  async close(): Promise<void> {
    await this.#running.close();
    this.#transport.close();
    this.#withTokens.close();
  }

  #stand({ name, namespace, identity, times }: Election): Leadership {
    const { vocabulary, runtime, metrics, onError } = this.#parts;
    metrics.leads(name, false);
    const send = this.#transport.sendAs(this.#process);
    // A renewal that takes as long as the term is none.
    const hasty: Send = (request) => send({ ...request, timeoutMs: times.termMs });
    const client = new PlaneClient(hasty, vocabulary.groups.meta);
    return new Leadership({
      lease: new ServedLease(client, vocabulary, { name, namespace }),
      identity,
      runtime,
      times,
      onHolder: (holder) => metrics.leads(name, holder === identity),
      onError: (error) => onError('leadership', name, error),
      begin: (term) => [this.#begin(term)],
    });
  }

  #begin(term: Deadline | undefined): Controller {
    const { loops, runtime, vocabulary, metrics, onError } = this.#parts;
    const plane: ServedPlane = {
      runtime,
      client: this.#client,
      openStream: this.#transport.streamAs(this.#process),
      vocabulary,
      onError: (resource, error) => onError('informer', resource, error),
    };
    const clientOf = ({ account }: Loop): PlaneClient =>
      new PlaneClient(withinTerm(term, this.#sendAs(account)), vocabulary.groups.meta);
    return new LoopTerm({ plane, vocabulary, loops, queues: metrics.queues, clientOf, onError });
  }

  #sendAs(account: string | undefined): Send {
    if (account === undefined || !this.#parts.asAccounts) return this.#transport.sendAs(this.#process);
    const identity = this.#accounts.get(account) ?? this.#identityOf(account);
    this.#accounts.set(account, identity);
    return this.#withTokens.sendAs(identity);
  }

  #identityOf(name: string): Identity {
    const { runtime, vocabulary } = this.#parts;
    return new AccountIdentity({
      client: this.#client,
      runtime,
      authenticationGroup: vocabulary.groups.authentication,
      namespace: vocabulary.namespaces.system,
      name,
    });
  }
}
