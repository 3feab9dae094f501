import { beforeEach, describe, expect, it } from 'vitest';
import { sealNew } from '../objects/seal.ts';
import { systemRuntime as runtime } from '../runtime/runtime.ts';
import { MemoryBackend } from '../storage/backends/memory/memory-backend.ts';
import { VersionLog } from '../storage/log/version-log.ts';
import { vocabularies } from '../vocabulary/vocabulary.ts';
import { Catalogue } from './catalogue.ts';
import { Encoder } from './encoding.ts';
import { facetsIn } from './facets.ts';
import { Informer } from './informer.ts';
import { objectKey } from './keys.ts';
import { Objects } from './objects.ts';
import { OwnershipFeed } from './ownership-feed.ts';
import { zooKind } from './test-kinds.ts';

const lions = zooKind('lions', ['v1']);
const tigers = zooKind('tigers', ['v1']);
const encoder = new Encoder(runtime);

let log: VersionLog;
let catalogue: Catalogue;
let informer: Informer;
let objects: Objects;
let heard: string[];

beforeEach(async () => {
  log = await VersionLog.open(new MemoryBackend({ runtime }), { runtime });
  catalogue = new Catalogue();
  catalogue.add(lions);
  objects = new Objects({ log, catalogue, runtime, vocabulary: vocabularies.platform, freezes: true });
  informer = new Informer({ objects, catalogue, onError: (error) => heard.push(String(error)) });
  heard = [];
});

interface Written {
  readonly kind?: typeof lions;
  readonly owners?: readonly string[];
  readonly isGone?: boolean;
  /** As after a start: what it is, is only in its bytes. */
  readonly isBare?: boolean;
}

async function write(name: string, { kind = lions, owners = [], isGone = false, isBare = false }: Written = {}) {
  const type = kind.storage;
  const key = objectKey(type, 'ns', name);
  const ownerReferences = owners.map((uid) => ({ apiVersion: 'v1', kind: 'K', name: uid, uid }));
  const metadata = { name, namespace: 'ns', uid: `uid-${name}`, creationTimestamp: null, ownerReferences };
  const object = sealNew(type.schema, { kind: type.kind, apiVersion: `${type.group}/${type.version}`, metadata });
  const value = encoder.encode(object, false);
  const facets = isBare ? undefined : facetsIn(type, object);
  await log.commit({ key, expected: log.get(key)?.revision ?? 0, value, delete: isGone, facets });
}

const follow = (concerns: () => boolean = () => true): OwnershipFeed =>
  new OwnershipFeed(
    { objects, informer, runtime },
    {
      concerns,
      onSet: ({ plural, namespace, name, uid, owners }) =>
        heard.push(`${plural} ${namespace}/${name} ${uid} of ${owners.map((owner) => owner.uid)}`),
      onRemove: ({ uid, kind, namespace, name }) => heard.push(`-${kind} ${namespace}/${name} ${uid}`),
    },
  );

describe('who follows owners', () => {
  it.each([true, false])(
    'is told of those there are, and of no object without (read off bytes: %s)',
    async (isBare) => {
      await write('a', { isBare });
      await write('b', { owners: ['x', 'y'], isBare });
      const feed = follow();
      expect(heard).toEqual([]);
      await feed.whenComplete();
      expect(heard).toEqual(['lions ns/b uid-b of x,y']);
      expect(feed.whenComplete()).toBeUndefined();
    },
  );

  it('is told of changes at once, and of every removal', async () => {
    const feed = follow();
    await feed.whenComplete();
    await write('a');
    await write('a', { owners: ['x'] });
    await write('a', { owners: [] });
    await write('a', { owners: [] });
    await write('a', { isGone: true });
    expect(heard).toEqual(['lions ns/a uid-a of x', 'lions ns/a uid-a of ', '-Lion ns/a uid-a']);
    feed.close();
    await write('a', { owners: ['x'] });
    expect(heard).toHaveLength(3);
  });

  it('is not told what was there of something that has changed since', async () => {
    await write('a', { owners: ['old'] });
    await write('b', { owners: ['x'] });
    await write('c', { owners: ['x'] });
    const feed = follow();
    await write('a', { owners: ['new'] });
    await write('c', { isGone: true });
    await feed.whenComplete();
    expect(heard).toEqual(['lions ns/a uid-a of new', '-Lion ns/c uid-c', 'lions ns/b uid-b of x']);
  });

  it('is told of kinds as they come, and no more of those that go', async () => {
    await write('t', { kind: tigers, owners: ['x'] });
    const feed = follow();
    await feed.whenComplete();
    catalogue.add(tigers);
    await Promise.resolve();
    await feed.whenComplete();
    expect(heard.splice(0)).toEqual(['tigers ns/t uid-t of x']);
    catalogue.remove(tigers);
    await Promise.resolve();
    await write('t', { kind: tigers, isGone: true });
    expect(heard).toEqual([]);
  });

  it('is told nothing of kinds that do not concern it', async () => {
    await write('a', { owners: ['x'] });
    const feed = follow(() => false);
    expect(feed.whenComplete()).toBeUndefined();
    await write('a', { isGone: true });
    expect(heard).toEqual([]);
  });
});
