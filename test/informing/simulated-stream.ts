import type { ByteStream } from '../../src/client/informing/informed-plane.ts';

/** Bytes that a plane sends and a client reads, without sockets: nothing in it takes time that is not simulated. */
export class SimulatedStream implements ByteStream {
  readonly statusCode: number;
  readonly #chunks: { readonly bytes: Uint8Array; readonly revision: number }[] = [];
  #waiting: (() => void) | undefined;
  #end: { readonly error: Error | undefined } | undefined;
  isDestroyed = false;
  /** The newest revision whose whole event the reader has taken, */
  handed = 0;
  /** and has come back from for more. */
  processed = 0;

  constructor(statusCode = 200) {
    this.statusCode = statusCode;
  }

  get isOver(): boolean {
    return this.#end !== undefined || this.isDestroyed;
  }

  /** `revision`: of the last event that is whole with these bytes; 0 for none. */
  push(bytes: Uint8Array, revision = 0): void {
    if (this.isOver) return;
    this.#chunks.push({ bytes, revision });
    this.#wake();
  }

  /** What was pushed is still read. */
  end(error?: Error): void {
    this.#end ??= { error };
    this.#wake();
  }

  destroy(error?: Error): void {
    if (this.isDestroyed) return;
    this.isDestroyed = true;
    this.#chunks.length = 0;
    this.#end = { error: error ?? new Error('destroyed') };
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      const next = this.#chunks.shift();
      if (next) {
        this.handed = Math.max(this.handed, next.revision);
        yield next.bytes;
        this.processed = this.handed;
      } else if (this.#end) {
        if (this.#end.error) throw this.#end.error;
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#waiting = resolve;
        });
      }
    }
  }

  #wake(): void {
    this.#waiting?.();
    this.#waiting = undefined;
  }
}
