import { tooManyValues } from '../api/errors.ts';
import { MOST_VALUES } from './document-limits.ts';
import { textOf } from './recurring-text.ts';
import { DELIMITED, FIXED32, FIXED64, GROUP_END, GROUP_START, VARINT, WireError } from './wire.ts';

/** How deep messages may nest. No kind needs more, and the stack of whoever reads them is finite. */
const DEEPEST = 200;

const TWO_32 = 2 ** 32;

/**
 * Reads a message front to back. Nothing is read past the end of the message at hand, and nothing is allocated for a
 * length that the bytes do not have.
 */
export class WireReader {
  readonly #bytes: Buffer;
  #at: number;
  #end: number;
  #depth = 0;
  readonly #mostValues: number;
  #values = 0;
  /** The upper and lower half of the varint read last. */
  #high = 0;
  #low = 0;

  constructor(bytes: Buffer, start = 0, mostValues = MOST_VALUES) {
    this.#bytes = bytes;
    this.#mostValues = mostValues;
    this.#at = start;
    this.#end = bytes.length;
  }

  /** Whether the message at hand goes on. */
  get more(): boolean {
    return this.#at < this.#end;
  }

  /** Begins a message within this one; gives what `leave` wants when it has been read to its end. */
  enter(): number {
    const length = this.#length();
    this.#descend();
    const outer = this.#end;
    this.#end = this.#at + length;
    return outer;
  }

  leave(outer: number): void {
    this.#depth--;
    this.#end = outer;
  }

  /** The number of a field times eight, plus its wire type. */
  tag(): number {
    this.#varint();
    if (this.#high !== 0 || this.#low < 8) throw this.malformed('a field number is out of range');
    return this.#low;
  }

  /** Notes that so many values have been met. Throws when they are more than there may be. */
  count(values: number): void {
    this.#values += values;
    if (this.#values > this.#mostValues) throw tooManyValues(this.#mostValues);
  }

  /** How many more values may come. */
  get valuesLeft(): number {
    return this.#mostValues - this.#values;
  }

  /** The low 32 bits, as a number with a sign. */
  int32(): number {
    this.#varint();
    return this.#low | 0;
  }

  /** Refuses numbers that would lose digits. */
  int64(): number {
    this.#varint();
    const value = (this.#high | 0) * TWO_32 + this.#low;
    if (!Number.isSafeInteger(value)) throw this.malformed('an integer is beyond ±(2^53 - 1)');
    return value;
  }

  bool(): boolean {
    this.#varint();
    return this.#low !== 0 || this.#high !== 0;
  }

  /** Refuses what JSON has no number for. */
  double(): number {
    const value = this.#bytes.readDoubleLE(this.#pass(8));
    if (!Number.isFinite(value)) throw this.malformed('a number is not finite');
    return value;
  }

  /** Bytes that are not UTF-8 become replacement characters. */
  string(): string {
    const length = this.#length();
    if (length === 0) return '';
    const start = this.#pass(length);
    return textOf(this.#bytes, start, this.#at);
  }

  base64(): string {
    const start = this.#pass(this.#length());
    return this.#bytes.toString('base64', start, this.#at);
  }

  /** A view: whoever keeps it keeps all bytes. */
  view(): Buffer {
    const start = this.#pass(this.#length());
    return this.#bytes.subarray(start, this.#at);
  }

  /** Passes over a field that no declaration knows. */
  skip(tag: number): void {
    switch (tag & 7) {
      case VARINT:
        this.#varint();
        break;
      case FIXED64:
        this.#pass(8);
        break;
      case DELIMITED:
        this.#pass(this.#length());
        break;
      case GROUP_START:
        this.#skipGroup(tag >>> 3);
        break;
      case FIXED32:
        this.#pass(4);
        break;
      default:
        throw this.malformed(`wire type ${tag & 7} is out of place`);
    }
  }

  /** As `skip`, for a message whose fields are numbered up to `known`: one of those came with another wire type. */
  skipAbove(known: number, tag: number): void {
    if (tag >>> 3 <= known) throw this.misfit(tag);
    this.skip(tag);
  }

  /** A declared field that came with a wire type it cannot have. */
  misfit(tag: number): WireError {
    return this.malformed(`field ${tag >>> 3} cannot have wire type ${tag & 7}`);
  }

  malformed(problem: string): WireError {
    return new WireError(`malformed protobuf: ${problem} (near byte ${this.#at})`);
  }

  #descend(): void {
    if (++this.#depth > DEEPEST) throw new WireError(`messages nest deeper than ${DEEPEST} levels`);
  }

  #skipGroup(number: number): void {
    this.#descend();
    for (;;) {
      const tag = this.tag();
      if ((tag & 7) === GROUP_END) {
        if (tag >>> 3 !== number) throw this.malformed('groups overlap');
        break;
      }
      this.skip(tag);
    }
    this.#depth--;
  }

  #length(): number {
    this.#varint();
    if (this.#high !== 0 || this.#low > this.#end - this.#at) throw this.#truncated();
    return this.#low;
  }

  /** Moves on by so many bytes and gives where they begin. */
  #pass(count: number): number {
    const start = this.#at;
    if (count > this.#end - start) throw this.#truncated();
    this.#at = start + count;
    return start;
  }

  #truncated(): WireError {
    return this.malformed('a value is longer than the message that holds it');
  }

  #varint(): void {
    const bytes = this.#bytes;
    const end = this.#end;
    const first = this.#at < end ? (bytes[this.#at] ?? 0) : 0x80;
    if (first < 0x80) {
      this.#at++;
      this.#low = first;
      this.#high = 0;
    } else this.#longVarint();
  }

  #longVarint(): void {
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.#at >= this.#end) throw this.#truncated();
      const byte = this.#bytes[this.#at++] ?? 0;
      const bits = byte & 0x7f;
      if (shift < 32) low |= bits << shift;
      if (shift === 28) high |= bits >>> 4;
      else if (shift > 28) high |= bits << (shift - 32);
      if (byte < 0x80) {
        this.#low = low >>> 0;
        this.#high = high >>> 0;
        return;
      }
    }
    throw this.malformed('an integer is longer than ten bytes');
  }
}
