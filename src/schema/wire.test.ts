import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DELIMITED, tagOf, VARINT, WireError } from './wire.ts';
import { WireReader } from './wire-reader.ts';
import { type WireWriter, writtenBy } from './wire-writer.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const written = (write: (writer: WireWriter) => void): string => writtenBy(write).toString('hex');
const reading = (bytes: string) => new WireReader(hex(bytes));

describe('a writer', () => {
  it.each([
    [0, '00'],
    [127, '7f'],
    [128, '8001'],
    [300, 'ac02'],
    [2 ** 31 - 1, 'ffffffff07'],
    [2 ** 32, '8080808010'],
    [Number.MAX_SAFE_INTEGER, 'ffffffffffffff0f'],
    [-1, 'ffffffffffffffffff01'],
    [-(2 ** 31), '80808080f8ffffffff01'],
    [Number.MIN_SAFE_INTEGER, '81808080808080f0ff01'],
  ])('writes the integer %d as %s', (value, bytes) => {
    expect(written((writer) => writer.integer(value))).toBe(bytes);
  });

  it('writes backwards: value, length, tag', () => {
    const bytes = written((writer) => {
      writer.string('hi');
      writer.varint(tagOf(2, DELIMITED));
      writer.integer(1);
      writer.varint(tagOf(1, VARINT));
    });
    expect(bytes).toBe('080112026869');
  });

  it('has room for whatever comes, and starts anew each time', () => {
    const large = Buffer.alloc(3_000_000, 1);
    expect(writtenBy((writer) => writer.raw(large)).equals(large)).toBe(true);
    expect(written((writer) => writer.bool(true))).toBe('01');
  });

  it('forgets what was half written when an error stopped it', () => {
    const failing = (writer: WireWriter) => {
      writer.integer(5);
      throw new RangeError('stopped');
    };
    expect(() => writtenBy(failing)).toThrow(RangeError);
    expect(written((writer) => writer.bool(false))).toBe('00');
  });
});

describe('what was written is read', () => {
  const roundTrip = <T>(values: fc.Arbitrary<T>, write: (w: WireWriter, v: T) => void, read: (r: WireReader) => T) =>
    fc.assert(
      fc.property(values, (value) => {
        const reader = new WireReader(writtenBy((writer) => write(writer, value)));
        expect(read(reader)).toBe(value);
        expect(reader.more).toBe(false);
      }),
    );
  const safe = fc.oneof(fc.maxSafeInteger(), fc.integer());
  const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
  const text = fc.oneof(fc.string(), fc.string({ unit: 'binary', maxLength: 200 }), fc.constantFrom('v1', 'é', 'éé'));
  const base64 = fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes).toString('base64'));

  it('as the same integer', () => {
    roundTrip(
      safe,
      (writer, value) => writer.integer(value),
      (reader) => reader.int64(),
    );
  });

  it('as the same 32-bit integer', () => {
    roundTrip(
      fc.integer(),
      (writer, value) => writer.integer(value),
      (reader) => reader.int32(),
    );
  });

  it('as the same number', () => {
    roundTrip(
      finite,
      (writer, value) => writer.double(value),
      (reader) => reader.double(),
    );
  });

  it('as the same text', () => {
    roundTrip(
      text,
      (writer, value) => writer.string(value),
      (reader) => reader.string(),
    );
  });

  it('as the same bytes', () => {
    roundTrip(
      base64,
      (writer, value) => writer.base64(value),
      (reader) => reader.base64(),
    );
  });
});

describe('a reader', () => {
  it.each<[string, string, (reader: WireReader) => unknown]>([
    ['an integer past 2^53', '8080808080808010', (reader) => reader.int64()],
    ['an integer below -2^53', 'ffffffffffffffefff01', (reader) => reader.int64()],
    ['an integer without end', 'ffffffffffffffffffff01', (reader) => reader.int64()],
    ['an integer that breaks off', '80', (reader) => reader.int64()],
    ['nothing where an integer should be', '', (reader) => reader.int64()],
    ['a text longer than the message', '05 6869', (reader) => reader.string()],
    ['a text of four billion bytes', 'ffffffff0f 68', (reader) => reader.string()],
    ['a text of negative length', 'ffffffffffffffffff01', (reader) => reader.string()],
    ['a message longer than the one around it', '03 0a01', (reader) => reader.enter()],
    ['an infinite number', '000000000000f07f', (reader) => reader.double()],
    ['a number cut short', '0000', (reader) => reader.double()],
    ['field 0', '00', (reader) => reader.tag()],
    ['a field number past 2^29', '8080808010', (reader) => reader.tag()],
    ['the end of a group that did not begin', '', (reader) => reader.skip(0x0c)],
    ['a group without end', '1001', (reader) => reader.skip(0x0b)],
    ['a group that ends as another', '14', (reader) => reader.skip(0x0b)],
    ['a wire type that does not exist', '', (reader) => reader.skip(0x0f)],
  ])('refuses %s', (_, bytes, read) => {
    expect(() => read(reading(bytes))).toThrow(WireError);
  });

  it('does not read a value past the end of the message that it is in', () => {
    const reader = reading('01 80 01');
    reader.enter();
    expect(() => reader.int32()).toThrow(WireError);
  });

  it('refuses groups and messages that nest without end', () => {
    expect(() => reading('0b'.repeat(10_000)).skip(0x0b)).toThrow('nest deeper');
    const bytes = writtenBy((writer) => {
      for (let depth = 0; depth < 1000; depth++) writer.varint(writer.size);
    });
    const reader = new WireReader(bytes);
    expect(() => {
      while (reader.more) reader.enter();
    }).toThrow('nest deeper');
  });

  it.each([
    ['08 9601 2a', 0x08],
    ['09 0102030405060708 2a', 0x09],
    ['0a 03 010203 2a', 0x0a],
    ['0d 01020304 2a', 0x0d],
    ['0b 1001 13 14 0c 2a', 0x0b],
  ])('passes over a field it does not know: %s', (bytes) => {
    const reader = reading(bytes);
    reader.skip(reader.tag());
    expect(reader.int32()).toBe(42);
  });

  it('takes the low half of an integer for a 32-bit one, as the reference does', () => {
    expect(reading('ffffffffffffffffff01').int32()).toBe(-1);
    expect(reading('8180808010').int32()).toBe(1);
  });

  it('does not take other bytes for a text that it knows', () => {
    expect(reading('04 c3a9c3a9').string()).toBe('éé');
    expect(reading('02 e9e9').string()).toBe('\ufffd\ufffd');
  });
});
