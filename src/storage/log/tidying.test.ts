import { describe, expect, it } from 'vitest';
import { systemRuntime } from '../../runtime/runtime.ts';
import { Slabs } from '../slabs.ts';
import { Collections } from './collections.ts';
import { Tidying } from './tidying.ts';
import type { Version } from './version.ts';

const PIECE = 50_000;

class CountingSlabs extends Slabs {
  urges = 0;

  override urge(): void {
    this.urges++;
  }
}

/** A log of versions in slabs of twenty each. */
function world() {
  const slabs = new CountingSlabs(20 * PIECE);
  const collections = new Collections();
  const moved: number[] = [];
  const tidying = new Tidying({
    runtime: systemRuntime,
    collections,
    slabs,
    backend: { moved: (revision) => moved.push(revision) },
  });
  const add = (revision: number, key = `/maps/${revision}`): Version =>
    collections.of(key).append({ revision, key, bytes: slabs.take(PIECE).fill(revision), deleted: false, time: 0 });
  return { slabs, collections, tidying, moved, add };
}

/** Long enough for a few turns. */
async function settled(done: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1000 && !done(); turn++) await new Promise(setImmediate);
}

describe('tidying', () => {
  it('moves what is left in memory that is mostly free, which still says the same', async () => {
    const { slabs, tidying, moved, add } = world();
    const versions = Array.from({ length: 60 }, (_, at) => add(at + 1));
    const before = versions.map(({ bytes }) => Buffer.from(bytes));
    // One of each slab is held on to, here by the log, which has all of them in its index.
    const kept = new Set([1, 21, 41]);
    for (const { revision, bytes } of versions) if (!kept.has(revision)) slabs.release(bytes);
    const old = versions[0]?.bytes.buffer;
    tidying.look();
    await settled(() => moved.length === 60);
    expect(moved.slice(0, 3)).toEqual([1, 10, 11]);
    expect(versions[0]?.bytes.buffer).not.toBe(old);
    expect(versions.filter(({ bytes }, at) => !before[at]?.equals(bytes))).toEqual([]);
  });

  it('moves superseded versions too', async () => {
    const { slabs, tidying, moved, add } = world();
    const first = add(1, '/maps/a');
    const second = add(2, '/maps/a');
    expect(second.previous).toBe(first);
    for (let one = 0; one < 30; one++) slabs.release(slabs.take(PIECE));
    tidying.look();
    await settled(() => moved.length === 2);
    expect(moved).toEqual([2, 1]);
  });

  it('leaves alone what would give little, and ends when it is closed', async () => {
    const { slabs, tidying, moved, add } = world();
    add(1);
    for (let one = 0; one < 15; one++) slabs.release(slabs.take(PIECE));
    tidying.look();
    await settled(() => moved.length > 0);
    expect(moved).toEqual([]);
    tidying.close();
    for (let one = 0; one < 60; one++) slabs.release(slabs.take(PIECE));
    tidying.look();
    await settled(() => moved.length > 0);
    expect(moved).toEqual([]);
  });

  it('has the engine collect once when all of very much is past', () => {
    const { slabs, collections, tidying } = world();
    const bytes = slabs.take(1);
    const note = (count: number): void => {
      for (let at = 0; at < count; at++) {
        collections.of('/leases/a').append({ revision: at, key: '/leases/a', bytes, deleted: false, time: 0 });
      }
    };
    const forget = (): void => {
      while (collections.timeline.first < collections.timeline.end) collections.timeline.shift(false);
      tidying.look();
    };
    note(12_000);
    tidying.look();
    expect(slabs.urges).toBe(0);
    forget();
    expect(slabs.urges).toBe(1);
    note(100);
    forget();
    expect(slabs.urges).toBe(1);
    tidying.close();
    note(12_000);
    forget();
    expect(slabs.urges).toBe(1);
  });
});
