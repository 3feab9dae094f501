import { expect, it } from 'vitest';
import { PlainDocument } from '../apply/applied-document.ts';
import { sharingOf } from '../apply/derive-sharing.ts';
import { FieldSet } from '../apply/field-set.ts';
import { RememberedDocument } from '../apply/remembered-document.ts';
import { systemRuntime } from '../runtime/runtime.ts';
import { string } from '../schema/scalars.ts';
import { MemoryBackend } from '../storage/backends/memory/memory-backend.ts';
import { Version } from '../storage/log/version.ts';
import { VersionLog } from '../storage/log/version-log.ts';
import { vocabularies } from '../vocabulary/vocabulary.ts';
import { Catalogue } from './catalogue.ts';
import { LiveObjects } from './live-objects.ts';
import { Objects } from './objects.ts';

const MEGABYTE = 1024 * 1024;

function version(revision: number, length = 100): Version {
  const object = { kind: 'K', metadata: { name: `n-${revision}`, annotations: { filling: '.'.repeat(length) } } };
  const bytes = Buffer.from(JSON.stringify(object));
  return new Version({ revision, key: `/k/n-${revision}`, bytes, deleted: false, time: 0 }, undefined);
}

async function newObjects(): Promise<LiveObjects> {
  const runtime = systemRuntime;
  const log = await VersionLog.open(new MemoryBackend({ runtime }), { runtime });
  const objects = new Objects({ log, catalogue: new Catalogue(), runtime, vocabulary: vocabularies.platform });
  return new LiveObjects(objects);
}

it('an object that is asked for again is the same value, until another version takes its place', async () => {
  const [objects, first, second] = [await newObjects(), version(1), version(2)];
  const live = objects.of(first);
  expect(live.object.metadata.name).toBe('n-1');
  expect(objects.of(first)).toBe(live);
  const next = { ...live.object };
  objects.replace(live, second, next);
  expect(objects.of(second)).toMatchObject({ version: second, object: next, applied: live.applied });
  expect(objects.of(first)).not.toBe(live);
});

it('documents that were applied count too, so that a small object with large ones is let go', async () => {
  const objects = await newObjects();
  const small = version(1);
  const live = objects.of(small);
  const applier = { manager: 'm', operation: 'Apply', apiVersion: 'v1', subresource: '' } as const;
  const plain = new PlainDocument(applier, {}, sharingOf(string()), FieldSet.EMPTY);
  live.applied.note(new RememberedDocument(plain, undefined), 4 * MEGABYTE);
  objects.keep(live);
  expect(objects.of(small)).not.toBe(live);
});
