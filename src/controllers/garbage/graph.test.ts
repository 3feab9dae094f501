import { beforeEach, describe, expect, it } from 'vitest';
import type { OwnedObject } from '../../meta/dependents.ts';
import { Graph } from './graph.ts';

let missing: Set<string>;
let heard: string[];
let graph: Graph;

beforeEach(() => {
  missing = new Set();
  heard = [];
  graph = new Graph({
    isThere: ({ uid }) => !missing.has(uid),
    onConcern: ({ uid }) => heard.push(uid),
    onDependentsConcern: ({ uid }) => heard.push(`dependents of ${uid}`),
  });
});

const ref = (uid: string, blockOwnerDeletion = false) => ({
  apiVersion: 'v1',
  kind: 'Thing',
  name: uid,
  uid,
  blockOwnerDeletion,
});

function set(uid: string, owners: readonly ReturnType<typeof ref>[], more: Partial<OwnedObject> = {}): void {
  const place = { group: '', plural: 'things', namespace: 'n', name: uid };
  const rest = { resourceVersion: '1', isGoing: false, propagation: 'Background' as const, ...more };
  graph.set({ ...place, uid, owners, ...rest });
}

const remove = (uid: string): void => graph.remove({ uid, group: '', kind: 'Thing', namespace: 'n', name: uid });

const AWAITS = { isGoing: true, propagation: 'Foreground' } as const;
const ORPHANS = { isGoing: true, propagation: 'Orphan' } as const;

describe('a graph of owners', () => {
  it('has a virtual node for an owner that was never told', () => {
    set('b', [ref('a')]);
    expect(graph.find('a')).toMatchObject({ place: undefined, gone: undefined });
    expect([...(graph.find('a')?.dependents ?? [])]).toEqual([graph.find('b')]);
    expect(heard).toEqual([]);
  });

  it('is concerned about an object whose owner is not known to be there', () => {
    missing.add('a');
    set('b', [ref('x'), ref('a')]);
    expect(heard).toEqual(['b']);
  });

  it('is concerned about the dependents of an owner that is gone, and knows it until they have others', () => {
    set('b', [ref('a')]);
    remove('a');
    expect(heard).toEqual(['dependents of a']);
    expect(graph.find('a')?.gone).toMatchObject({ name: 'a' });
    set('b', [ref('c')]);
    expect(graph.find('a')).toBeUndefined();
    expect(graph.size).toBe(2);
  });

  it('does not know objects that nobody owns and that own nothing', () => {
    remove('z');
    set('b', [ref('a')]);
    set('b', []);
    expect(graph.size).toBe(0);
    set('a', [], ORPHANS);
    remove('a');
    expect(graph.size).toBe(0);
  });

  it('forgets chains as they go', () => {
    set('c', [ref('b')]);
    set('b', [ref('a')]);
    for (const uid of ['a', 'b', 'c']) remove(uid);
    expect(graph.size).toBe(0);
  });

  it('is concerned about an owner that is to leave its dependents, each time it is told', () => {
    set('b', [ref('a')]);
    for (let time = 0; time < 2; time++) set('a', [], ORPHANS);
    expect(heard).toEqual(['a', 'a']);
  });
});

describe('an owner that waits for its dependents', () => {
  it('has them looked at once, and is looked at when none of them blocks it any more', () => {
    set('b', [ref('a', true)]);
    set('c', [ref('a', true)]);
    set('a', [], AWAITS);
    expect(heard.splice(0)).toEqual(['dependents of a', 'a']);
    set('b', [ref('a', false)]);
    expect(heard.splice(0)).toEqual(['b']);
    expect(graph.find('a')?.blocking).toBe(1);
    remove('c');
    expect(heard.splice(0)).toEqual(['a']);
    set('a', [], AWAITS);
    expect(heard).toEqual(['a']);
  });

  it('has dependents looked at that come while it waits', () => {
    set('a', [], AWAITS);
    heard.length = 0;
    set('b', [ref('a', true)]);
    expect(heard).toEqual(['b']);
  });

  it('is blocked once by a dependent that names it twice', () => {
    set('b', [ref('a', true), { ...ref('a', true), name: 'other' }]);
    expect(graph.find('a')?.blocking).toBe(1);
    set('b', [ref('a', true), ref('a', false)]);
    expect(graph.find('a')?.blocking).toBe(1);
    set('b', [ref('a', false)]);
    expect(graph.find('a')?.blocking).toBe(0);
  });
});

describe('a circle', () => {
  const circle = (uids: readonly string[], blocks = true): void => {
    for (const [at, uid] of uids.entries()) set(uid, [ref(uids[(at + 1) % uids.length] ?? '', blocks)], AWAITS);
  };

  it('is one when all in it wait for each other', () => {
    circle(['a', 'b', 'c']);
    expect(['a', 'b', 'c'].map((uid) => isInCircle(uid))).toEqual([true, true, true]);
    set('b', [ref('c', false)], AWAITS);
    expect(isInCircle('a')).toBe(false);
  });

  it('is none when one does not wait', () => {
    circle(['a', 'b', 'c']);
    set('c', [ref('a', true)]);
    expect(isInCircle('a')).toBe(false);
  });

  it('is none for what only waits for one', () => {
    circle(['a', 'b']);
    set('d', [ref('a', true)], AWAITS);
    expect(isInCircle('d')).toBe(false);
    expect(isInCircle('a')).toBe(true);
  });

  it('is what owns itself', () => {
    circle(['a']);
    expect(isInCircle('a')).toBe(true);
    remove('a');
    expect(graph.size).toBe(0);
  });

  const isInCircle = (uid: string): boolean => {
    const node = graph.find(uid);
    return node !== undefined && graph.isInCircle(node);
  };
});
