import type { Readable } from 'node:stream';
import type { BodyStream, ByteSink } from '../../http/message.ts';

/** Passes on a body that comes from elsewhere, as fast as the client takes it. */
export class Relay implements BodyStream {
  readonly #source: Readable;
  readonly #isBounded: boolean;
  #sink: ByteSink | undefined;

  /** `isBounded`: the body is known to have an end, which is waited for when the server stops. */
  constructor(source: Readable, isBounded: boolean) {
    this.#source = source;
    this.#isBounded = isBounded;
    source.on('error', () => this.#sink?.abort());
  }

  start(sink: ByteSink): void {
    this.#sink = sink;
    if (this.#source.destroyed) {
      sink.abort();
      return;
    }
    this.#source
      .on('data', (part: Buffer) => {
        if (!sink.write(part)) this.#source.pause();
      })
      .on('end', () => sink.end())
      .on('close', () => {
        if (!this.#source.readableEnded) sink.abort();
      });
  }

  onDrain(): void {
    this.#source.resume();
  }

  onClose(): void {
    this.#source.destroy();
  }

  onShutdown(): void {
    if (!this.#isBounded) this.#sink?.abort();
  }
}
