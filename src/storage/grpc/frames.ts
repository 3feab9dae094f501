/** Frames of HTTP/2 (RFC 9113). */

export const FRAME = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const FLAG = { ack: 1, endStream: 1, endHeaders: 4, padded: 8, priority: 32 } as const;

export const SETTING = { headerTableSize: 1, enablePush: 2, maxStreams: 3, initialWindowSize: 4 } as const;

export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');
export const DEFAULT_WINDOW = 65_535;
/** The largest payload that anyone must take. */
export const FRAME_BYTES = 16_384;
/** What we let a peer send in one frame: a header block, say. We never allow more than the default. */
const LARGEST_PAYLOAD = FRAME_BYTES;

const HEAD = 9;
const STREAM_BITS = 0x7fffffff;

export function frameHead(length: number, type: number, flags: number, stream: number): Buffer {
  const head = Buffer.allocUnsafe(HEAD);
  head.writeUIntBE(length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return head;
}

export function frame(type: number, flags: number, stream: number, payload: Uint8Array): Buffer {
  return Buffer.concat([frameHead(payload.length, type, flags, stream), payload]);
}

export function numberFrame(type: number, stream: number, number: number): Buffer {
  const payload = Buffer.allocUnsafe(4);
  payload.writeUInt32BE(number);
  return frame(type, 0, stream, payload);
}

export function settingsFrame(settings: Readonly<Record<number, number>>): Buffer {
  const entries = Object.entries(settings);
  const payload = Buffer.allocUnsafe(6 * entries.length);
  for (const [at, [name, value]] of entries.entries()) {
    payload.writeUInt16BE(Number(name), 6 * at);
    payload.writeUInt32BE(value, 6 * at + 2);
  }
  return frame(FRAME.settings, 0, 0, payload);
}

export function* readSettings(payload: Buffer): Generator<[name: number, value: number]> {
  for (let at = 0; at + 6 <= payload.length; at += 6) yield [payload.readUInt16BE(at), payload.readUInt32BE(at + 2)];
}

/** What comes between the padding, where there is any, and behind a priority, which nobody asks for any more. */
export function unpadded(payload: Buffer, flags: number): Buffer {
  const padding = flags & FLAG.padded ? (payload[0] ?? 0) : 0;
  const start = (flags & FLAG.padded ? 1 : 0) + (flags & FLAG.priority ? 5 : 0);
  if (start + padding > payload.length) throw new Error('a frame is shorter than its padding');
  return payload.subarray(start, payload.length - padding);
}

export type OnFrame = (type: number, flags: number, stream: number, payload: Buffer) => void;

/** Cuts what a peer sends into frames. A payload is a view into the bytes it came in. Throws on nonsense. */
export class FrameReader {
  readonly #onFrame: OnFrame;
  /** The beginning of a frame whose end has not come yet. */
  #rest: Buffer | undefined;

  constructor(onFrame: OnFrame) {
    this.#onFrame = onFrame;
  }

  take(chunk: Buffer): void {
    const bytes = this.#rest === undefined ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#rest = undefined;
    let at = 0;
    while (at + HEAD <= bytes.length) {
      const length = bytes.readUIntBE(at, 3);
      if (length > LARGEST_PAYLOAD) throw new Error(`a frame of ${length} bytes`);
      const end = at + HEAD + length;
      if (end > bytes.length) break;
      const stream = bytes.readUInt32BE(at + 5) & STREAM_BITS;
      this.#onFrame(bytes[at + 3] ?? 0, bytes[at + 4] ?? 0, stream, bytes.subarray(at + HEAD, end));
      at = end;
    }
    if (at < bytes.length) this.#rest = bytes.subarray(at);
  }
}
