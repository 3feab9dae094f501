import type { Writable } from 'node:stream';
import type { BodyStream, ByteSink } from './message.ts';

/** What an open stream needs from the answer it belongs to. */
export interface StreamOwner {
  /** Breaks the answer off in the way of its protocol. */
  breakOff(): void;
  /** The body threw, which it must not. */
  report(error: unknown): void;
  /** The stream is over; comes before the body's `onClose`. */
  release(stream: OpenStream): void;
}

/** Joins a streamed body to the connection it is sent on. */
export class OpenStream implements ByteSink {
  readonly #out: Writable;
  readonly #body: BodyStream;
  readonly #owner: StreamOwner;
  #ended = false;
  #closed = false;

  constructor(out: Writable, body: BodyStream, owner: StreamOwner) {
    this.#out = out;
    this.#body = body;
    this.#owner = owner;
  }

  start(): void {
    this.#out.on('drain', () => this.#drained());
    this.#out.once('close', () => this.#gone());
    this.#guard(() => this.#body.start(this));
  }

  /** Tells the body to come to its end, unless it already has. */
  shutdown(): void {
    if (!this.#ended) this.#guard(() => this.#body.onShutdown());
  }

  get buffered(): number {
    return this.#out.writableLength;
  }

  write(bytes: Buffer, onSent?: () => void): boolean {
    if (this.#ended) return false;
    if (!onSent) return this.#out.write(bytes);
    return this.#out.write(bytes, (error) => {
      if (!error) onSent();
    });
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#out.end();
  }

  abort(): void {
    if (this.#closed) return;
    this.#ended = true;
    this.#owner.breakOff();
  }

  #drained(): void {
    if (!this.#ended) this.#guard(() => this.#body.onDrain());
  }

  #gone(): void {
    this.#ended = true;
    this.#closed = true;
    this.#owner.release(this);
    this.#guard(() => this.#body.onClose());
  }

  #guard(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#owner.report(error);
      this.abort();
    }
  }
}
