/** Frames of SPDY 3.1, as much of them as streams of containers need. */

const VERSION = 3;

export const FRAME_TYPES = {
  synStream: 1,
  synReply: 2,
  reset: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  headers: 8,
} as const;

/** The sender sends nothing more on the stream. */
export const FIN = 1;

export interface FrameHead {
  /** Undefined for data. */
  readonly type: number | undefined;
  /** Of data alone. */
  readonly stream: number;
  readonly flags: number;
  /** What follows. */
  readonly length: number;
}

export const HEAD_LENGTH = 8;
/** Identifiers have 31 bits. */
export const IDENTIFIER = 0x7fff_ffff;

export function readHead(bytes: Buffer): FrameHead {
  const first = bytes.readUInt32BE(0);
  const isControl = first > IDENTIFIER;
  return {
    type: isControl ? first & 0xffff : undefined,
    stream: isControl ? 0 : first,
    flags: bytes[4] ?? 0,
    length: bytes.readUIntBE(5, 3),
  };
}

export function controlFrame(type: number, flags: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(HEAD_LENGTH);
  head.writeUInt16BE(0x8000 | VERSION, 0);
  head.writeUInt16BE(type, 2);
  head[4] = flags;
  head.writeUIntBE(payload.length, 5, 3);
  return Buffer.concat([head, payload]);
}

export function dataFrame(stream: number, flags: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(HEAD_LENGTH);
  head.writeUInt32BE(stream, 0);
  head[4] = flags;
  head.writeUIntBE(payload.length, 5, 3);
  return Buffer.concat([head, payload]);
}

export const words = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, at) => {
    bytes.writeUInt32BE(value, at * 4);
  });
  return bytes;
};

export type Headers = Readonly<Record<string, string>>;

/** How many, then each name and value with its length before it. */
export function headerBlock(headers: Headers): Buffer {
  const texts = Object.entries(headers).flatMap(([name, value]) => [
    Buffer.from(name.toLowerCase()),
    Buffer.from(value),
  ]);
  return Buffer.concat([words(texts.length / 2), ...texts.flatMap((text) => [words(text.length), text])]);
}
