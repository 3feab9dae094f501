import type { Outbound } from '../../outbound/outbound.ts';
import { type Runtime, sleep } from '../../runtime/runtime.ts';
import type { Sink } from './backend.ts';
import type { AuditEvent } from './event.ts';

export interface WebhookSinkOptions {
  readonly outbound: Outbound;
  readonly url: URL;
  /** Shown to the remote service, if it wants one. */
  readonly bearer: string | undefined;
  /** Group and version of the events. */
  readonly apiVersion: string;
  /** How long to wait before the first repetition; each later one takes half as long again. */
  readonly initialBackoffMs: number;
  readonly runtime: Runtime;
}

const ATTEMPTS = 5;
const FACTOR = 1.5;
const JITTER = 0.2;

/** Sends lists of events to a remote service. */
export class WebhookSink implements Sink {
  readonly name = 'webhook';
  readonly #options: WebhookSinkOptions;
  #closed = false;

  constructor(options: WebhookSinkOptions) {
    this.#options = options;
  }

  async send(events: readonly AuditEvent[]): Promise<void> {
    const { apiVersion, initialBackoffMs, runtime } = this.#options;
    const items = events.map(({ text }) => text).join(',');
    const body = `{"kind":"EventList","apiVersion":${JSON.stringify(apiVersion)},"metadata":{},"items":[${items}]}`;
    for (let attempt = 1; ; attempt++) {
      const problem = await this.#post(body);
      if (problem === undefined) return;
      if (!problem.passing || attempt === ATTEMPTS || this.#closed) throw problem.error;
      const pause = initialBackoffMs * FACTOR ** (attempt - 1);
      await sleep(runtime, pause * (1 + JITTER * runtime.random()));
    }
  }

  /** Ends repetitions: what is not there by now will not be. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#options.outbound.close();
  }

  /** Undefined: all is well. `passing`: it may be worth to try again. */
  async #post(body: string): Promise<{ error: unknown; passing: boolean } | undefined> {
    const { outbound, url, bearer } = this.#options;
    const authorization = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
    const headers = { 'content-type': 'application/json', ...authorization };
    try {
      const { status } = await outbound.send(url, { method: 'POST', headers, body });
      if (status >= 200 && status < 300) return undefined;
      return { error: new Error(`the audit webhook answered ${status}`), passing: status === 429 || status >= 500 };
    } catch (error) {
      return { error, passing: true };
    }
  }
}
