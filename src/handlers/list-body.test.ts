import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonList, type ListEncoding } from '../codec/list-encoding.ts';
import { encodeProtobuf, protobufList } from '../codec/protobuf.ts';
import type { ByteSink } from '../http/message.ts';
import { encodeMessage } from '../schema/derive/protobuf.ts';
import { string } from '../schema/scalars.ts';
import { f, kind, list, struct } from '../schema/schema.ts';
import { ListBody } from './list-body.ts';

const Thing = kind('test.Thing', { name: f(1, string()) });
const Meta = struct('test.Meta', { resourceVersion: f(2, string()) });
const ThingList = kind('test.ThingList', { metadata: f(1, Meta), items: f(2, list(Thing)) });

/** Reads a body as a client does that is now quick, now slow. */
function streamed(body: ListBody, slow: readonly boolean[]): Buffer {
  const blocks: Buffer[] = [];
  let ended = false;
  const sink: ByteSink = {
    buffered: 0,
    write(bytes) {
      expect(ended).toBe(false);
      blocks.push(bytes);
      return !slow[blocks.length % slow.length];
    },
    end() {
      ended = true;
    },
    abort() {},
  };
  body.start(sink);
  for (let drains = 0; !ended && drains < 1000; drains++) body.onDrain();
  expect(ended).toBe(true);
  return Buffer.concat(blocks);
}

/** Items of a few bytes, and some that take a block by themselves. */
const things = fc.array(
  fc.oneof({ weight: 9, arbitrary: fc.nat(300) }, { weight: 1, arbitrary: fc.integer({ min: 100_000, max: 400_000 }) }),
  { maxLength: 30 },
);

it('a list is the same in one piece, in blocks and as a stream, and as long as it says', () => {
  const sameEachWay = (encoding: ListEncoding, items: readonly Buffer[], slow: readonly boolean[], whole: string) => {
    const expected = Buffer.from(whole, 'latin1');
    const body = () => new ListBody(encoding, items);
    expect(body().size).toBe(expected.length);
    expect(body().join().equals(expected)).toBe(true);
    expect(Buffer.concat(body().blocks()).equals(expected)).toBe(true);
    expect(streamed(body(), slow).equals(expected)).toBe(true);
  };
  fc.assert(
    fc.property(things, fc.array(fc.boolean(), { minLength: 1 }), (lengths, slow) => {
      const items = lengths.map((length, index) => ({ name: String(index).padEnd(length, 'x') }));
      const metadata = { resourceVersion: '7' };

      const texts = items.map((item) => Buffer.from(JSON.stringify({ kind: 'Thing', apiVersion: 'v1', ...item })));
      const text = JSON.stringify({ kind: 'ThingList', apiVersion: 'v1', metadata, items });
      sameEachWay(jsonList('v1', 'Thing', metadata), texts, slow, text);

      const messages = items.map((item) => encodeMessage(Thing, item));
      const binary = encodeProtobuf(ThingList, 'v1', 'ThingList', { metadata, items });
      const encoding = protobufList('v1', 'ThingList', encodeMessage(Meta, metadata), messages);
      sameEachWay(encoding, messages, slow, binary.toString('latin1'));
    }),
    { numRuns: 30 },
  );
});
