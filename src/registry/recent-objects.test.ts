import { expect, it } from 'vitest';
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
  const versions = Array.from({ length: 6 }, (_, at) => version(at, MEGABYTE));
  const stored = versions.map((one) => recent.of(one));
  expect(versions.map((one, at) => (at < 3 ? undefined : recent.of(one) === stored[at]))).toEqual([
    undefined,
    undefined,
    undefined,
    true,
    true,
    true,
  ]);
  expect(recent.of(version(7, 5 * MEGABYTE)).object.metadata.name).toBe('n-7');
  expect(versions.some((one, at) => recent.of(one) === stored[at])).toBe(false);
});
