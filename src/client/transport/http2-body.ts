import { type ClientHttp2Stream, constants } from 'node:http2';
import { Readable } from 'node:stream';
import { ConnectionWasClosed } from '../../outbound/failures.ts';

/**
 * The body of an answer over HTTP/2. A stream of Node ends in the same way when it is complete and when it is reset or its
 * connection is gone; here only the former is an end.
 */
export class Http2Body extends Readable {
  readonly #stream: ClientHttp2Stream;

  constructor(stream: ClientHttp2Stream) {
    super();
    this.#stream = stream;
    stream
      .on('data', (part: Buffer) => {
        if (!this.push(part)) stream.pause();
      })
      .once('end', () => {
        if (stream.rstCode === constants.NGHTTP2_NO_ERROR) this.push(null);
        else this.destroy(brokenOff(stream));
      })
      .on('error', (error: Error) => this.destroy(error))
      .once('close', () => {
        if (!stream.readableEnded) this.destroy(brokenOff(stream));
      })
      .pause();
  }

  override _read(): void {
    this.#stream.resume();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    const stream = this.#stream;
    // What is complete closes by itself. Taking it back is no use, and servers go away from those who do so often.
    if (!stream.readableEnded || !stream.writableEnded) {
      if (!stream.closed) stream.close(constants.NGHTTP2_CANCEL);
      stream.destroy();
    }
    callback(error);
  }
}

const brokenOff = ({ rstCode }: ClientHttp2Stream): Error =>
  new ConnectionWasClosed(`the answer was broken off (code ${rstCode})`);
