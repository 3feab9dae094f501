import { afterEach, describe, expect, it } from 'vitest';
import { HistoryGone } from './backend.ts';
import { MemoryBackend, MemoryDisk } from './backends/memory/memory-backend.ts';
import { type Version, VersionLog } from './log/version-log.ts';
import { ManualRuntime } from './manual-runtime.ts';

const RETENTION_MS = 300_000;
const BUDGET = 20_000;

const closing: VersionLog[] = [];

afterEach(async () => {
  for (const log of closing.splice(0)) await log.close();
});

async function openLog(disk = new MemoryDisk()) {
  const runtime = new ManualRuntime();
  const errors: unknown[] = [];
  const backend = new MemoryBackend({ runtime, disk, archives: true });
  const onError = (error: unknown) => errors.push(error);
  const log = await VersionLog.open(backend, { runtime, retentionMs: RETENTION_MS, historyMemory: BUDGET, onError });
  closing.push(log);
  return { log, runtime, errors, disk, backend };
}

/** Changes a few keys again and again. Returns the revisions that were given. */
async function write(log: VersionLog, count: number): Promise<number[]> {
  const given: number[] = [];
  for (let i = 0; i < count; i++) {
    const key = `/pods/${i % 2 === 0 ? 'a' : 'b'}/${i % 10}`;
    const expected = log.get(key)?.revision ?? 0;
    const outcome = await log.commit({ key, expected, value: { head: '', tail: `-${i}-${'x'.repeat(200)}` } });
    if (!outcome.conflict) given.push(outcome.version.revision);
  }
  return given;
}

/** Lets what waits for the next turn have it. */
async function turns(runtime: ManualRuntime, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    runtime.advance(1);
    await new Promise(setImmediate);
  }
}

class Reader {
  readonly seen: { revision: number; text: string; before: string | undefined }[] = [];
  readonly batches: number[] = [];
  lost = 0;
  waits: Promise<void> | undefined;

  onVersions(versions: readonly Version[]): void {
    this.batches.push(versions.length);
    for (const { revision, bytes, previous } of versions) {
      this.seen.push({
        revision,
        text: bytes.toString().slice(0, 20),
        before: previous?.bytes.toString().slice(0, 20),
      });
    }
  }

  onHistoryLost(): void {
    this.lost++;
  }

  room(): Promise<void> | undefined {
    return this.waits;
  }

  get revisions(): number[] {
    return this.seen.map(({ revision }) => revision);
  }
}

describe('history beyond its budget of memory', () => {
  it('stays whole, and takes no more memory than it may', async () => {
    const { log } = await openLog();
    const given = await write(log, 3_000);
    expect(log.compacted).toBe(0);
    expect(log.stats.historyBytes).toBeLessThanOrEqual(BUDGET);
    expect(log.stats.historyBytes).toBeGreaterThan(BUDGET / 2);
    expect(log.stats.retained).toBe(given.length);
  });

  it('is loaded within the budget as well', async () => {
    const { log, disk } = await openLog();
    await write(log, 500);
    await log.close();
    const { log: again } = await openLog(disk);
    expect(again.stats.historyBytes).toBeLessThanOrEqual(BUDGET);
    expect(again.stats.retained).toBe(500);
  });

  it('is listed at every revision', async () => {
    const { log } = await openLog();
    const given = await write(log, 200);
    for (const [at, revision] of given.entries()) {
      const listed = await log.fetch(log.list('pods', { revision }));
      expect(listed).toHaveLength(Math.min(at + 1, 10));
      const newest = listed.find((version) => version.revision === revision);
      expect(newest?.bytes.toString()).toMatch(new RegExp(`^${revision}-${at}-`));
    }
  });

  it('is gone when compaction has passed it, also for who still holds a version of it', async () => {
    const { log, runtime } = await openLog();
    const [, second = 0] = await write(log, 300);
    const [held] = log.list('pods', { revision: second });
    runtime.advance(2 * RETENTION_MS);
    await new Promise(setImmediate);
    expect(() => log.list('pods', { revision: second })).toThrow(HistoryGone);
    expect(() => held?.bytes).toThrow(HistoryGone);
    await expect(log.fetch(held ? [held] : [])).rejects.toThrow(HistoryGone);
  });

  it('is reported when it cannot be read', async () => {
    const { log, errors, backend } = await openLog();
    const [first = 0] = await write(log, 300);
    Object.assign(backend.archive ?? {}, {
      read() {
        throw new Error('the disk is gone');
      },
    });
    await expect(log.fetch(log.list('pods', { revision: first }))).rejects.toThrow('the disk is gone');
    expect(errors).toHaveLength(1);
  });
});

describe('a watch that resumes far back', () => {
  it('is given every version once, in order, a part at a turn, while others go on writing', async () => {
    const { log, runtime } = await openLog();
    const given = await write(log, 3_000);
    const reader = new Reader();
    const subscription = log.subscribe('pods', { after: 0 }, reader);
    expect(reader.seen.length).toBeLessThan(given.length);
    expect(subscription.reached).toBe(reader.revisions.at(-1));
    given.push(...(await write(log, 50)));
    await turns(runtime, 20);
    given.push(...(await write(log, 50)));
    expect(reader.revisions).toEqual(given);
    expect(Math.max(...reader.batches)).toBeLessThanOrEqual(512);
    expect(subscription.reached).toBe(log.revision);
    const [key10] = reader.seen.filter(({ text }) => text.includes('-10-'));
    expect(key10?.before).toMatch(/-0-/);
    subscription.close();
    await write(log, 1);
    expect(reader.revisions).toEqual(given);
  });

  it('is given only what is in its scope', async () => {
    const { log, runtime } = await openLog();
    const given = await write(log, 3_000);
    const reader = new Reader();
    log.subscribe('pods', { after: given[99] ?? 0, scope: 'a/' }, reader);
    await turns(runtime, 20);
    expect(reader.revisions).toEqual(given.slice(100).filter((_, at) => at % 2 === 0));
  });

  it('is not given more while it has no room', async () => {
    const { log, runtime } = await openLog();
    const given = await write(log, 3_000);
    const reader = new Reader();
    let makeRoom = (): void => undefined;
    reader.waits = new Promise((resolve) => {
      makeRoom = resolve;
    });
    log.subscribe('pods', { after: 0 }, reader);
    await turns(runtime, 20);
    expect(reader.batches).toHaveLength(1);
    reader.waits = undefined;
    makeRoom();
    await turns(runtime, 20);
    expect(reader.revisions).toEqual(given);
  });

  it('ends when history is forgotten before it had all of it', async () => {
    const { log, runtime } = await openLog();
    await write(log, 3_000);
    const gone = new Reader();
    log.subscribe('pods', { after: 0 }, gone);
    gone.waits = new Promise((resolve) => {
      runtime.after(2 * RETENTION_MS, resolve);
    });
    await turns(runtime, 2);
    runtime.advance(3 * RETENTION_MS);
    await turns(runtime, 3);
    expect(gone.lost).toBe(1);
    expect(gone.batches).toHaveLength(1);
  });

  it('ends when it is closed on the way', async () => {
    const { log, runtime } = await openLog();
    await write(log, 3_000);
    const reader = new Reader();
    log.subscribe('pods', { after: 0 }, reader).close();
    await turns(runtime, 5);
    expect(reader.batches).toHaveLength(1);
  });
});
