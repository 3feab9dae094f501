import { describe, expect, it } from 'vitest';
import { decodeMessage, encodeMessage } from '../schema/derive/protobuf.ts';
import { int64, string } from '../schema/scalars.ts';
import { f, kind, list, struct } from '../schema/schema.ts';
import { WireError } from '../schema/wire.ts';
import type { ListEncoding } from './list-encoding.ts';
import { decodeProtobuf, decodeWatchFrame, encodeProtobuf, encodeWatchFrame, protobufList } from './protobuf.ts';

const Thing = kind('test.Thing', { name: f(1, string()) });
const Meta = struct('test.Meta', { resourceVersion: f(2, string()), remaining: f(4, int64().optional()) });
const ThingList = kind('test.ThingList', { metadata: f(1, Meta), items: f(2, list(Thing)) });

const bytesOf = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const ENVELOPED = bytesOf('6b387300 0a0b 0a027631 12055468696e67 1203 0a0178 1a00 2200');

describe('an envelope', () => {
  it('says what it holds, and is marked by four bytes', () => {
    expect(encodeProtobuf(Thing, 'v1', 'Thing', { name: 'x' })).toEqual(ENVELOPED);

    const { apiVersion, kind, raw } = decodeProtobuf(ENVELOPED);
    expect({ apiVersion, kind }).toEqual({ apiVersion: 'v1', kind: 'Thing' });
    expect(decodeMessage(Thing, raw)).toEqual({ name: 'x' });
  });

  it('may be empty', () => {
    const nothing = { apiVersion: '', kind: '', contentEncoding: '', contentType: '', raw: Buffer.alloc(0) };
    expect(decodeProtobuf(bytesOf('6b387300'))).toEqual(nothing);
  });

  it('may say that its content is in another encoding', () => {
    const compressed = bytesOf('6b387300 1a04677a6970 220474657874');
    expect(decodeProtobuf(compressed)).toMatchObject({ contentEncoding: 'gzip', contentType: 'text' });
  });

  it.each([
    ['nothing', ''],
    ['half a mark', '6b38'],
    ['another mark', '6b387301 0a00'],
    ['a length that leads nowhere', '6b387300 0a7f'],
    ['a number for the object', '6b387300 1001'],
  ])('is refused: %s', (_, hex) => {
    expect(() => decodeProtobuf(bytesOf(hex))).toThrow(WireError);
  });
});

/** A list as whoever sends it puts it together. */
function joined({ head, tail, sizeOf, write }: ListEncoding, items: readonly Buffer[]): Buffer {
  const parts = items.map((item, index) => {
    const part = Buffer.alloc(sizeOf(item, index));
    write(item, index, part, 0);
    return part;
  });
  return Buffer.concat([head, ...parts, tail]);
}

describe('a list of encoded items', () => {
  it('is the list of the items, however long they are', () => {
    const metadata = { resourceVersion: '7', remaining: 3 };
    const lengths = [1, 0, 3, 125, 126, 127, 16_379, 16_380, 16_381, 2_097_146, 2_097_147];
    const items = lengths.map((length) => ({ name: 'x'.repeat(length) }));
    const messages = items.map((item) => encodeMessage(Thing, item));
    const list = protobufList('v1', 'ThingList', encodeMessage(Meta, metadata), messages);
    const whole = encodeProtobuf(ThingList, 'v1', 'ThingList', { metadata, items });
    expect(joined(list, messages).equals(whole)).toBe(true);
  });
});

describe('a frame of a watch', () => {
  const frame = encodeWatchFrame('ADDED', ENVELOPED);

  it('is a length and an event around the enveloped object', () => {
    expect(frame.toString('hex')).toBe(
      `00000025 0a054144444544 121c 0a1a ${ENVELOPED.toString('hex')}`.replaceAll(' ', ''),
    );
  });

  it('is read when it is there as a whole', () => {
    const stream = Buffer.concat([frame, encodeWatchFrame('DELETED', ENVELOPED)]);
    for (let size = 0; size < frame.length; size++) expect(decodeWatchFrame(stream.subarray(0, size))).toBeUndefined();

    const first = decodeWatchFrame(stream);
    expect(first).toEqual({ type: 'ADDED', object: ENVELOPED, size: frame.length });
    expect(decodeWatchFrame(stream.subarray(first?.size))?.type).toBe('DELETED');
  });

  it('does not reach into the next one', () => {
    expect(() => decodeWatchFrame(bytesOf('00000002 0a05 4144444544'))).toThrow(WireError);
  });
});
