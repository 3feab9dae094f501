import type { Runtime } from '../../runtime/runtime.ts';
import type { Histogram } from './distributions.ts';
import type { Cell, Recorder } from './recorder.ts';

/** Counts what requests show to prove who sends them: certificates and tokens. Times are monotonic milliseconds. */
export class CredentialMetrics {
  readonly #runtime: Runtime;
  readonly #certificateSeconds: Histogram;
  readonly #hits: Cell;
  readonly #misses: Cell;
  readonly #hitSeconds: Histogram;
  readonly #missSeconds: Histogram;
  readonly #verified: Cell;
  readonly #failed: Cell;
  readonly #inFlight: Cell;
  readonly #blocked: Cell;
  readonly #accountTokens: Readonly<Record<'legacy' | 'stale' | 'valid', Cell>>;

  constructor(recorder: Recorder, runtime: Runtime) {
    this.#runtime = runtime;
    this.#certificateSeconds = recorder.histogram('apiserver_client_certificate_expiration_seconds', []);
    this.#hits = recorder.number('authentication_token_cache_request_total', ['hit']);
    this.#misses = recorder.number('authentication_token_cache_request_total', ['miss']);
    this.#hitSeconds = recorder.histogram('authentication_token_cache_request_duration_seconds', ['hit']);
    this.#missSeconds = recorder.histogram('authentication_token_cache_request_duration_seconds', ['miss']);
    this.#verified = recorder.number('authentication_token_cache_fetch_total', ['ok']);
    this.#failed = recorder.number('authentication_token_cache_fetch_total', ['error']);
    this.#inFlight = recorder.number('authentication_token_cache_active_fetch_count', ['in_flight']);
    this.#blocked = recorder.number('authentication_token_cache_active_fetch_count', ['blocked']);
    this.#accountTokens = {
      legacy: recorder.number('serviceaccount_legacy_tokens_total', []),
      stale: recorder.number('serviceaccount_stale_tokens_total', []),
      valid: recorder.number('serviceaccount_valid_tokens_total', []),
    };
  }

  /** `expires`: milliseconds since the epoch. */
  certificateUsed(expires: number): void {
    this.#certificateSeconds.observe((expires - this.#runtime.now()) / 1000);
  }

  accountTokenUsed(sort: 'legacy' | 'stale' | 'valid'): void {
    this.#accountTokens[sort].value++;
  }

  tokenKnown(began: number): void {
    this.#hits.value++;
    this.#hitSeconds.observe(this.#secondsSince(began));
  }

  tokenVerified(began: number, isGood: boolean): void {
    this.#missed(began);
    (isGood ? this.#verified : this.#failed).value++;
  }

  tokenAsked(began: number, isShared: boolean): (isAnswered: boolean) => void {
    const waiting = isShared ? this.#blocked : this.#inFlight;
    waiting.value++;
    return (isAnswered) => {
      waiting.value--;
      this.#missed(began);
      if (!isShared) (isAnswered ? this.#verified : this.#failed).value++;
    };
  }

  #missed(began: number): void {
    this.#misses.value++;
    this.#missSeconds.observe(this.#secondsSince(began));
  }

  #secondsSince(began: number): number {
    return (this.#runtime.monotonic() - began) / 1000;
  }
}
