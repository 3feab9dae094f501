import { expect, it } from 'vitest';
import { type Archive, HistoryGone } from '../backend.ts';
import { ArchivedVersion, lentBytes } from './archived-version.ts';
import { reporting } from './reporting-archive.ts';
import { Version } from './version.ts';

const stored = { revision: 7, key: '/a/b', bytes: Buffer.from('own'), deleted: false, time: 1_000 };
const version = new Version(stored, undefined);
const archived = (archive: Archive): ArchivedVersion => new ArchivedVersion(version, archive);

it('lends bytes where the store does, and reads them where it does not', () => {
  const read = () => Buffer.from('own');
  const both = reporting({ read, lend: (revision, key) => Buffer.from(`${key} at ${revision}`) }, () => {});
  expect(String(lentBytes(archived(both)))).toBe('/a/b at 7');
  expect(String(archived(both).bytes)).toBe('own');
  expect(String(lentBytes(archived(reporting({ read }, () => {}))))).toBe('own');
  expect(lentBytes(version)).toBe(version.bytes);
});

it('tells of what is gone, and of what cannot be read, whoever asks', () => {
  const told: unknown[] = [];
  const failing = (): never => {
    throw new Error('the disk is gone');
  };
  expect(() => lentBytes(archived({ read: failing, lend: () => undefined }))).toThrow(HistoryGone);
  expect(() => lentBytes(archived(reporting({ read: failing, lend: failing }, (error) => told.push(error))))).toThrow(
    'the disk is gone',
  );
  expect(told).toHaveLength(1);
});
