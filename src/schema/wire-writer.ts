const FIRST_BYTES = 16 * 1024;
/** A buffer that one large message needed is not kept for the many small ones after it. */
const KEPT_BYTES = 1024 * 1024;
/** Up to this length a loop over the characters is quicker than a call into the runtime. */
const SHORT_TEXT = 40;

const TWO_32 = 2 ** 32;
const LONGEST_VARINT = 10;

/**
 * Writes a message from its end to its beginning: last field first, and of each field the value, then its length, then
 * its tag. So the length of a message is known when it is due, and nothing is measured beforehand or moved afterwards.
 */
export class WireWriter {
  #buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  /** Where the bytes written so far begin. */
  #at = FIRST_BYTES;

  /** How many bytes have been written: what a message has grown by is its length. */
  get size(): number {
    return this.#buffer.length - this.#at;
  }

  /** The bytes written, in a buffer of their own; the writer is empty again. */
  finish(): Buffer {
    const result = Buffer.from(this.#buffer.subarray(this.#at));
    this.reset();
    return result;
  }

  /** Forgets what was written. */
  reset(): void {
    if (this.#buffer.length > KEPT_BYTES) this.#buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
    this.#at = this.#buffer.length;
  }

  /** An unsigned integer below 2^32: a tag, a length. */
  varint(value: number): void {
    this.#reserve(LONGEST_VARINT);
    if (value < 0x80) this.#buffer[--this.#at] = value;
    else this.#longVarint(0, value);
  }

  /** A safe integer; negative ones take ten bytes. */
  integer(value: number): void {
    this.#reserve(LONGEST_VARINT);
    if (value >= 0 && value < 0x80) this.#buffer[--this.#at] = value;
    else this.#longVarint(Math.floor(value / TWO_32), value);
  }

  bool(value: boolean): void {
    this.#reserve(1);
    this.#buffer[--this.#at] = value ? 1 : 0;
  }

  double(value: number): void {
    this.#reserve(8);
    this.#at -= 8;
    this.#buffer.writeDoubleLE(value, this.#at);
  }

  /** Text in UTF-8, and its length. */
  string(value: string): void {
    const { length } = value;
    if (length > SHORT_TEXT || !this.#shortAscii(value)) this.#encoded(value, Buffer.byteLength(value), 'utf8');
    else this.varint(length);
  }

  /** The bytes that well-formed base64 text stands for, and their number. */
  base64(value: string): void {
    this.#encoded(value, Buffer.byteLength(value, 'base64'), 'base64');
  }

  bytes(value: Uint8Array): void {
    this.raw(value);
    this.varint(value.length);
  }

  /** Bytes as they are, without a length. */
  raw(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#at -= value.length;
    this.#buffer.set(value, this.#at);
  }

  #shortAscii(value: string): boolean {
    this.#reserve(SHORT_TEXT);
    const buffer = this.#buffer;
    let at = this.#at;
    for (let index = value.length - 1; index >= 0; index--) {
      const code = value.charCodeAt(index);
      if (code > 0x7f) return false;
      buffer[--at] = code;
    }
    this.#at = at;
    return true;
  }

  #encoded(value: string, length: number, encoding: 'utf8' | 'base64'): void {
    this.#reserve(length);
    this.#at -= length;
    this.#buffer.write(value, this.#at, length, encoding);
    this.varint(length);
  }

  /** Two halves of 64 bits, seven bits a byte: all bytes but the last are marked as having one after them. */
  #longVarint(high: number, low: number): void {
    const buffer = this.#buffer;
    let lo = low >>> 0;
    let hi = high >>> 0;
    const length = varintLength(lo, hi);
    this.#at -= length;
    const last = this.#at + length - 1;
    for (let at = this.#at; at < last; at++) {
      buffer[at] = (lo & 0x7f) | 0x80;
      lo = ((lo >>> 7) | (hi << 25)) >>> 0;
      hi >>>= 7;
    }
    buffer[last] = lo;
  }

  #reserve(count: number): void {
    if (this.#at < count) this.#grow(count);
  }

  #grow(count: number): void {
    const buffer = this.#buffer;
    const size = this.size;
    this.#buffer = Buffer.allocUnsafeSlow(Math.max(buffer.length * 2, size + count));
    buffer.copy(this.#buffer, this.#buffer.length - size, this.#at);
    this.#at = this.#buffer.length - size;
  }
}

function varintLength(low: number, high: number): number {
  if (high === 0) return low < 0x80 ? 1 : Math.ceil((32 - Math.clz32(low)) / 7);
  return Math.ceil((64 - Math.clz32(high)) / 7);
}

const shared = new WireWriter();

/** What `write` writes, in a buffer of its own. Not to be called again from within `write`. */
export function writtenBy(write: (writer: WireWriter) => void): Buffer {
  // An earlier call may have thrown halfway.
  shared.reset();
  write(shared);
  return shared.finish();
}
