/** The length before each event of a watch in protobuf. */
const LENGTH_BYTES = 4;
const NEWLINE = 0x0a;
/** An event that is larger is no event of a plane. */
const MOST_BYTES = 16 * 2 ** 20;

/** Cuts the bytes of a watch into events, however they were written. */
export class WatchFrames {
  readonly #isBinary: boolean;
  #rest: Buffer = Buffer.alloc(0);

  /** `mediaType`: the content type of the answer. */
  constructor(mediaType: string) {
    this.#isBinary = mediaType.includes('protobuf');
  }

  /** The events that end with these bytes, each with its frame. What begins another is kept. */
  push(bytes: Buffer): readonly Buffer[] {
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const frames: Buffer[] = [];
    let at = 0;
    for (let end = this.#endAfter(all, at); end !== undefined; end = this.#endAfter(all, at)) {
      frames.push(Buffer.from(all.subarray(at, end)));
      at = end;
    }
    // A copy: whoever writes may use the memory again.
    this.#rest = all.length - at > MOST_BYTES ? Buffer.alloc(0) : Buffer.from(all.subarray(at));
    return frames;
  }

  #endAfter(bytes: Buffer, start: number): number | undefined {
    if (!this.#isBinary) {
      const end = bytes.indexOf(NEWLINE, start);
      return end < 0 ? undefined : end + 1;
    }
    if (bytes.length < start + LENGTH_BYTES) return undefined;
    const end = start + LENGTH_BYTES + bytes.readUInt32BE(start);
    return end > bytes.length ? undefined : end;
  }
}
