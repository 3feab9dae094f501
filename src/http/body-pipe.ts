import type { BodyStream, ByteSink } from './message.ts';

/** How far a body may run ahead of its reader before it is asked to wait. */
const HIGH_WATER = 64 * 1024;

interface Waiting {
  resolve(result: IteratorResult<Buffer, undefined>): void;
  reject(error: Error): void;
}

const DONE: IteratorResult<Buffer, undefined> = { done: true, value: undefined };

/** Lets a reader in the same process take a streamed body as an async iterable. For one reader. */
export class BodyPipe implements ByteSink, AsyncIterator<Buffer, undefined>, AsyncIterable<Buffer> {
  readonly #body: BodyStream;
  readonly #queue: Buffer[] = [];
  #buffered = 0;
  #state: 'open' | 'ended' | 'aborted' = 'open';
  #needsDrain = false;
  #closed = false;
  #waiting: Waiting | undefined;

  constructor(body: BodyStream) {
    this.#body = body;
  }

  get buffered(): number {
    return this.#buffered;
  }

  write(bytes: Buffer): boolean {
    if (this.#state !== 'open') return false;
    const waiting = this.#stopWaiting();
    if (waiting !== undefined) {
      waiting.resolve({ done: false, value: bytes });
      return true;
    }
    this.#queue.push(bytes);
    this.#buffered += bytes.length;
    this.#needsDrain = this.#buffered >= HIGH_WATER;
    return !this.#needsDrain;
  }

  end(): void {
    if (this.#state !== 'open') return;
    this.#state = 'ended';
    this.#stopWaiting()?.resolve(DONE);
    if (this.#buffered === 0) this.#close();
  }

  abort(): void {
    if (this.#closed) return;
    this.#state = 'aborted';
    this.#drop();
    this.#stopWaiting()?.reject(brokenOff());
    this.#close();
  }

  shutdown(): void {
    if (this.#state === 'open') this.#body.onShutdown();
  }

  async next(): Promise<IteratorResult<Buffer, undefined>> {
    const value = this.#queue.shift();
    if (value !== undefined) {
      this.#taken(value.length);
      return { done: false, value };
    }
    if (this.#state === 'aborted') throw brokenOff();
    if (this.#state === 'ended') return DONE;
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  /** The reader has had enough. */
  async return(): Promise<IteratorResult<Buffer, undefined>> {
    if (this.#state === 'open') this.#state = 'ended';
    this.#drop();
    this.#close();
    return DONE;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #taken(bytes: number): void {
    this.#buffered -= bytes;
    if (this.#buffered > 0) return;
    if (this.#state === 'ended') this.#close();
    if (!this.#needsDrain || this.#state !== 'open') return;
    this.#needsDrain = false;
    this.#body.onDrain();
  }

  #drop(): void {
    this.#queue.length = 0;
    this.#buffered = 0;
  }

  #stopWaiting(): Waiting | undefined {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return waiting;
  }

  /** The body hears of its end later, as it would from a socket, and not from within a call of its own. */
  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    queueMicrotask(() => this.#body.onClose());
  }
}

const brokenOff = (): Error => new Error('the body was broken off');
