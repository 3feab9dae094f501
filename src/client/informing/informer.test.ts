import { afterEach, describe, expect, it } from 'vitest';
import { ScriptedPlane, THINGS, thing } from '../../../test/support/scripted-plane.ts';
import { AnswerTooLarge } from '../../outbound/failures.ts';
import type { AnyObject } from '../plane-client.ts';
import { Informer, type InformerOptions } from './informer.ts';

interface Thing extends AnyObject {
  readonly note: string;
}

const informers: Informer<Thing, 'byNote'>[] = [];

afterEach(() => {
  for (const informer of informers.splice(0)) informer.close();
});

function inform(plane: ScriptedPlane, options: Partial<InformerOptions<Thing, 'byNote'>> = {}) {
  const informer = new Informer<Thing, 'byNote'>(plane, {
    kind: THINGS,
    indexes: { byNote: ({ note }) => note.split(' ') },
    onError: (error) => plane.errors.push(error),
    ...options,
  });
  informers.push(informer);
  const told: string[] = [];
  const named = ({ metadata }: AnyObject): string => `${metadata.name}@${metadata.resourceVersion}`;
  informer.handle({
    added: (object) => told.push(`+${named(object)}`),
    changed: (object, before) => told.push(`${named(before)}>${named(object)}`),
    removed: (object) => told.push(`-${named(object)}`),
  });
  return { informer, told };
}

const namesIn = (informer: Informer<Thing, 'byNote'>): unknown[] =>
  informer.store.list().map(({ metadata }) => metadata.name);

const resumedAfter = (plane: ScriptedPlane): unknown =>
  plane.watches.at(-1)?.target.searchParams.get('resourceVersion');

describe('where a plane knows no initial events, what an informer follows', () => {
  it('is listed in pages, seen when the last one is there, then watched from there on', async () => {
    const plane = new ScriptedPlane();
    plane.page(5, [thing('a', 1), thing('b', 2)], 'more');
    plane.page(5, [thing('c', 3)]);
    const { told, informer } = inform(plane);
    expect(informer.revision).toBe(undefined);
    await informer.listed();
    expect(informer.revision).toBe('5');
    expect(told).toEqual(['+a@1', '+b@2', '+c@3']);
    expect(plane.requests.map(({ target }) => target)).toEqual([
      '/api/v1/things?limit=500',
      '/api/v1/things?limit=500&continue=more',
    ]);
    await plane.watched(1);
    expect(resumedAfter(plane)).toBe('5');
    plane.send('MODIFIED', thing('a', 6));
    plane.send('DELETED', thing('b', 7));
    plane.send('ADDED', thing('d', 8));
    await expect.poll(() => told.slice(3)).toEqual(['a@1>a@6', '-b@7', '+d@8']);
    expect(namesIn(informer)).toEqual(['a', 'c', 'd']);
    expect(informer.store.get('a', 'n')).toMatchObject({ kind: 'Thing', apiVersion: 'v1' });
    expect(informer.revision).toBe('8');
  });

  it('goes on after the last bookmark when a watch ends or breaks, and lists nothing again', async () => {
    const plane = new ScriptedPlane();
    plane.page(5, [thing('a', 1)]);
    const { told, informer } = inform(plane);
    await plane.watched(1);
    plane.send('BOOKMARK', { metadata: { resourceVersion: '40' } });
    await expect.poll(() => informer.revision).toBe('40');
    plane.watches[0]?.stream.end();
    await plane.watched(2);
    expect(resumedAfter(plane)).toBe('40');
    plane.send('MODIFIED', thing('a', 41));
    await expect.poll(() => told).toEqual(['+a@1', 'a@1>a@41']);
    plane.watches[1]?.stream.destroy(new Error('the connection broke'));
    await plane.watched(3);
    expect(resumedAfter(plane)).toBe('41');
    expect(plane.requests).toHaveLength(1);
  });

  it.each(['when the watch is opened', 'in the watch'])(
    'is listed again when the plane has forgotten too much (410 %s), with what is gone',
    async (when) => {
      const plane = new ScriptedPlane();
      plane.page(5, [thing('a', 1), thing('b', 2), thing('c', 3)]);
      const { told, informer } = inform(plane);
      await plane.watched(1);
      plane.page(90, [thing('a', 1), thing('c', 80), thing('d', 81)]);
      if (when === 'in the watch') plane.send('ERROR', { kind: 'Status', code: 410, reason: 'Expired' });
      else {
        plane.nextStatus = 410;
        plane.watches[0]?.stream.end();
      }
      await expect.poll(() => told.slice(3)).toEqual(['-b@2', 'c@3>c@80', '+d@81']);
      expect(namesIn(informer)).toEqual(['a', 'c', 'd']);
      await expect.poll(() => resumedAfter(plane)).toBe('90');
      expect(plane.errors).toEqual([]);
    },
  );

  it('is listed from the beginning when a list breaks off, in smaller pages when they are too large', async () => {
    const plane = new ScriptedPlane();
    plane.page(5, [thing('a', 1)], 'more');
    plane.refusal({ code: 410, reason: 'Expired', message: 'too old' });
    plane.refusal(new AnswerTooLarge('the answer is too large'));
    plane.page(6, [thing('b', 2)]);
    const { told, informer } = inform(plane);
    await informer.listed();
    expect(plane.requests.at(-1)?.target).toBe('/api/v1/things?limit=125');
    expect(told).toEqual(['+b@2']);
  });

  it('is watched anew when a refusal does not end', async () => {
    const plane = new ScriptedPlane();
    plane.page(5, []);
    inform(plane);
    await plane.watched(1);
    Object.assign(plane, { nextStatus: 503, refusalsHang: true });
    plane.watches[0]?.stream.end();
    await plane.watched(2);
    await expect.poll(() => plane.watches[1]?.stream.readableFlowing).not.toBe(null);
    plane.runtime.advance(75_000);
    await plane.watched(3);
    expect(plane.errors.map(String)).toEqual(['NoAnswer: a refusal with status 503 did not end']);
  });

  it('is watched anew when not even bookmarks come', async () => {
    const plane = new ScriptedPlane();
    plane.page(5, []);
    inform(plane);
    await plane.watched(1);
    await expect.poll(() => plane.watches[0]?.stream.readableFlowing).not.toBe(null);
    plane.runtime.advance(149_000);
    expect(plane.watches[0]?.stream.destroyed).toBe(false);
    plane.runtime.advance(2_000);
    await plane.watched(2);
    expect(plane.watches[0]?.stream.destroyed).toBe(true);
    expect(plane.errors).toHaveLength(1);
  });
});

describe('where a plane sends initial events, what an informer follows', () => {
  it('is seen when all of them are there, and watched over the same connection', async () => {
    const plane = new ScriptedPlane({ streams: true });
    const { told, informer } = inform(plane, { namespace: 'n', labelSelector: 'a=b', metadataOnly: true });
    await plane.watched(1);
    const { target, accept } = plane.watches[0] ?? { target: new URL('http://none') };
    expect(target.pathname).toBe('/api/v1/namespaces/n/things');
    expect(Object.fromEntries(target.searchParams)).toMatchObject({
      watch: 'true',
      sendInitialEvents: 'true',
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: 'true',
      labelSelector: 'a=b',
    });
    expect(accept).toBe('application/json;as=PartialObjectMetadata;g=meta.platform.io;v=v1');
    plane.send('ADDED', thing('a', 1));
    plane.send('ADDED', thing('b', 2));
    plane.send('DELETED', thing('b', 3));
    await new Promise((resolve) => setImmediate(resolve));
    expect([told, informer.revision]).toEqual([[], undefined]);
    plane.sendInitialEnd(4);
    await informer.listed();
    expect([told, informer.revision]).toEqual([['+a@1'], '4']);
    plane.send('ADDED', thing('c', 5));
    await expect.poll(() => informer.revision).toBe('5');
    expect([plane.requests.length, plane.watches.length]).toEqual([0, 1]);
  });

  it.each([
    ['the stream breaks off', (plane: ScriptedPlane) => plane.watches[0]?.stream.destroy(new Error('broken'))],
    [
      'a bookmark comes without a mark',
      (plane: ScriptedPlane) => plane.send('BOOKMARK', { metadata: { resourceVersion: '3' } }),
    ],
  ])('is listed when %s', async (_when, happen) => {
    const plane = new ScriptedPlane({ streams: true });
    const { told, informer } = inform(plane);
    await plane.watched(1);
    plane.send('ADDED', thing('a', 1));
    plane.page(7, [thing('z', 6)]);
    happen(plane);
    await informer.listed();
    expect([told, informer.revision]).toEqual([['+z@6'], '7']);
  });
});

describe.each(['objects', 'text'] as const)('a store of %s', (hold) => {
  it('finds objects by name, namespace, text and index, and says how much it holds', async () => {
    const plane = new ScriptedPlane();
    plane.page(5, [thing('a', 1, 'red'), thing('b', 2, 'red blue')]);
    const { informer } = inform(plane, { hold });
    await informer.listed();
    const { store } = informer;
    const names = (objects: Iterable<Thing>) => [...objects].map(({ metadata }) => metadata.name);
    expect(names(store.by('byNote', 'red'))).toEqual(['a', 'b']);
    expect(names(store.by('byNote', 'blue'))).toEqual(['b']);
    expect(names(store.mentioning('red blue'))).toEqual(['b']);
    expect([store.list('n').length, store.list('other').length, store.size]).toEqual([2, 0, 2]);
    expect(store.textLength).toBe(store.list().reduce((sum, object) => sum + JSON.stringify(object).length, 0));
    await plane.watched(1);
    plane.send('MODIFIED', thing('b', 6, 'blue'));
    plane.send('DELETED', thing('a', 7));
    await expect.poll(() => informer.revision).toBe('7');
    expect(names(store.by('byNote', 'red'))).toEqual([]);
    expect(names(store.by('byNote', 'blue'))).toEqual(['b']);
  });
});

describe('an informer', () => {
  it('tells of an object that took the name of another as of two', async () => {
    const plane = new ScriptedPlane();
    const withUid = (name: string, version: number, uid: string): object => ({
      metadata: { name, uid, resourceVersion: String(version) },
      note: '',
    });
    plane.page(5, [withUid('a', 1, 'first')]);
    const { told } = inform(plane);
    await plane.watched(1);
    plane.page(9, [withUid('a', 8, 'second')]);
    plane.send('ERROR', { code: 410 });
    await expect.poll(() => told).toEqual(['+a@1', '-a@1', '+a@8']);
  });

  it('tells whoever comes later of what is there, and whoever has left of nothing', async () => {
    const plane = new ScriptedPlane();
    plane.page(5, [thing('a', 1)]);
    const { informer } = inform(plane);
    await plane.watched(1);
    const late: string[] = [];
    const subscription = informer.handle({
      added: ({ metadata }) => late.push(`+${metadata.name}`),
      removed() {
        throw new Error('a handler that fails');
      },
    });
    plane.send('ADDED', thing('b', 6));
    plane.send('DELETED', thing('b', 7));
    await expect.poll(() => informer.revision).toBe('7');
    expect(plane.errors).toEqual([new Error('a handler that fails')]);
    subscription.close();
    plane.send('ADDED', thing('c', 8));
    await expect.poll(() => informer.revision).toBe('8');
    expect(late).toEqual(['+a', '+b']);
  });

  it('waits until a condition is true, no longer than asked for, and no longer than it is open', async () => {
    const plane = new ScriptedPlane();
    plane.page(5, []);
    const { informer } = inform(plane);
    const found = informer.until((store) => store.get('a', 'n'));
    const late = informer.until((store) => store.size > 5, { deadline: 10_000 });
    const aborted = informer.until(() => false, { signal: AbortSignal.abort(new Error('enough')) });
    await expect(aborted).rejects.toThrow('enough');
    await plane.watched(1);
    plane.send('ADDED', thing('a', 6));
    expect((await found).metadata.name).toBe('a');
    plane.runtime.advance(10_000);
    await expect(late).rejects.toThrow('it did not become true within 10000 ms');
    const forever = informer.until(() => false);
    informer.close();
    await expect(forever).rejects.toThrow('the informer is closed');
  });

  it('hands changes to a slow reader as few as say the same', async () => {
    const plane = new ScriptedPlane();
    plane.page(5, [thing('a', 1), thing('b', 2)]);
    const { informer } = inform(plane);
    await informer.listed();
    const changes = informer.changes();
    const read = async (count: number) => {
      const texts: string[] = [];
      while (texts.length < count) {
        const { value } = await changes.next();
        texts.push(`${value?.type} ${value?.object.metadata.name}@${value?.object.metadata.resourceVersion}`);
      }
      return texts;
    };
    expect(await read(2)).toEqual(['added a@1', 'added b@2']);
    await plane.watched(1);
    plane.send('MODIFIED', thing('a', 6));
    plane.send('ADDED', thing('c', 7));
    plane.send('MODIFIED', thing('a', 8));
    plane.send('DELETED', thing('c', 9));
    plane.send('DELETED', thing('b', 10));
    plane.send('ADDED', thing('b', 11));
    await expect.poll(() => informer.revision).toBe('11');
    expect(await read(3)).toEqual(['changed a@8', 'removed b@10', 'added b@11']);
    const next = changes.next();
    informer.close();
    expect(await next).toEqual({ done: true, value: undefined });
  });
});
