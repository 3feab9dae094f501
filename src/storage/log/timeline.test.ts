import { afterEach, expect, it } from 'vitest';
import { MemoryBackend } from '../backends/memory/memory-backend.ts';
import { ManualRuntime } from '../manual-runtime.ts';
import type { Version } from './version.ts';
import { VersionLog } from './version-log.ts';

/** A past of more versions than are let go of at once, of which all are rows but the newest. */

const RETENTION_MS = 10_000;
const WRITES = 9_000;
const KEYS = 40;

interface Told {
  readonly revision: number;
  readonly key: string;
  readonly text: string;
  readonly deleted: boolean;
  readonly before: string | undefined;
}

const closing: VersionLog[] = [];

afterEach(async () => {
  for (const log of closing.splice(0)) await log.close();
});

const textOf = (bytes: Buffer): string => bytes.toString().split('-')[1] ?? '';
const pick = (seed: number, most: number): number => (Math.imul(seed, 2_654_435_761) >>> 8) % most;

/** One of two collections now and then, so that none has all the numbers. */
const keyOf = (at: number): string =>
  pick(at, 7) === 0 ? `/nodes/${pick(at + 1, 5)}` : `/pods/${pick(at, KEYS) % 2}/${pick(at, KEYS)}`;

async function write(log: VersionLog, at: number): Promise<Told> {
  const key = keyOf(at);
  const live = log.get(key);
  const newest = log.newest(key);
  const deleted = live !== undefined && pick(at + 3, 9) === 0;
  const value = { head: `{"v":`, tail: `-${at}-"}` };
  const outcome = await log.commit({ key, expected: live?.revision ?? 0, value, ...(deleted && { delete: true }) });
  if (outcome.conflict) throw new Error('a conflict without anyone to be in conflict with');
  const before = newest && !newest.deleted ? textOf(newest.bytes) : undefined;
  return { revision: outcome.version.revision, key, text: String(at), deleted, before };
}

function told({ revision, key, bytes, deleted, previous }: Version): Told {
  const before = previous && !previous.deleted ? textOf(previous.bytes) : undefined;
  return { revision, key, text: textOf(bytes), deleted, before };
}

/** What there was of a collection at a revision, by key. */
function stateAt(all: readonly Told[], collection: string, revision: number): string[] {
  const state = new Map<string, string>();
  for (const one of all) {
    if (one.revision > revision) break;
    if (!one.key.startsWith(`/${collection}/`)) continue;
    if (one.deleted) state.delete(one.key);
    else state.set(one.key, one.text);
  }
  return [...state].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, text]) => `${key} ${text}`);
}

async function open({ historyMemory = 2_000, retentionFor = new Map<string, number>() } = {}) {
  const runtime = new ManualRuntime();
  const backend = new MemoryBackend({ runtime, archives: true });
  const options = { runtime, retentionMs: RETENTION_MS, historyMemory, retentionFor };
  const log = await VersionLog.open(backend, options);
  closing.push(log);
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn++) {
      runtime.advance(1);
      await new Promise(setImmediate);
    }
  };
  return { log, runtime, turns };
}

it('is read, listed, counted and watched from any revision that is not forgotten', { timeout: 60_000 }, async () => {
  const { log, runtime, turns } = await open();
  const all: Told[] = [];
  for (let at = 0; at < WRITES; at++) {
    all.push(await write(log, at));
    runtime.advance(2);
    if (at % 1_300 !== 1_299) continue;
    await turns();
    for (const collection of ['pods', 'nodes']) {
      for (const part of [0, 0.1, 0.5, 0.99, 1]) {
        const revision = Math.ceil(log.compacted + (log.revision - log.compacted) * part);
        const listed = log.list(collection, { revision }).map(({ key, bytes }) => `${key} ${textOf(bytes)}`);
        expect(listed).toEqual(stateAt(all, collection, revision));
        expect(log.count(collection, { revision })).toBe(listed.length);
        const seen: Told[] = [];
        const reader = { onVersions: (versions: readonly Version[]) => seen.push(...versions.map(told)) };
        const subscription = log.subscribe(collection, { after: revision }, reader);
        await turns();
        subscription.close();
        const expected = all.filter((one) => one.revision > revision && one.key.startsWith(`/${collection}/`));
        expect(seen).toEqual(expected);
      }
    }
  }
  expect(log.compacted).toBeGreaterThan(2_048);
  expect(log.stats.retained).toBeGreaterThan(2 * 2_048);
  runtime.advance(3 * RETENTION_MS);
  await turns();
  expect(log.stats).toMatchObject({ retained: 0, historyBytes: 0 });
});

it('is known as a whole where it is remembered for longer', { timeout: 60_000 }, async () => {
  const { log, runtime, turns } = await open({
    // Enough to remember all versions, and not for what they say.
    historyMemory: WRITES * 200,
    retentionFor: new Map([['pods', 100 * RETENTION_MS]]),
  });
  const all: Told[] = [];
  for (let at = 0; at < WRITES; at++) {
    all.push(await write(log, at));
    runtime.advance(2);
    if (at % 3_000 !== 2_999) continue;
    await turns();
    for (const key of new Set(all.map((one) => one.key))) {
      if (!key.startsWith('/pods/')) continue;
      const chain: string[] = [];
      for (let version = log.newest(key); version; version = version.previous) chain.push(textOf(version.bytes));
      const expected = all.filter((one) => one.key === key).map(({ text }) => text);
      expect(chain).toEqual(expected.reverse());
    }
  }
  expect(log.compacted).toBeGreaterThan(2_048);
});
