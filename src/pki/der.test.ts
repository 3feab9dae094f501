import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { element, integer, namedBits, octetString, oid, sequence, set, TAG, time } from './der.ts';
import { readConstructed, readElements, readTime } from './der-reader.ts';

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');

describe('writing DER', () => {
  test('elements of any length are read back, whole and in order', () => {
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.constantFrom(0x7f, 0x80, 0xff, 0x100, 0xffff, 0x10000).map((size) => new Uint8Array(size)),
    );
    fc.assert(
      fc.property(fc.array(content, { maxLength: 5 }), (contents) => {
        const parts = contents.map((part) => Buffer.from(part));
        const read = readConstructed(sequence(...parts.map(octetString)), TAG.sequence);
        expect(read.map(({ tag }) => tag)).toEqual(parts.map(() => TAG.octetString));
        expect(read.every(({ content }, index) => parts[index]?.equals(content))).toBe(true);
      }),
    );
  });

  test('an integer keeps its value, is never negative and has no needless byte', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 20 }), (magnitude) => {
        const [read] = readElements(integer(Buffer.from(magnitude)));
        const content = read?.content ?? Buffer.alloc(0);
        const value = (digits: Uint8Array) => BigInt(`0x${Buffer.from(digits).toString('hex')}`);
        expect(value(content)).toBe(value(magnitude));
        expect(content[0]).toBeLessThan(0x80);
        if (content.length > 1 && content[0] === 0) expect(content[1]).toBeGreaterThanOrEqual(0x80);
      }),
    );
  });

  test.each([
    ['1.2.840.113549.1.1.11', '06 09 2a 86 48 86 f7 0d 01 01 0b'],
    ['2.5.29.37.0', '06 04 55 1d 25 00'],
    ['2.999.3', '06 03 88 37 03'],
  ])('the object identifier %s has its known bytes', (dotted, hex) => {
    expect(oid(dotted)).toEqual(bytes(hex));
  });

  test.each([
    [[5, 6], '03 02 01 06'],
    [[0], '03 02 07 80'],
    [[8, 0], '03 03 07 80 80'],
    [[], '03 01 00'],
  ])('bits %j are set from the left without trailing zeros', (bits, hex) => {
    expect(namedBits(bits)).toEqual(bytes(hex));
  });

  test('the year has two digits through 2049 and four after', () => {
    expect(time(Date.UTC(2049, 11, 31, 23, 59, 59, 999))).toEqual(element(TAG.utcTime, Buffer.from('491231235959Z')));
    expect(time(Date.UTC(2050, 0, 1))).toEqual(element(TAG.generalizedTime, Buffer.from('20500101000000Z')));
  });

  test('members of a set are ordered by their bytes', () => {
    expect(set(oid('2.5.4.10'), oid('2.5.4.3'))).toEqual(set(oid('2.5.4.3'), oid('2.5.4.10')));
  });
});

describe('reading DER', () => {
  test('any bytes either divide into elements without a gap or are refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (input) => {
        try {
          const wholes = readElements(Buffer.from(input)).map(({ whole }) => whole);
          expect(Buffer.concat(wholes)).toEqual(Buffer.from(input));
        } catch (error) {
          expect(error).toHaveProperty('message', expect.stringContaining('not valid DER'));
        }
      }),
    );
  });

  test('a moment is read as it was written', () => {
    const most = Date.UTC(9999, 11, 31, 23, 59, 59);
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(1900, 0) / 1000, max: most / 1000 }), (seconds) => {
        const [element] = readElements(time(seconds * 1000));
        expect(element && readTime(element)).toBe(seconds * 1000);
      }),
    );
  });

  test.each(['', '300101000000', '20300101000000Z', '301301000000Z', '3001010000Z'])('%j is no moment', (text) => {
    expect(() => readTime({ tag: TAG.utcTime, content: Buffer.from(text), whole: Buffer.alloc(0) })).toThrow('a time');
  });

  test.each(['30', '30 05 00', '30 82 01', '30 80 00 00', '1f 01 00'])('%s is refused', (hex) => {
    expect(() => readElements(bytes(hex))).toThrow('not valid DER');
  });
});
