import { expect, it } from 'vitest';
import { AppliedDocument } from '../apply/applied-document.ts';
import { sharingOf } from '../apply/derive-sharing.ts';
import { FieldSet } from '../apply/field-set.ts';
import { string } from '../schema/scalars.ts';
import { Version } from '../storage/version.ts';
import { RecentObjects } from './recent-objects.ts';
import { StoredObject } from './stored-object.ts';

const MEGABYTE = 1024 * 1024;

function version(revision: number, length = 100): Version {
  const object = { kind: 'K', metadata: { name: `n-${revision}`, annotations: { filling: '.'.repeat(length) } } };
  const bytes = Buffer.from(JSON.stringify(object));
  return new Version({ revision, key: `/k/n-${revision}`, bytes, deleted: false, time: 0 }, undefined);
}

it('an object that is asked for again is the same value, until another version takes its place', () => {
  const [recent, first, second] = [new RecentObjects(), version(1), version(2)];
  const stored = recent.of(first);
  expect(stored.object.metadata.name).toBe('n-1');
  expect(recent.of(first)).toBe(stored);
  const next = new StoredObject(recent.of(second).object);
  recent.replace(first, second, next);
  expect(recent.of(second)).toBe(next);
  expect(recent.of(first)).not.toBe(stored);
});

it('those that came first are let go when there is too much of them', () => {
  const recent = new RecentObjects();
  const versions = Array.from({ length: 20 }, (_, at) => version(at, MEGABYTE / 2));
  const stored = versions.map((one) => recent.of(one));
  const isKept = (at: number): boolean => recent.of(versions[at] ?? version(0)) === stored[at];
  expect([isKept(19), isKept(18), isKept(0)]).toEqual([true, true, false]);
});

it('what is too large to be kept is read each time', () => {
  const recent = new RecentObjects();
  const large = version(7, 5 * MEGABYTE);
  expect(recent.of(large).object.metadata.name).toBe('n-7');
  expect(recent.of(large)).not.toBe(recent.of(large));
});

it('documents that were applied count too, so that a small object with large ones is let go', () => {
  const recent = new RecentObjects();
  const small = version(1);
  const stored = recent.of(small);
  const applier = { manager: 'm', operation: 'Apply', apiVersion: 'v1', subresource: '' } as const;
  stored.noteApplied(new AppliedDocument(applier, {}, sharingOf(string()), FieldSet.EMPTY, 2 * MEGABYTE));
  recent.keep(small, stored);
  expect(recent.of(small)).not.toBe(stored);
});
