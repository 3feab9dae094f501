import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonList, type ListEncoding } from '../../codec/list-encoding.ts';
import { encodeProtobuf, protobufList } from '../../codec/protobuf.ts';
import { encodeMessage } from '../../schema/derive/protobuf.ts';
import { string } from '../../schema/scalars.ts';
import { f, kind, list, struct } from '../../schema/schema.ts';
import { ListBody } from './list-body.ts';

const Thing = kind('test.Thing', { name: f(1, string()) });
const Meta = struct('test.Meta', { resourceVersion: f(2, string()) });
const ThingList = kind('test.ThingList', { metadata: f(1, Meta), items: f(2, list(Thing)) });

/** Reads a body through one buffer that is used again and again, as the listener does. */
function pieced(body: ListBody, scratch: Buffer): Buffer {
  const pieces: Buffer[] = [];
  while (!body.done) pieces.push(Buffer.from(body.next(scratch.fill('?'))));
  return Buffer.concat(pieces);
}

/** Items of a few bytes, and some that take a block by themselves. */
const things = fc.array(
  fc.oneof({ weight: 9, arbitrary: fc.nat(300) }, { weight: 1, arbitrary: fc.integer({ min: 100_000, max: 400_000 }) }),
  { maxLength: 30 },
);

it('a list is the same in one piece and in many, whatever their size, and as long as it says', () => {
  const sameEachWay = (encoding: ListEncoding, items: readonly Buffer[], room: number, whole: string) => {
    const expected = Buffer.from(whole, 'latin1');
    const body = () => new ListBody(encoding, items);
    expect(body().length).toBe(expected.length);
    expect(body().join().equals(expected)).toBe(true);
    expect(pieced(body(), Buffer.alloc(room)).equals(expected)).toBe(true);
  };
  fc.assert(
    fc.property(things, fc.integer({ min: 1, max: 300_000 }), (lengths, room) => {
      const items = lengths.map((length, index) => ({ name: String(index).padEnd(length, 'x') }));
      const metadata = { resourceVersion: '7' };

      const texts = items.map((item) => Buffer.from(JSON.stringify({ kind: 'Thing', apiVersion: 'v1', ...item })));
      const text = `${JSON.stringify({ kind: 'ThingList', apiVersion: 'v1', metadata, items })}\n`;
      sameEachWay(jsonList({ apiVersion: 'v1', kind: 'ThingList', itemKind: 'Thing' }, metadata), texts, room, text);

      const messages = items.map((item) => encodeMessage(Thing, item));
      const binary = encodeProtobuf(ThingList, 'v1', 'ThingList', { metadata, items });
      const encoding = protobufList('v1', 'ThingList', encodeMessage(Meta, metadata), messages);
      sameEachWay(encoding, messages, room, binary.toString('latin1'));
    }),
    { numRuns: 30 },
  );
});
