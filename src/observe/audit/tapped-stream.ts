import type { BodyStream, ByteSink } from '../../http/message.ts';

/** More of a streamed body is not kept: an event that large helps nobody. */
export const MOST_BYTES = 16 * 1024 * 1024;

export interface Tapped {
  /** What was sent; undefined when that was more than is kept. */
  readonly parts: readonly Buffer[] | undefined;
}

/** A body stream that tells of its end, started or not, and of what went through it when that is wanted. */
export class TappedStream implements BodyStream {
  readonly #body: BodyStream;
  readonly #onClose: (tapped: Tapped) => void;
  #parts: Buffer[] | undefined;
  #length = 0;

  constructor(body: BodyStream, keepsParts: boolean, onClose: (tapped: Tapped) => void) {
    this.#body = body;
    this.#onClose = onClose;
    this.#parts = keepsParts ? [] : undefined;
  }

  start(sink: ByteSink): void {
    this.#body.start(this.#parts ? this.#tap(sink) : sink);
  }

  onDrain(): void {
    this.#body.onDrain();
  }

  onClose(): void {
    this.#body.onClose();
    this.#onClose({ parts: this.#parts });
    this.#parts = undefined;
  }

  onShutdown(): void {
    this.#body.onShutdown();
  }

  #tap(sink: ByteSink): ByteSink {
    return {
      write: (bytes) => {
        this.#keep(bytes);
        return sink.write(bytes);
      },
      get buffered() {
        return sink.buffered;
      },
      end: () => sink.end(),
      abort: () => sink.abort(),
    };
  }

  /** A copy: whoever writes may use the memory again. */
  #keep(bytes: Buffer): void {
    this.#length += bytes.length;
    if (this.#length > MOST_BYTES) this.#parts = undefined;
    this.#parts?.push(Buffer.from(bytes));
  }
}
