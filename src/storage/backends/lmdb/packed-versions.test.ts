import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { StoredVersion } from '../../backend.ts';
import { Slabs, sharedMemory } from '../../slabs.ts';
import { Packer, transferOf, unpack } from './packed-versions.ts';
import { checkRecord, encodeRecord, keptIn } from './record.ts';

const version: fc.Arbitrary<StoredVersion> = fc.record({
  revision: fc.integer({ min: 1, max: 2 ** 48 }),
  key: fc.string({ unit: 'binary', maxLength: 40 }).map((text) => `/${text}`),
  bytes: fc
    .tuple(fc.oneof(fc.nat(50), fc.integer({ min: 8_000, max: 9_000 })), fc.nat(255))
    .map(([length, byte]) => Buffer.alloc(length, byte)),
  deleted: fc.boolean(),
  time: fc.integer({ min: 0, max: 2 ** 47 }),
});

it('gives back what was packed, on another thread too', () => {
  fc.assert(
    fc.property(fc.array(version, { maxLength: 20 }), (versions) => {
      const packer = new Packer(versions.length, keptIn(new Slabs(100_000, sharedMemory)));
      for (const one of versions) {
        const record = encodeRecord(one);
        packer.add(one.revision, record, checkRecord(one.revision, record, false));
      }
      const packed = packer.packed();
      const sent = structuredClone(packed, { transfer: transferOf(packed) });
      const shown = (all: readonly StoredVersion[]) =>
        all.map(({ bytes, ...rest }) => ({ ...rest, text: bytes.toString('latin1') }));
      expect(shown(unpack(sent, new Slabs()))).toEqual(shown(versions));
    }),
  );
});
