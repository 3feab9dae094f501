import type { BodyStream, ByteSink } from '../../http/message.ts';

/** Told once each: when the body starts to flow, and when that has ended. A body that never starts tells nothing. */
export interface StreamObserver {
  opened(): void;
  closed(): void;
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
    this.#body.start(sink);
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
