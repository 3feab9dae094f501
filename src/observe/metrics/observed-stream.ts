import type { BodyStream, ByteSink } from '../../http/message.ts';

/** Told once each: when the body starts to flow, and when that has ended. A body that never starts tells nothing. */
export interface StreamObserver {
  opened(): void;
  closed(): void;
  /** The server itself broke the body off. */
  aborted(): void;
}

/** A body stream that lets somebody know how long it is open, and is otherwise the stream it wraps. */
export class ObservedStream implements BodyStream {
  readonly #body: BodyStream;
  readonly #observer: StreamObserver;
  #open = false;

  constructor(body: BodyStream, observer: StreamObserver) {
    this.#body = body;
    this.#observer = observer;
  }

  start(sink: ByteSink): void {
    this.#open = true;
    this.#observer.opened();
    this.#body.start(new ObservedSink(sink, this.#observer));
  }

  onDrain(): void {
    this.#body.onDrain();
  }

  onClose(): void {
    if (this.#open) this.#observer.closed();
    this.#open = false;
    this.#body.onClose();
  }

  onShutdown(): void {
    this.#body.onShutdown();
  }
}

/** A sink that lets somebody know when its body is broken off. */
class ObservedSink implements ByteSink {
  readonly #sink: ByteSink;
  readonly #observer: StreamObserver;

  constructor(sink: ByteSink, observer: StreamObserver) {
    this.#sink = sink;
    this.#observer = observer;
  }

  get buffered(): number {
    return this.#sink.buffered;
  }

  write(bytes: Buffer, onSent?: () => void): boolean {
    return this.#sink.write(bytes, onSent);
  }

  end(): void {
    this.#sink.end();
  }

  abort(): void {
    this.#observer.aborted();
    this.#sink.abort();
  }
}
