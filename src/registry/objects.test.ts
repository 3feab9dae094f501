import { beforeEach, describe, expect, it } from 'vitest';
import { sealNew } from '../objects/seal.ts';
import { systemRuntime as runtime } from '../runtime/runtime.ts';
import { MemoryBackend } from '../storage/backends/memory/memory-backend.ts';
import type { Version } from '../storage/log/version.ts';
import { VersionLog } from '../storage/log/version-log.ts';
import { vocabularies } from '../vocabulary/vocabulary.ts';
import { Catalogue } from './catalogue.ts';
import { Encoder } from './encoding.ts';
import { objectKey } from './keys.ts';
import { Objects } from './objects.ts';
import { ZOO, zooKind } from './test-kinds.ts';

const LIONS = { group: ZOO, plural: 'lions' };
const lions = zooKind('lions', ['v1']);
const encoder = new Encoder(runtime);
const catalogue = new Catalogue();
catalogue.add(lions);

let log: VersionLog;
let objects: Objects;

beforeEach(async () => {
  log = await VersionLog.open(new MemoryBackend({ runtime }), { runtime });
  objects = new Objects({ log, catalogue, runtime, vocabulary: vocabularies.platform, freezes: true });
});

async function write(namespace: string, name: string): Promise<Version> {
  const metadata = { name, namespace, creationTimestamp: null };
  const value = encoder.encode(
    sealNew(lions.storage.schema, { kind: 'Lion', apiVersion: `${ZOO}/v1`, metadata }),
    false,
  );
  const outcome = await log.commit({ key: objectKey(lions.storage, namespace, name), expected: 0, value });
  if (outcome.conflict) throw new Error('it is there already');
  return outcome.version;
}

describe('a stored object', () => {
  it('is one value for all who ask, and cannot be changed', async () => {
    const version = await write('ns', 'a');
    const object = objects.get(LIONS, 'ns', 'a');
    expect(object?.metadata.name).toBe('a');
    expect(objects.of(version)).toBe(object);
    expect(objects.once(version)).toBe(object);
    expect(objects.list(LIONS, 'ns')[0]).toBe(object);
    expect(() => Object.assign(object?.metadata ?? {}, { name: 'b' })).toThrow(TypeError);
  });

  it('that is looked at once is not kept', async () => {
    const version = await write('ns', 'a');
    expect(objects.once(version)).not.toBe(objects.once(version));
  });

  it('is what its writer has left, with what is beside it, until another version takes its place', async () => {
    const [first, second] = [await write('ns', 'a'), await write('ns', 'b')];
    const written = objects.once(first);
    const extra = { bytes: 100 };
    objects.keep(first, written, extra);
    expect(objects.get(LIONS, 'ns', 'a')).toBe(written);
    expect(objects.entry(first)).toEqual({ object: written, extra });
    objects.replace(first, second, written);
    expect(objects.entry(second)).toEqual({ object: written, extra: undefined });
    expect(objects.of(first)).not.toBe(written);
  });

  it('is let go of when what is beside it has grown too large', async () => {
    const version = await write('ns', 'a');
    const object = objects.of(version);
    objects.keep(version, object, { bytes: 1 << 30 });
    expect(objects.of(version)).not.toBe(object);
  });
});

it('objects are found by namespace, name and the start of their names', async () => {
  await write('one', 'a-1');
  await write('one', 'b-1');
  await write('two', 'a-2');
  const names = (found: readonly Version[]): string[] =>
    found.map((version) => objects.of(version).metadata.name ?? '');
  expect(names(objects.versions(LIONS))).toEqual(['a-1', 'b-1', 'a-2']);
  expect(names(objects.versions(LIONS, 'one'))).toEqual(['a-1', 'b-1']);
  expect(names(objects.versions(LIONS, 'one', 'a-'))).toEqual(['a-1']);
  expect([objects.count(LIONS), objects.count(LIONS, 'two'), objects.sample(LIONS, 2).length]).toEqual([3, 1, 2]);
  expect([objects.has(LIONS, 'two', 'a-2'), objects.has(LIONS, 'two', 'a-1')]).toEqual([true, false]);
});

it('what has no kind has no objects', () => {
  const tigers = { group: ZOO, plural: 'tigers' };
  expect([objects.get(tigers, 'ns', 'a'), objects.list(tigers), objects.count(tigers)]).toEqual([undefined, [], 0]);
  expect(objects.view(tigers).done).toBe(true);
});
