import type { Stampable } from '../../backend.ts';

/** Who made a write: `writer` is drawn by each backend, `serial` counts its writes. Together they are met only once. */
export interface Origin {
  readonly writer: number;
  readonly serial: number;
}

/** A state as etcd holds it. Its revision is not in it: etcd assigns that, and readers put it in. */
export interface StoredValue {
  /** When it was written, in milliseconds since the epoch. */
  readonly time: number;
  readonly origin: Origin;
  /** What comes before the revision, and what comes after it. */
  readonly head: Buffer;
  readonly tail: Buffer;
}

const FORMAT = 1;

/** One byte of format, six of time, six of writer, four of serial, four of the length of the head. */
const HEADER = 21;
const LARGEST_SERIAL = 0xffffffff;

/** How many bytes of chance a writer is drawn from. */
export const WRITER_BYTES = 6;

export const nextSerial = (serial: number): number => (serial === LARGEST_SERIAL ? 0 : serial + 1);

export function encodeValue({ head, tail }: Stampable, time: number, { writer, serial }: Origin): Buffer {
  const headLength = Buffer.byteLength(head);
  const value = Buffer.allocUnsafe(HEADER + headLength + Buffer.byteLength(tail));
  value[0] = FORMAT;
  value.writeUIntBE(time, 1, 6);
  value.writeUIntBE(writer, 7, 6);
  value.writeUInt32BE(serial, 13);
  value.writeUInt32BE(headLength, 17);
  value.write(head, HEADER);
  value.write(tail, HEADER + headLength);
  return value;
}

/** Undefined when the bytes were not written by us. The parts are views. */
export function decodeValue(value: Buffer): StoredValue | undefined {
  if (value.length < HEADER || value[0] !== FORMAT) return undefined;
  const tail = HEADER + value.readUInt32BE(17);
  if (tail > value.length) return undefined;
  return {
    time: value.readUIntBE(1, 6),
    origin: { writer: value.readUIntBE(7, 6), serial: value.readUInt32BE(13) },
    head: value.subarray(HEADER, tail),
    tail: value.subarray(tail),
  };
}

/** The bytes as they are served, the same on every server; `room` gives the memory for so many. */
export function stampValue({ head, tail }: StoredValue, revision: number, room: (length: number) => Buffer): Buffer {
  const digits = String(revision);
  const bytes = room(head.length + digits.length + tail.length);
  bytes.set(head, 0);
  bytes.write(digits, head.length, 'latin1');
  bytes.set(tail, head.length + digits.length);
  return bytes;
}
