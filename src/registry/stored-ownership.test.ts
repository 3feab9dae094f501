import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ObjectMeta } from '../meta/object-meta.ts';
import { ownershipIn, storedOwnership, storedUid } from './stored-ownership.ts';

/** Texts that try to look like what is searched for. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('"ownerReferences":[', '\\"uid\\":"x"', '},{', ']', '"', '\\', '\\\\"', '"deletionTimestamp":"'),
);
const owner = fc.record(
  { apiVersion: anyText, kind: anyText, name: anyText, uid: anyText, blockOwnerDeletion: fc.boolean() },
  { requiredKeys: ['apiVersion', 'kind', 'name', 'uid'] },
);
const TIME = '2024-05-01T10:00:00Z';

/** In the order of the declaration, but for the version, which is where it was put when the object was new. */
const metadata = fc.record(
  {
    name: anyText,
    generateName: anyText,
    namespace: anyText,
    uid: fc.uuid(),
    generation: fc.integer(),
    creationTimestamp: fc.constantFrom(null, TIME),
    deletionTimestamp: fc.constant(TIME),
    deletionGracePeriodSeconds: fc.nat(),
    labels: fc.dictionary(anyText, anyText, { maxKeys: 2 }),
    annotations: fc.dictionary(fc.oneof(anyText, fc.constantFrom('uid', 'finalizers')), anyText, { maxKeys: 3 }),
    ownerReferences: fc.array(owner, { maxLength: 3 }),
    finalizers: fc.array(fc.oneof(anyText, fc.constantFrom('orphan', 'foregroundDeletion')), { maxLength: 3 }),
    managedFields: fc.array(fc.record({ manager: anyText, fieldsV1: fc.constant({ 'f:ownerReferences': {} }) })),
    resourceVersion: fc.nat().map(String),
  },
  { requiredKeys: ['uid', 'creationTimestamp'] },
);

it('what bytes say of owners is what parsing gives, whatever else the object says', () => {
  const outcomes = new Set<boolean>();
  fc.assert(
    fc.property(metadata, anyText, (given, text) => {
      const object = { kind: 'Thing', apiVersion: 'v1', metadata: given, spec: { text, metadata: given } };
      const bytes = Buffer.from(JSON.stringify(object));
      const expected = ownershipIn(JSON.parse(bytes.toString()).metadata as ObjectMeta);
      expect(storedOwnership(bytes)).toEqual(expected);
      expect(storedUid(bytes)).toBe(given.uid);
      outcomes.add(expected !== undefined);
    }),
    { numRuns: 2_000 },
  );
  expect(outcomes.size).toBe(2);
});

it('an object concerns nobody that has no owners and is not waited for', () => {
  const meta = { creationTimestamp: null, uid: 'u' };
  expect(ownershipIn(meta)).toBeUndefined();
  expect(ownershipIn({ ...meta, finalizers: ['orphan'] })).toBeUndefined();
  expect(ownershipIn({ ...meta, deletionTimestamp: TIME, finalizers: ['example.com/own'] })).toBeUndefined();
  expect(ownershipIn({ ...meta, deletionTimestamp: TIME, finalizers: ['orphan'] })).toMatchObject({
    isGoing: true,
    propagation: 'Orphan',
  });
});

it('bytes that are no object of ours have no owners', () => {
  for (const text of ['', '{}', '{"kind":"K","metadata":{}}', '{"kind":"K"}']) {
    expect(storedOwnership(Buffer.from(text))).toBeUndefined();
    expect(storedUid(Buffer.from(text))).toBe('');
  }
});
