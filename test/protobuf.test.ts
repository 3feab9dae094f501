import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeProtobuf, encodeProtobuf, protobufList } from '../src/codec/protobuf.ts';
import { ListBody } from '../src/handlers/read/list-body.ts';
import { Pod } from '../src/kinds/core/pod/pod.ts';
import { listOf } from '../src/meta/list.ts';
import { ListMeta } from '../src/meta/object-meta.ts';
import { canonicalise } from '../src/schema/derive/canonical.ts';
import { decodeMessage, encodeMessage, hasBinaryForm } from '../src/schema/derive/protobuf.ts';
import { TypeMismatch } from '../src/schema/derive/reading.ts';
import { type Node, StructShape } from '../src/schema/node.ts';
import { WireError } from '../src/schema/wire.ts';
import { arbitraryOf } from './arbitrary.ts';
import { declaredTypes } from './declared-types.ts';
import { goldenSamples } from './golden-samples.ts';

/**
 * The binary form of random objects of every kind. The long form reads `FUZZ_RUNS` damaged messages, beginning with
 * another `FUZZ_SEED`.
 */
const { FUZZ_RUNS = '4000', FUZZ_SEED = '25' } = process.env;
const seed = Number(FUZZ_SEED);

interface Kind {
  readonly name: string;
  readonly node: Node;
}

const kinds: readonly Kind[] = [...(await declaredTypes())]
  .map(([name, node]) => ({ name, node }))
  .filter(({ node }) => node.shape instanceof StructShape && node.shape.typed && hasBinaryForm(node));

const canonical = (node: Node, value: unknown): unknown => canonicalise(node, value).value;
const decoded = (node: Node, bytes: Buffer): unknown => canonical(node, decodeMessage(node, bytes));
const text = (value: unknown): string => JSON.stringify(value, null, 1);

describe('every kind in protobuf', () => {
  it.each(kinds)('$name comes back as it went', ({ node }) => {
    const comesBack = fc.property(arbitraryOf(node), (value) => {
      const sent = canonical(node, value);
      const bytes = encodeMessage(node, sent);
      expect(text(decoded(node, bytes))).toBe(text(sent));
    });
    fc.assert(comesBack, { seed, numRuns: 20 });
  });
});

/** A change to bytes, the place given as a share of their length. */
type Damage = (bytes: Buffer) => Buffer;

const place = fc.double({ min: 0, max: 1, noNaN: true });
const at = (bytes: Buffer, share: number): number => Math.floor(share * bytes.length);

const replaced = fc.tuple(place, fc.nat(255)).map(
  ([share, byte]): Damage =>
    (bytes) => {
      const copy = Buffer.from(bytes);
      if (copy.length > 0) copy[Math.min(at(bytes, share), copy.length - 1)] = byte;
      return copy;
    },
);
const cut = place.map(
  (share): Damage =>
    (bytes) =>
      bytes.subarray(0, at(bytes, share)),
);
const inserted = fc.tuple(place, fc.uint8Array({ minLength: 1, maxLength: 12 })).map(
  ([share, more]): Damage =>
    (bytes) =>
      Buffer.concat([bytes.subarray(0, at(bytes, share)), more, bytes.subarray(at(bytes, share))]),
);
const repeated = fc.tuple(place, place, place).map(
  ([share, from, to]): Damage =>
    (bytes) => {
      const piece = bytes.subarray(at(bytes, Math.min(from, to)), at(bytes, Math.max(from, to)));
      return Buffer.concat([bytes.subarray(0, at(bytes, share)), piece, bytes.subarray(at(bytes, share))]);
    },
);
const damages = fc.array(fc.oneof(replaced, replaced, cut, inserted, repeated), { minLength: 1, maxLength: 4 });

/** Encoded objects to start from: some of each kind, and the samples of the reference where they are. */
async function encodedObjects(): Promise<readonly (Kind & { readonly bytes: Buffer })[]> {
  const random = kinds.flatMap(({ name, node }) =>
    fc.sample(arbitraryOf(node), { seed, numRuns: 4 }).map((value) => ({
      name,
      node,
      bytes: encodeMessage(node, canonical(node, value)),
    })),
  );
  const samples = (await goldenSamples()).flatMap(({ name, schema, bytes }) =>
    schema ? [{ name, node: schema, bytes: decodeProtobuf(bytes).raw }] : [],
  );
  return [...random, ...samples];
}

/** What is wrong with bytes is said by one of these. */
const isRefusal = (error: unknown): boolean => error instanceof WireError || error instanceof TypeMismatch;

describe('damaged messages', () => {
  it('are refused, or are messages that come back as they went', { timeout: 600_000 }, async () => {
    const objects = await encodedObjects();
    let read = 0;
    const holds = fc.property(fc.nat(objects.length - 1), damages, (index, changes) => {
      const object = objects[index];
      if (!object) return;
      const bytes = changes.reduce((damaged, change) => change(damaged), object.bytes);
      const value = valueOrRefusal(object.node, bytes);
      if (value === undefined) return;
      read++;
      expect(text(decoded(object.node, encodeMessage(object.node, value)))).toBe(text(value));
    });
    fc.assert(holds, { seed, numRuns: Number(FUZZ_RUNS) });
    expect(read).toBeGreaterThan(0);
  });
});

function valueOrRefusal(node: Node, bytes: Buffer): unknown {
  try {
    return decoded(node, bytes);
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

describe('a list of any kind', () => {
  it('is its metadata and its items', () => {
    const metadata = canonicalise(ListMeta, { resourceVersion: '5' }).value;
    const items = ['a', 'b'].map((name) => canonicalise(Pod, { metadata: { name } }).value);
    const messages = items.map((item) => encodeMessage(Pod, item));
    const body = new ListBody(protobufList('v1', 'PodList', encodeMessage(ListMeta, metadata), messages), messages);
    expect(encodeProtobuf(listOf(Pod), 'v1', 'PodList', { metadata, items })).toEqual(body.join());
  });

  it('is derived from the kind once', () => {
    expect(listOf(Pod)).toBe(listOf(Pod.atomic()));
  });
});
