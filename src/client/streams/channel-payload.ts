import { Duplex } from 'node:stream';

/** A channel without the bytes that it begins with. */
export class ChannelPayload extends Duplex {
  readonly #channel: Duplex;
  #skip: number;

  constructor(channel: Duplex, skip: number) {
    super({ allowHalfOpen: true });
    this.#channel = channel;
    this.#skip = skip;
    channel
      .on('data', (part: Buffer) => {
        const rest = part.subarray(this.#skip);
        this.#skip -= part.length - rest.length;
        if (rest.length > 0 && !this.push(rest)) channel.pause();
      })
      .once('end', () => this.push(null))
      .on('error', (error) => this.destroy(error))
      .pause();
    this.on('error', () => {});
  }

  override _read(): void {
    this.#channel.resume();
  }

  override _write(part: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#channel.write(part, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#channel.end(done);
  }
}
