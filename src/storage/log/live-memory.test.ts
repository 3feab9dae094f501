import { afterEach, describe, expect, it } from 'vitest';
import { MemoryBackend, MemoryDisk } from '../backends/memory/memory-backend.ts';
import { ManualRuntime } from '../manual-runtime.ts';
import { DormantVersion } from './dormant-version.ts';
import { VersionLog } from './version-log.ts';

const BUDGET = 10_000;
const RETENTION_MS = 300_000;
const TEXT = 'x'.repeat(200);

const closing: VersionLog[] = [];

afterEach(async () => {
  for (const log of closing.splice(0)) await log.close();
});

async function open({ archives = true, disk = new MemoryDisk() } = {}) {
  const runtime = new ManualRuntime();
  const backend = new MemoryBackend({ runtime, disk, archives });
  const log = await VersionLog.open(backend, { runtime, retentionMs: RETENTION_MS, liveMemory: BUDGET });
  closing.push(log);
  return { log, runtime, disk };
}

async function write(log: VersionLog, name: string, text = TEXT): Promise<void> {
  const key = `/pods/${name}`;
  const commit = await log.commit({
    key,
    expected: log.get(key)?.revision ?? 0,
    value: { head: `{"v":"`, tail: `","text":"${text}"}` },
    facets: { of: name },
  });
  expect(commit.conflict).toBe(false);
}

/** Lets what happens in the background happen. */
async function turns(runtime: ManualRuntime, count = 20): Promise<void> {
  for (let i = 0; i < count; i++) {
    runtime.advance(1);
    await new Promise(setImmediate);
  }
}

const names = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, at) => String(from + at).padStart(4, '0'));
const inMemory = (log: VersionLog): number =>
  log.list('pods').reduce((sum, version) => sum + (version instanceof DormantVersion ? 0 : version.size), 0);

describe('what takes more than its budget of memory', () => {
  it('is left to the store when it is not young, and says the same from there', async () => {
    const { log, runtime } = await open();
    for (const name of names(0, 100)) await write(log, name);
    runtime.advance(60_000);
    for (const name of names(100, 110)) await write(log, name);
    await turns(runtime);
    expect(inMemory(log)).toBeLessThanOrEqual(BUDGET);
    expect(inMemory(log)).toBeGreaterThan(BUDGET / 2);
    const listed = log.list('pods');
    expect(listed.map(({ key }) => key)).toEqual(names(0, 110).map((name) => `/pods/${name}`));
    for (const { key, bytes, revision, size, facets } of listed) {
      expect(JSON.parse(bytes.toString())).toEqual({ v: String(revision), text: TEXT });
      expect([size, facets]).toEqual([bytes.length, { of: key.slice('/pods/'.length) }]);
    }
    // The young are not those that were left.
    for (const name of names(100, 110)) expect(log.get(`/pods/${name}`)).not.toBeInstanceOf(DormantVersion);
  });

  it('stays as long as everything is young, and is looked at again', async () => {
    const { log, runtime } = await open();
    for (const name of names(0, 100)) await write(log, name);
    await turns(runtime);
    expect(inMemory(log)).toBeGreaterThan(BUDGET);
    runtime.advance(15_000);
    await write(log, 'another');
    await turns(runtime);
    expect(inMemory(log)).toBeLessThanOrEqual(BUDGET);
  });

  it('comes back when it is written, is history then, and is watched from any revision', async () => {
    const { log, runtime } = await open();
    for (const name of names(0, 100)) await write(log, name);
    runtime.advance(60_000);
    await write(log, '9999');
    await turns(runtime);
    const [left] = log.list('pods');
    expect(left).toBeInstanceOf(DormantVersion);
    const history = log.stats.historyBytes;
    await write(log, '0000', 'new');
    expect(log.get('/pods/0000')).not.toBeInstanceOf(DormantVersion);
    expect(log.stats.historyBytes).toBe(history);
    const seen: string[] = [];
    log.subscribe(
      'pods',
      { after: 0 },
      { onVersions: (versions) => seen.push(...versions.map(({ bytes }) => JSON.parse(bytes.toString()).v)) },
    );
    await turns(runtime);
    expect(seen).toEqual(Array.from({ length: 102 }, (_, at) => String(at + 2)));
    expect(JSON.parse(log.getAt('/pods/0000', 50)?.bytes.toString() ?? '')).toMatchObject({ v: '2', text: TEXT });
    runtime.advance(2 * RETENTION_MS);
    await turns(runtime);
    expect(log.list('pods')).toHaveLength(101);
    expect(log.stats).toMatchObject({ retained: 0, historyBytes: 0 });
  });

  it('stays where stores cannot give back single versions', async () => {
    const { log, runtime } = await open({ archives: false });
    for (const name of names(0, 100)) await write(log, name);
    runtime.advance(60_000);
    await write(log, '9999');
    await turns(runtime);
    expect(inMemory(log)).toBeGreaterThan(BUDGET);
  });
});
