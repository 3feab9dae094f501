import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { StoredVersion } from '../../backend.ts';
import { Slabs, sharedMemory } from '../../slabs.ts';
import { lookingFor } from './look.ts';
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

/** Versions that were packed and handed over. */
function sent(versions: readonly StoredVersion[], bytesTo: ConstructorParameters<typeof Packer>[1]): StoredVersion[] {
  const packer = new Packer(versions.length, bytesTo);
  for (const one of versions) {
    const record = encodeRecord(one);
    packer.add(one.revision, record, checkRecord(one.revision, record, false));
  }
  const packed = packer.packed();
  return unpack(structuredClone(packed, { transfer: transferOf(packed) }), new Slabs());
}

const shown = (all: readonly StoredVersion[]) =>
  all.map(({ bytes, ...rest }) => ({ ...rest, text: bytes.toString('latin1') }));

it('gives back what was packed, on another thread too', () => {
  fc.assert(
    fc.property(fc.array(version, { maxLength: 20 }), (versions) => {
      expect(shown(sent(versions, { keep: keptIn(new Slabs(100_000, sharedMemory)) }))).toEqual(shown(versions));
    }),
  );
});

it('gives back what was found in versions whose bytes were left where they are', () => {
  fc.assert(
    fc.property(
      fc.array(version, { maxLength: 20 }),
      fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
      (all, found) => {
        const left = all.map((one) => ({ ...one, bytes: Buffer.alloc(0), left: one.bytes.length, found }));
        expect(shown(sent(all, { look: () => found }))).toEqual(shown(left));
      },
    ),
  );
});

it('looks for texts in bytes, and not in what is before them', () => {
  const look = lookingFor(['"a"', 'bytes', '"ü"']);
  const found = (text: string) => look(Buffer.from(`bytes"a"${text}`), 8);
  expect([found(''), found('{"ü":1}'), found('"a"'), found('"ü"bytes"a"')]).toEqual([0, 4, 1, 7]);
  const capital = lookingFor(['"aTime"']);
  const finds = (text: string) => capital(Buffer.from(`"a${text}`), 2);
  expect([finds('Time"'), finds('"bTime"'), finds('"bTime""aTime"'), finds('"aTim'), finds('Time"aTime"')]).toEqual([
    0, 0, 1, 0, 1,
  ]);
});
