import { expect, it } from 'vitest';
import { PlainDocument } from '../apply/applied-document.ts';
import { sharingOf } from '../apply/derive-sharing.ts';
import { FieldSet } from '../apply/field-set.ts';
import { RememberedDocument } from '../apply/remembered-document.ts';
import { string } from '../schema/scalars.ts';
import { Version } from '../storage/version.ts';
import { LiveObjects } from './live-objects.ts';

const MEGABYTE = 1024 * 1024;

function version(revision: number, length = 100): Version {
  const object = { kind: 'K', metadata: { name: `n-${revision}`, annotations: { filling: '.'.repeat(length) } } };
  const bytes = Buffer.from(JSON.stringify(object));
  return new Version({ revision, key: `/k/n-${revision}`, bytes, deleted: false, time: 0 }, undefined);
}

it('an object that is asked for again is the same value, until another version takes its place', () => {
  const [objects, first, second] = [new LiveObjects(), version(1), version(2)];
  const live = objects.of(first);
  expect(live.object.metadata.name).toBe('n-1');
  expect(objects.of(first)).toBe(live);
  const next = { version: second, object: objects.of(second).object, applied: live.applied };
  objects.replace(live, next);
  expect(objects.of(second)).toBe(next);
  expect(objects.of(first)).not.toBe(live);
});

it('those that came first are let go when there is too much of them', () => {
  const objects = new LiveObjects();
  const versions = Array.from({ length: 20 }, (_, at) => version(at, MEGABYTE / 2));
  const live = versions.map((one) => objects.of(one));
  const isKept = (at: number): boolean => objects.of(versions[at] ?? version(0)) === live[at];
  expect([isKept(19), isKept(18), isKept(0)]).toEqual([true, true, false]);
});

it('what is too large to be kept is read each time', () => {
  const objects = new LiveObjects();
  const large = version(7, 5 * MEGABYTE);
  expect(objects.of(large).object.metadata.name).toBe('n-7');
  expect(objects.of(large)).not.toBe(objects.of(large));
});

it('documents that were applied count too, so that a small object with large ones is let go', () => {
  const objects = new LiveObjects();
  const small = version(1);
  const live = objects.of(small);
  const applier = { manager: 'm', operation: 'Apply', apiVersion: 'v1', subresource: '' } as const;
  const plain = new PlainDocument(applier, {}, sharingOf(string()), FieldSet.EMPTY);
  live.applied.note(new RememberedDocument(plain, undefined), 2 * MEGABYTE);
  objects.keep(live);
  expect(objects.of(small)).not.toBe(live);
});
