import { beforeEach, describe, expect, it, vi } from 'vitest';
import { sealNew } from '../objects/seal.ts';
import { systemRuntime as runtime } from '../runtime/runtime.ts';
import { MemoryBackend } from '../storage/backends/memory/memory-backend.ts';
import { VersionLog } from '../storage/log/version-log.ts';
import { vocabularies } from '../vocabulary/vocabulary.ts';
import { Catalogue } from './catalogue.ts';
import { Encoder } from './encoding.ts';
import { facetsIn } from './facets.ts';
import { Informer, type ObjectListener } from './informer.ts';
import { objectKey } from './keys.ts';
import { type Kind, kindsOf } from './kind.ts';
import { Objects } from './objects.ts';
import type { ApiObject, ResourceType } from './resource-type.ts';
import { ZOO, zooKind, zooType } from './test-kinds.ts';

const LIONS = { group: ZOO, plural: 'lions' };
const encoder = new Encoder(runtime);

let log: VersionLog;
let catalogue: Catalogue;
let objects: Objects;
let informer: Informer;
let problems: unknown[];

beforeEach(async () => {
  log = await VersionLog.open(new MemoryBackend({ runtime }), { runtime });
  catalogue = new Catalogue();
  problems = [];
  objects = new Objects({ log, catalogue, runtime, vocabulary: vocabularies.platform, freezes: true });
  informer = new Informer({ objects, catalogue, onError: (error) => problems.push(error) });
});

async function write(
  type: ResourceType,
  name: string,
  more: { readonly roar?: string; readonly isGone?: boolean; readonly namespace?: string } = {},
) {
  const { namespace = 'ns' } = more;
  const key = objectKey(type, namespace, name);
  const metadata = { name, namespace, creationTimestamp: null };
  const object = { kind: type.kind, apiVersion: `${type.group}/${type.version}`, metadata, roar: more.roar ?? '' };
  const value = encoder.encode(sealNew(type.schema, object), false);
  await log.commit({ key, expected: log.get(key)?.revision ?? 0, value, delete: more.isGone ?? false });
}

function catalogueWith(kind: Kind): Kind {
  catalogue.add(kind);
  return kind;
}

const lionNamed = (type: ResourceType, name: string, finalizers: string[]) => ({
  kind: type.kind,
  apiVersion: `${type.group}/${type.version}`,
  metadata: { name, namespace: 'ns', creationTimestamp: null, finalizers },
  roar: '',
});

function listener(): Required<ObjectListener> & { readonly heard: string[] } {
  const heard: string[] = [];
  return {
    heard,
    onSet: ({ metadata }: ApiObject) => heard.push(`+${metadata.name}`),
    onRemove: ({ metadata }: ApiObject) => heard.push(`-${metadata.name}`),
  };
}

describe('who follows a resource', () => {
  it('in one namespace hears of no other, also when the kind goes', async () => {
    const lions = zooKind('lions', ['v1']);
    catalogue.add(lions);
    await write(lions.storage, 'a');
    await write(lions.storage, 'b', { namespace: 'ns2' });
    const one = listener();
    informer.follow({ ...LIONS, namespace: 'ns' }, one);
    await write(lions.storage, 'c');
    await write(lions.storage, 'd', { namespace: 'n' });
    await write(lions.storage, 'e', { namespace: 'ns2' });
    await write(lions.storage, 'a', { isGone: true });
    expect(one.heard).toEqual(['+a', '+c', '-a']);
    catalogue.remove(LIONS);
    await Promise.resolve();
    expect(one.heard).toEqual(['+a', '+c', '-a', '-c']);
  });

  it('is told what there is before the call returns, then every change', async () => {
    const lions = zooKind('lions', ['v1']);
    catalogue.add(lions);
    await write(lions.storage, 'a');
    const one = listener();
    const following = informer.follow(LIONS, one);
    expect(one.heard).toEqual(['+a']);
    await write(lions.storage, 'b');
    await write(lions.storage, 'a', { isGone: true });
    following.close();
    await write(lions.storage, 'c');
    expect(one.heard).toEqual(['+a', '+b', '-a']);
  });

  it('is handed what is being written, as it will be read', async () => {
    const { storage } = catalogueWith(zooKind('lions', ['v1']));
    const told: ApiObject[] = [];
    informer.follow(LIONS, { onSet: (object) => told.push(object), onRemove: () => {} });
    const object = sealNew(storage.schema, lionNamed(storage, 'a', ['f1']));
    const facets = facetsIn(storage, object);
    facets.written = object;
    const key = objectKey(storage, 'ns', 'a');
    await log.commit({ key, expected: 0, value: encoder.encode(object, false), facets });
    facets.written = undefined;
    const [first] = told;
    expect(first).toEqual(JSON.parse(log.get(key)?.bytes.toString() ?? ''));
    expect(first?.metadata.finalizers).toBe(object.metadata.finalizers);
  });

  it('may come before its kind, and is told of its objects when that comes and when it goes', async () => {
    const lions = zooKind('lions', ['v1']);
    await write(lions.storage, 'left-over');
    const one = listener();
    informer.follow(LIONS, one);
    expect(one.heard).toEqual([]);
    catalogue.add(lions);
    await expect.poll(() => one.heard).toEqual(['+left-over']);
    await write(lions.storage, 'a');
    catalogue.remove(LIONS);
    await expect.poll(() => one.heard).toEqual(['+left-over', '+a', '-a', '-left-over']);
    await write(lions.storage, 'b');
    catalogue.add(zooKind('lions', ['v1']));
    await expect.poll(() => one.heard.slice(4)).toEqual(['+a', '+b', '+left-over']);
  });

  it('goes on when the kind is replaced by one that is stored in the same place', async () => {
    const lions = zooKind('lions', ['v1']);
    catalogue.add(lions);
    await write(lions.storage, 'a');
    const one = listener();
    informer.follow(LIONS, one);
    const next = zooKind('lions', ['v1', 'v2']);
    catalogue.replace(next);
    await write(next.storage, 'b');
    expect(one.heard).toEqual(['+a', '+b']);
  });

  it('begins anew when it is replaced by one that is stored elsewhere', async () => {
    const lions = zooKind('lions', ['v1']);
    const [elsewhere] = kindsOf([zooType('lions', 'v1', { collection: 'other-lions' })]);
    if (!elsewhere) throw new Error('there is one');
    catalogue.add(lions);
    await write(lions.storage, 'a');
    await write(elsewhere.storage, 'x');
    const one = listener();
    informer.follow(LIONS, one);
    catalogue.replace(elsewhere);
    await expect.poll(() => one.heard).toEqual(['+a', '-a', '+x']);
    await write(lions.storage, 'b');
    await write(elsewhere.storage, 'y');
    expect(one.heard).toEqual(['+a', '-a', '+x', '+y']);
  });

  it('is told exactly what it was told before to be gone, even when a kind goes while a change is being told', async () => {
    const lions = zooKind('lions', ['v1']);
    const tigers = zooKind('tigers', ['v1']);
    catalogue.add(lions, tigers);
    await write(lions.storage, 'a');
    // Told of the same commit before the other one is, as both come in one batch.
    informer.follow({ group: ZOO, plural: 'tigers' }, { onSet: () => catalogue.remove(LIONS), onRemove() {} });
    const one = listener();
    informer.follow(LIONS, one);
    await Promise.all([
      write(tigers.storage, 't'),
      write(lions.storage, 'b'),
      write(lions.storage, 'a', { isGone: true }),
    ]);
    await expect.poll(() => one.heard).toEqual(['+a', '+b', '-a', '-b']);
  });

  it('hears of everything else when it throws', async () => {
    const lions = zooKind('lions', ['v1']);
    catalogue.add(lions);
    await write(lions.storage, 'a');
    await write(lions.storage, 'b');
    const one = listener();
    const onSet = (object: ApiObject): void => {
      if (object.metadata.name === 'a') throw new Error('not a');
      one.onSet(object);
    };
    informer.follow(LIONS, { onSet, onRemove() {} });
    await write(lions.storage, 'a', { roar: 'again' });
    await write(lions.storage, 'c');
    expect(one.heard).toEqual(['+b', '+c']);
    expect(problems).toEqual([new Error('not a'), new Error('not a')]);
  });

  it('who hears only of what is gone has nothing else looked at', async () => {
    const lions = zooKind('lions', ['v1']);
    catalogue.add(lions);
    await write(lions.storage, 'a');
    const { heard, onRemove } = listener();
    const [once, of] = [vi.spyOn(objects, 'once'), vi.spyOn(objects, 'of')];
    informer.follow(LIONS, { onRemove });
    await write(lions.storage, 'b');
    expect([once, of].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
    await write(lions.storage, 'a', { isGone: true });
    expect(heard).toEqual(['-a']);
  });

  it('cannot change what it is told', async () => {
    const lions = zooKind('lions', ['v1']);
    catalogue.add(lions);
    await write(lions.storage, 'a');
    const change = ({ metadata }: ApiObject): void => {
      Object.assign(metadata, { labels: {} });
    };
    informer.follow(LIONS, { onSet: change, onRemove() {} });
    expect(problems).toHaveLength(1);
    expect(objects.get(LIONS, 'ns', 'a')?.metadata.labels).toBeUndefined();
  });
});

describe('who follows all kinds', () => {
  it('is told of the objects of each, as they come and go', async () => {
    const lions = zooKind('lions', ['v1', 'v2']);
    const reviews = kindsOf([zooType('reviews', 'v1', { verbs: ['create'] })]);
    catalogue.add(lions, ...reviews);
    await write(lions.storage, 'a');
    const heard: string[] = [];
    const following = informer.followAll(
      {},
      {
        onSet: ({ metadata }, { plural }) => heard.push(`+${plural}/${metadata.name}`),
        onRemove: ({ metadata }, { plural }) => heard.push(`-${plural}/${metadata.name}`),
      },
    );
    const tigers = zooKind('tigers', ['v1'], { isServed: () => false });
    catalogue.add(tigers);
    await expect.poll(() => catalogue.storedIn(`tigers.${ZOO}`)).toBe(tigers);
    await write(tigers.storage, 't');
    catalogue.remove(lions);
    await expect.poll(() => heard).toEqual(['+lions/a', '+tigers/t', '-lions/a']);
    following.close();
    await write(tigers.storage, 'u');
    catalogue.remove(tigers);
    await Promise.resolve();
    expect(heard).toEqual(['+lions/a', '+tigers/t', '-lions/a']);
  });

  it('is told only of those with a text in them, where it wants that', async () => {
    const lions = zooKind('lions', ['v1']);
    catalogue.add(lions);
    await write(lions.storage, 'loud', { roar: 'very loud' });
    await write(lions.storage, 'quiet');
    const one = listener();
    informer.followAll({ mentions: 'very' }, one);
    expect(one.heard).toEqual(['+loud']);
  });
});
