import type { Readable } from 'node:stream';
import { ConnectionWasClosed } from '../../outbound/failures.ts';

/** Reads a connection in pieces of a known length, and nothing ahead of whoever asks for more. */
export class ByteReader {
  readonly #parts: AsyncIterator<Buffer>;
  #unread: Buffer = Buffer.alloc(0);

  constructor(stream: Readable) {
    this.#parts = stream[Symbol.asyncIterator]();
  }

  /** Between one byte and so many. */
  async some(most: number): Promise<Buffer> {
    if (this.#unread.length === 0) this.#unread = await this.#next();
    return this.#take(Math.min(most, this.#unread.length));
  }

  async exactly(count: number): Promise<Buffer> {
    if (this.#unread.length >= count) return this.#take(count);
    const parts = [this.#unread];
    let length = this.#unread.length;
    while (length < count) {
      const part = await this.#next();
      parts.push(part);
      length += part.length;
    }
    this.#unread = Buffer.concat(parts, length);
    return this.#take(count);
  }

  #take(count: number): Buffer {
    const taken = this.#unread.subarray(0, count);
    this.#unread = this.#unread.subarray(count);
    return taken;
  }

  async #next(): Promise<Buffer> {
    const { value, done } = await this.#parts.next();
    if (done) throw new ConnectionWasClosed('the connection was closed');
    return value;
  }
}
