import { beforeAll, expect, it } from 'vitest';
import { internalBecause } from '../api/errors.ts';
import { sealNew } from '../objects/seal.ts';
import { systemRuntime as runtime } from '../runtime/runtime.ts';
import { EVERY_FIELD, parseFieldSelector } from '../selectors/field-selector.ts';
import { parseLabelSelector } from '../selectors/label-selector.ts';
import { MemoryBackend } from '../storage/backends/memory/memory-backend.ts';
import type { Entries } from '../storage/log/entries.ts';
import { VersionLog } from '../storage/log/version-log.ts';
import { vocabularies } from '../vocabulary/vocabulary.ts';
import { Catalogue } from './catalogue.ts';
import { type DeletingParts, deleteMany } from './delete-many.ts';
import { Encoder } from './encoding.ts';
import { type Selection, selectionOf } from './facets.ts';
import { identityOf, objectKey } from './keys.ts';
import type { Kind } from './kind.ts';
import { Objects } from './objects.ts';
import type { Registry } from './registry.ts';
import type { ApiObject, ResourceType } from './resource-type.ts';
import { ZOO, zooKind } from './test-kinds.ts';
import { convertedVersions } from './version-converter.ts';
import type { DeleteOptions } from './write.ts';

/** More than are looked at in one go. Stored as v1 with the label `in: v1`; every tenth has `in: v2` as v2. */
const COUNT = 5_010;
const numberIn = (name = ''): number => Number(name.slice(1));
let broken = Number.POSITIVE_INFINITY;
let converted = 0;

function inOther(object: ApiObject): ApiObject {
  const at = numberIn(object.metadata.name);
  if (at >= broken) throw internalBecause('the converter is gone');
  converted++;
  const labels = { in: at % 10 === 0 ? 'v2' : 'none' };
  return { ...object, metadata: { ...object.metadata, labels } };
}

/** A kind that has converted nothing yet. */
const newKind = (): Kind =>
  zooKind('bears', ['v2', 'v1'], {
    conversion: { convert: async (objects) => objects.map(inOther), cache: convertedVersions(), runtime },
  });

const bears = newKind();
const [v2, v1] = bears.versions as readonly [ResourceType, ResourceType];
const EXPECTED = Array.from({ length: COUNT / 10 }, (_, at) => `b${String(10 * at).padStart(4, '0')}`);

let log: VersionLog;
let objects: Objects;

function readerOf(kind: Kind): Objects {
  const catalogue = new Catalogue();
  catalogue.add(kind);
  return new Objects({ log, catalogue, runtime, vocabulary: vocabularies.platform });
}

beforeAll(async () => {
  log = await VersionLog.open(new MemoryBackend({ runtime }), { runtime });
  objects = readerOf(bears);
  const encoder = new Encoder(runtime);
  for (let at = 0; at < COUNT; at++) {
    const name = `b${String(at).padStart(4, '0')}`;
    const metadata = { name, namespace: 'ns', creationTimestamp: null, labels: { in: 'v1' } };
    const value = encoder.encode(sealNew(v1.schema, { kind: 'Bear', apiVersion: `${ZOO}/v1`, metadata }), false);
    await log.commit({ key: objectKey(v1, 'ns', name), expected: 0, value });
  }
});

const labelled = (type: ResourceType, label: string): Selection | undefined =>
  selectionOf(type, parseLabelSelector(`in=${label}`), EVERY_FIELD);

async function open(type: ResourceType, selection?: Selection, reader = objects): Promise<Entries> {
  const long = await reader.readLongList(type, 'ns', { selection });
  if (!long) throw new Error('the list is too short for this test');
  return long.entries;
}

async function namesIn(entries: Entries): Promise<string[]> {
  const names: string[] = [];
  while (!entries.done) {
    await entries.ready?.();
    for (const { key } of entries.next(100)) names.push(identityOf(v1, key).name);
  }
  return names;
}

it('a long list selects by what objects say in the version that is asked for', async () => {
  expect(await namesIn(await open(v2, labelled(v2, 'v2')))).toEqual(EXPECTED);
  expect(await namesIn(await open(v2, labelled(v2, 'v1')))).toEqual([]);
  expect(await namesIn(await open(v1, labelled(v1, 'v1')))).toHaveLength(COUNT);
});

it('so does what a watch begins with', async () => {
  expect(await namesIn(objects.entries(v2, 'ns/', labelled(v2, 'v2')))).toEqual(EXPECTED);
});

it('a selection by name prepares what it selects, and nothing else', async () => {
  const fresh = newKind();
  const [type = v2] = fresh.versions;
  const named = selectionOf(type, parseLabelSelector(''), parseFieldSelector('metadata.name=b0003'));
  converted = 0;
  expect(await namesIn(await open(type, named, readerOf(fresh)))).toEqual(['b0003']);
  expect(converted).toBe(1);
});

const ASKED: DeleteOptions = { user: { name: 'someone', uid: '', groups: [], extra: new Map() } };

const deleting = (deleted: string[]): DeletingParts => ({
  runtime,
  registry: {
    delete: async (_type: ResourceType, _namespace: string, name: string) => {
      deleted.push(name);
    },
  } as unknown as Registry,
});

it('everything that a long list selects is deleted, once', async () => {
  const deleted: string[] = [];
  await deleteMany(deleting(deleted), v2, await open(v2, labelled(v2, 'v2')), ASKED, 'stop');
  expect(deleted.sort()).toEqual(EXPECTED);
});

it('what cannot be prepared is not deleted, and whoever asked is told', async () => {
  const fresh = newKind();
  const [type = v2] = fresh.versions;
  broken = 1_000;
  const deleted: string[] = [];
  const entries = await open(type, undefined, readerOf(fresh));
  await expect(deleteMany(deleting(deleted), type, entries, ASKED, 'go on')).rejects.toThrow('the converter is gone');
  expect(deleted.length).toBeGreaterThan(0);
  expect(deleted.every((name) => numberIn(name) < broken)).toBe(true);
});

it('lets others have their turn while nothing that it looks at is selected', async () => {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  let left = 40;
  // Each look takes as long as a slow one would.
  const entries: Entries = {
    get done() {
      return left === 0;
    },
    next() {
      left--;
      for (const until = performance.now() + 1; performance.now() < until; );
      return [];
    },
  };
  setImmediate(count);
  await deleteMany(deleting([]), v1, entries, ASKED, 'stop');
  isOver = true;
  expect(turns).toBeGreaterThan(3);
});
