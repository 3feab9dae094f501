import { constants, createInflate, type Inflate } from 'node:zlib';
import { spdyDictionary } from './spdy-dictionary.ts';

const MOST_HEADER_BYTES = 64 * 1024;
/** How much a stored block holds. */
const MOST_STORED_BYTES = 0xffff;
/** The beginning of a zlib stream without a dictionary. */
const ZLIB_BEGINNING = Buffer.of(0x78, 0x01);
/** An empty block: whoever reads gives out what they have so far. */
const FLUSH = Buffer.of(0, 0, 0, 0xff, 0xff);

/**
 * Headers as one endless zlib stream, which all that are sent on a connection are part of. Ours are a few words a stream,
 * so they are stored in it as they are: no state, and nothing to wait for.
 */
export class HeaderWriter {
  #isBegun = false;

  write(block: Buffer): Buffer {
    const parts: Buffer[] = this.#isBegun ? [] : [ZLIB_BEGINNING];
    this.#isBegun = true;
    for (let at = 0; at < block.length; at += MOST_STORED_BYTES) {
      const piece = block.subarray(at, at + MOST_STORED_BYTES);
      const head = Buffer.alloc(5);
      head.writeUInt16LE(piece.length, 1);
      head.writeUInt16LE(piece.length ^ 0xffff, 3);
      parts.push(head, piece);
    }
    return Buffer.concat([...parts, FLUSH]);
  }
}

/** Reads headers of the other side, one block after the other. */
export class HeaderReader {
  readonly #inflate: Inflate;
  #parts: Buffer[] = [];
  #length = 0;
  #fail: (error: Error) => void = () => {};

  constructor() {
    this.#inflate = createInflate({ dictionary: spdyDictionary(), finishFlush: constants.Z_SYNC_FLUSH });
    this.#inflate
      .on('data', (part: Buffer) => {
        this.#length += part.length;
        if (this.#length <= MOST_HEADER_BYTES) this.#parts.push(part);
        else this.#inflate.destroy();
      })
      .on('error', (error) => this.#fail(error));
  }

  read(compressed: Buffer): Promise<Buffer> {
    this.#parts = [];
    this.#length = 0;
    return new Promise((resolve, reject) => {
      this.#fail = reject;
      this.#inflate.write(compressed, (error) => {
        // It calls back as if all was well when it was destroyed meanwhile.
        if (error || this.#inflate.destroyed) reject(error ?? new Error('headers are too long'));
        else resolve(Buffer.concat(this.#parts));
      });
    });
  }

  close(): void {
    this.#inflate.destroy();
  }
}
