import type { Recorder } from './recorder.ts';

/** Stands for the code of an answer where there was none. */
const NO_ANSWER = '<error>';

/** Counts requests that a process sends to the plane. There are few hosts, methods and codes. */
export class ClientMetrics {
  readonly #recorder: Recorder;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  answered(method: string, host: string, status: number | undefined, milliseconds: number, sentBytes: number): void {
    const code = status === undefined ? NO_ANSWER : String(status);
    this.#recorder.number('rest_client_requests_total', [code, host, method]).value++;
    this.#recorder.histogram('rest_client_request_duration_seconds', [host, method]).observe(milliseconds / 1000);
    this.#recorder.histogram('rest_client_request_size_bytes', [host, method]).observe(sentBytes);
  }

  received(method: string, host: string, bytes: number): void {
    this.#recorder.histogram('rest_client_response_size_bytes', [host, method]).observe(bytes);
  }
}
