import { afterEach, describe, expect, it } from 'vitest';
import { type Deliver, type Replace, StorageUnavailable, type StoredVersion, type Write } from '../backend.ts';
import { MemoryBackend, MemoryDisk } from '../backends/memory/memory-backend.ts';
import { ManualRuntime } from '../manual-runtime.ts';
import type { Persist } from './sequencer.ts';
import { type Compaction, HistoryGone, type Version, VersionLog } from './version-log.ts';

const put = (key: string, expected = 0, text = ''): Write => ({ key, expected, value: { head: '', tail: text } });
const remove = (key: string, expected: number): Write => ({ ...put(key, expected), delete: true });
const keys = (versions: readonly Version[]) => versions.map(({ key }) => key);
const revisions = (versions: readonly Version[]) => versions.map(({ revision }) => revision);

const closing: VersionLog[] = [];

afterEach(async () => {
  for (const log of closing.splice(0)) await log.close();
});

interface Settings {
  readonly disk?: MemoryDisk;
  readonly persist?: Persist;
  readonly historyMemory?: number;
}

async function openLog({ disk = new MemoryDisk(), persist, historyMemory }: Settings = {}) {
  const runtime = new ManualRuntime();
  const errors: unknown[] = [];
  const compactions: Compaction[] = [];
  const backend = new MemoryBackend({ runtime, disk, ...(persist && { persist }) });
  const log = await VersionLog.open(backend, {
    runtime,
    onError: (error) => errors.push(error),
    onCompaction: (compaction) => compactions.push(compaction),
    ...(historyMemory !== undefined && { historyMemory }),
  });
  closing.push(log);
  return { log, runtime, backend, errors, compactions };
}

async function commit(log: VersionLog, write: Write): Promise<Version> {
  const result = await log.commit(write);
  if (result.conflict) throw new Error(`conflict with ${result.revision}`);
  return result.version;
}

const recorder = () => {
  const batches: (readonly Version[])[] = [];
  return { batches, onVersions: (versions: readonly Version[]) => batches.push(versions) };
};

describe('reading', () => {
  it('pages through a collection in key order, one namespace or all', async () => {
    const { log } = await openLog();
    for (const key of ['b/2', 'a/1', 'ab/1', 'b/1', 'a/2']) await commit(log, put(`/pods/${key}`));
    await commit(log, put('/podsecurity/a/1'));
    expect(keys(log.list('pods', { limit: 2 }))).toEqual(['/pods/a/1', '/pods/a/2']);
    expect(keys(log.list('pods', { limit: 2, after: 'a/2' }))).toEqual(['/pods/ab/1', '/pods/b/1']);
    expect(keys(log.list('pods', { prefix: 'b/' }))).toEqual(['/pods/b/1', '/pods/b/2']);
    expect(keys(log.list('pods', { prefix: 'b/', after: 'b/1' }))).toEqual(['/pods/b/2']);
    expect(keys(log.list('pods', { prefix: 'b/', after: 'a/1' }))).toEqual(['/pods/b/1', '/pods/b/2']);
    expect(log.count('pods')).toBe(5);
    expect(log.count('pods', { after: 'a/2' })).toBe(3);
    expect(log.list('nothing')).toEqual([]);
  });

  it('waits for a revision, but not for longer than told', async () => {
    const { log, runtime } = await openLog();
    const next = log.revision + 1;
    const reached = log.waitFor(next, 1_000);
    const notReached = log.waitFor(next + 1, 1_000);
    await commit(log, put('/pods/a/1'));
    expect(await reached).toBe(true);
    runtime.advance(1_000);
    expect(await notReached).toBe(false);
    expect(await log.waitFor(next, 0)).toBe(true);
  });

  it('is current only once the log has what others were acknowledged', async () => {
    const runtime = new ManualRuntime();
    let deliver: Deliver = () => undefined;
    const log = await VersionLog.open(
      {
        open: async (_load, later) => {
          deliver = later;
          return { revision: 1, compacted: 0 };
        },
        current: async () => 7,
        commit: async () => ({ conflict: true, revision: 7 }),
        compact: async () => undefined,
        close: async () => undefined,
      },
      { runtime },
    );
    const events: string[] = [];
    const current = log.current().then((revision) => events.push(`current ${revision}`));
    const conflict = log.commit(put('/pods/a/1')).then(() => events.push('conflict'));
    await new Promise(setImmediate);
    events.push('delivery');
    deliver([], 8);
    await Promise.all([current, conflict]);
    expect(events[0]).toBe('delivery');
    expect(events).toContain('current 8');
    const never = log.waitFor(9, 1_000);
    await log.close();
    expect(await never).toBe(false);
  });
});

describe('history that was lost before it was seen', () => {
  const stored = (key: string, revision: number): StoredVersion => ({
    revision,
    key,
    bytes: Buffer.from(`${key}@${revision}`),
    deleted: false,
    time: 1,
  });

  it('dismisses those who need every version, and tells the others the difference it made', async () => {
    let replace: Replace = () => undefined;
    const log = await VersionLog.open(
      {
        open: async (load, _deliver, later) => {
          replace = later;
          load([stored('/pods/a/same', 2), stored('/pods/a/changed', 3), stored('/pods/a/gone', 4)]);
          return { revision: 4, compacted: 0 };
        },
        current: async () => 4,
        commit: async () => ({ conflict: true, revision: 0 }),
        compact: async () => undefined,
        close: async () => undefined,
      },
      { runtime: new ManualRuntime() },
    );
    closing.push(log);
    const [informer, watcher] = [recorder(), { ...recorder(), lost: 0 }];
    log.subscribe('pods', { after: 4 }, informer);
    log.subscribe('pods', { after: 4 }, { ...watcher, onHistoryLost: () => watcher.lost++ });
    const state = [stored('/pods/a/same', 2), stored('/pods/a/changed', 8), stored('/pods/a/new', 9)];
    replace(state, 10);
    expect(watcher).toMatchObject({ lost: 1, batches: [] });
    expect(informer.batches.flat().map(({ key, deleted }) => [key, deleted])).toEqual([
      ['/pods/a/changed', false],
      ['/pods/a/new', false],
      ['/pods/a/gone', true],
    ]);
    expect(keys(log.list('pods'))).toEqual(['/pods/a/changed', '/pods/a/new', '/pods/a/same']);
    expect([log.revision, log.compacted, log.stats.historyBytes]).toEqual([10, 10, 0]);
    expect(() => log.list('pods', { revision: 9 })).toThrow(HistoryGone);
  });
});

describe('writing', () => {
  it('hands facets to the version, so that nothing is parsed after a commit', async () => {
    const disk = new MemoryDisk();
    const { log } = await openLog({ disk });
    const facets = { labels: { app: 'a' } };
    const version = await commit(log, { ...put('/pods/a/1'), facets });
    expect(version.facets).toBe(facets);
    expect(log.get('/pods/a/1')).toBe(version);
    await log.close();
    const { log: reopened } = await openLog({ disk });
    expect(reopened.get('/pods/a/1')?.facets).toBeUndefined();
  });

  it('tells when the writes to a key have ended, so that nobody spins on conflicts', async () => {
    const { log } = await openLog();
    const increment = async (): Promise<void> => {
      for (;;) {
        await log.settled('/pods/a/1');
        const before = log.get('/pods/a/1');
        const count = before === undefined ? 1 : Number(before.bytes.toString().split(':')[1]) + 1;
        const result = await log.commit(put('/pods/a/1', before?.revision, `:${count}`));
        if (!result.conflict) return;
      }
    };
    expect(log.settled('/pods/a/1')).toBeUndefined();
    await Promise.all(Array.from({ length: 20 }, increment));
    expect(log.get('/pods/a/1')?.bytes.toString()).toMatch(/:20$/);
    expect(log.settled('/pods/a/1')).toBeUndefined();
  });

  it('fails what stands on a failed write, and shows none of it', async () => {
    let refuse = true;
    const persist = async () => {
      if (refuse) throw new Error('no space');
    };
    const { log } = await openLog({ persist });
    const subscriber = recorder();
    log.subscribe('pods', { after: log.revision }, subscriber);
    const failing = [log.commit(put('/pods/a/1')), log.commit(put('/pods/a/1')), log.commit(put('/pods/a/2'))];
    for (const result of await Promise.allSettled(failing)) {
      expect(result.status === 'rejected' && result.reason).toBeInstanceOf(StorageUnavailable);
    }
    expect(log.list('pods')).toEqual([]);
    refuse = false;
    const version = await commit(log, put('/pods/a/1'));
    expect(subscriber.batches).toEqual([[version]]);
  });
});

describe('watching', () => {
  it('replays what was missed before it returns, then goes on without gap', async () => {
    const { log } = await openLog();
    const first = await commit(log, put('/pods/a/1'));
    const second = await commit(log, put('/pods/a/1', first.revision));
    const subscriber = recorder();
    log.subscribe('pods', { after: first.revision }, subscriber);
    expect(subscriber.batches).toEqual([[second]]);
    expect(second.previous).toBe(first);
    const third = await commit(log, remove('/pods/a/1', second.revision));
    expect(subscriber.batches).toEqual([[second], [third]]);
  });

  it('hands the versions that became durable together to each subscriber at once, as one shared batch', async () => {
    const { log } = await openLog();
    const [all, alsoAll, one, other] = [recorder(), recorder(), recorder(), recorder()];
    const after = log.revision;
    log.subscribe('pods', { after }, all);
    log.subscribe('pods', { after }, alsoAll);
    log.subscribe('pods', { after, scope: 'a/1' }, one);
    log.subscribe('pods', { after, scope: 'c/' }, other);
    await Promise.all(['a/1', 'a/2', 'b/1'].map((key) => commit(log, put(`/pods/${key}`))));
    expect(all.batches.map(keys)).toEqual([['/pods/a/1', '/pods/a/2', '/pods/b/1']]);
    expect(alsoAll.batches[0]).toBe(all.batches[0]);
    expect(one.batches.map(keys)).toEqual([['/pods/a/1']]);
    expect(other.batches).toEqual([]);
  });

  it('from a revision not reached yet begins after it', async () => {
    const { log } = await openLog();
    const subscriber = recorder();
    log.subscribe('pods', { after: log.revision + 1 }, subscriber);
    const [, second] = await Promise.all([commit(log, put('/pods/a/1')), commit(log, put('/pods/a/2'))]);
    expect(subscriber.batches).toEqual([[second]]);
  });

  it('survives subscribers that throw, leave or join while versions are handed out', async () => {
    const { log, errors } = await openLog();
    const [steady, joined] = [recorder(), recorder()];
    const after = log.revision;
    const broken = new Error('broken');
    log.subscribe(
      'pods',
      { after },
      {
        onVersions: () => {
          throw broken;
        },
      },
    );
    const leaving = log.subscribe('pods', { after }, { onVersions: () => leaving.close() });
    let first = true;
    log.subscribe(
      'pods',
      { after },
      {
        onVersions: () => {
          if (first) log.subscribe('pods', { after }, joined);
          first = false;
        },
      },
    );
    log.subscribe('pods', { after }, steady);
    const versions = [await commit(log, put('/pods/a/1')), await commit(log, put('/pods/a/2'))];
    expect(steady.batches.flat()).toEqual(versions);
    expect(joined.batches.flat()).toEqual(versions);
    expect(errors).toEqual([broken, broken]);
  });
});

describe('retention', () => {
  it('costs no timer while there is nothing to forget', async () => {
    const { log, runtime } = await openLog();
    expect(runtime.timers).toBe(0);
    for (let i = 0; i < 10; i++) await commit(log, put(`/pods/a/${i}`));
    await commit(log, remove('/pods/a/1', log.get('/pods/a/1')?.revision ?? 0));
    expect(runtime.timers).toBe(1);
    runtime.advance(400_000);
    expect(runtime.timers).toBe(0);
    expect(log.stats).toMatchObject({ live: 9, retained: 0, historyBytes: 0, compactions: { age: 1, size: 0 } });
  });

  it('gives up versions by their age, also where nothing was superseded since', async () => {
    const { log, runtime } = await openLog();
    const first = await commit(log, put('/pods/a/1'));
    const second = await commit(log, put('/pods/a/2'));
    runtime.advance(400_000);
    expect(() => log.list('pods', { revision: first.revision })).toThrow(HistoryGone);
    expect(log.list('pods', { revision: second.revision })).toEqual([first, second]);
    expect(log.stats.retained).toBe(0);
  });

  it('forgets what was superseded longer ago than it keeps, in memory and in the backend', async () => {
    const disk = new MemoryDisk();
    const { log, runtime } = await openLog({ disk });
    const first = await commit(log, put('/pods/a/1'));
    const second = await commit(log, put('/pods/a/1', first.revision));
    runtime.advance(200_000);
    const third = await commit(log, put('/pods/a/1', second.revision));
    expect(log.getAt('/pods/a/1', first.revision)).toBe(first);
    runtime.advance(140_000);
    expect(log.compacted).toBe(second.revision);
    expect(() => log.getAt('/pods/a/1', first.revision)).toThrow(HistoryGone);
    expect(() => log.list('pods', { revision: first.revision })).toThrow(HistoryGone);
    expect(() => log.subscribe('pods', { after: first.revision }, recorder())).toThrow(HistoryGone);
    expect(log.getAt('/pods/a/1', second.revision)).toBe(second);
    await log.close();
    const { log: reopened } = await openLog({ disk });
    expect(reopened.compacted).toBe(second.revision);
    const subscriber = recorder();
    reopened.subscribe('pods', { after: second.revision }, subscriber);
    expect(subscriber.batches.map(revisions)).toEqual([[third.revision]]);
  });

  it('forgets earlier when history would exceed its cap, and says so', async () => {
    const { log, compactions } = await openLog({ historyMemory: 5_000 });
    let version = await commit(log, put('/pods/a/1', 0, 'x'.repeat(1_000)));
    for (let i = 0; i < 20; i++) version = await commit(log, put('/pods/a/1', version.revision, 'x'.repeat(1_000)));
    expect(log.stats.historyBytes).toBeLessThanOrEqual(5_000);
    expect(log.stats.historyBytes).toBeGreaterThan(2_000);
    expect(compactions.at(-1)).toEqual({ through: log.compacted, reason: 'size' });
    const removed = await commit(log, remove('/pods/a/1', version.revision));
    expect(removed.deleted).toBe(true);
  });

  it('answers a commit with its version even when that was compacted at once', async () => {
    const { log } = await openLog({ historyMemory: 0 });
    const first = commit(log, put('/pods/a/1', 0));
    const revision = log.revision + 1;
    const second = commit(log, remove('/pods/a/1', revision));
    expect((await first).revision).toBe(revision);
    expect((await second).deleted).toBe(true);
    expect(log.stats).toMatchObject({ live: 0, retained: 0, historyBytes: 0 });
  });

  it('reports a backend that cannot compact, and makes it good the next time', async () => {
    const disk = new MemoryDisk();
    const { log, runtime, backend, errors } = await openLog({ disk });
    const compact = backend.compact.bind(backend);
    backend.compact = () => Promise.reject(new StorageUnavailable('disk full'));
    const first = await commit(log, put('/pods/a/1'));
    const second = await commit(log, put('/pods/a/1', first.revision));
    runtime.advance(400_000);
    await new Promise(setImmediate);
    expect(errors).toHaveLength(1);
    expect(disk.versions.has(first.revision)).toBe(true);
    backend.compact = compact;
    await commit(log, remove('/pods/a/1', second.revision));
    runtime.advance(400_000);
    await new Promise(setImmediate);
    expect(disk.versions.size).toBe(0);
  });
});
