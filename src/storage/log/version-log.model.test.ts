import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Write } from '../backend.ts';
import { MemoryBackend, MemoryDisk } from '../backends/memory/memory-backend.ts';
import { ManualRuntime } from '../manual-runtime.ts';
import { HistoryGone, type Subscription, type Version, VersionLog } from './version-log.ts';

const KEYS = ['/pods/a/1', '/pods/a/2', '/pods/ab/1', '/pods/b/1', '/nodes/1', '/nodes/2'];
const SCOPES = ['', 'a/', 'b/', 'a/1', 'ab/1'];
const RETENTION = 10_000;
/** What is remembered of nodes. */
const KEPT_RETENTION = 25_000;

type Attempt = { key: string; deletes: boolean; stale: boolean };
type Step =
  | { does: 'write'; attempts: Attempt[]; fails: boolean }
  | { does: 'wait'; milliseconds: number }
  | { does: 'watch'; scope: string; age: number }
  | { does: 'unwatch' }
  | { does: 'restart' }
  | { does: 'crash'; attempts: Attempt[]; turns: number };

/** A stale attempt expects the next revision: mostly wrong, at times that of a write still on its way. */
const attempt = fc.record({
  key: fc.constantFrom(...KEYS),
  deletes: fc.nat(3).map((n) => n === 0),
  stale: fc.nat(9).map((n) => n === 0),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      does: fc.constant('write' as const),
      attempts: fc.array(attempt, { minLength: 1, maxLength: 5 }),
      fails: fc.nat(7).map((n) => n === 0),
    }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('wait' as const), milliseconds: fc.nat(RETENTION) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('watch' as const),
      scope: fc.constantFrom(...SCOPES),
      age: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('unwatch' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('restart' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('crash' as const), attempts: fc.array(attempt), turns: fc.nat(2) }),
  },
);

/** How much history may take of memory, and whether the rest is in the store or gone. */
interface Budget {
  readonly bytes: number;
  readonly archives: boolean;
  /** Whether nodes are remembered for longer. */
  readonly keeps?: boolean;
}

const BUDGETS: readonly Budget[] = [
  { bytes: 2_000, archives: false },
  { bytes: 1_000_000, archives: false },
  { bytes: 0, archives: true },
  { bytes: 2_000, archives: true },
  { bytes: 2_000, archives: false, keeps: true },
  { bytes: 1_000_000, archives: false, keeps: true },
  { bytes: 600, archives: true, keeps: true },
  { bytes: 1_000_000, archives: true, keeps: true },
];

interface Change {
  readonly revision: number;
  readonly key: string;
  readonly deleted: boolean;
  readonly text: string;
}

/** A change as a watcher sees it: with the text it replaced, if there was one. */
type Seen = Change & { readonly before: string | undefined };

interface Watcher {
  readonly scope: string;
  readonly after: number;
  readonly seen: Seen[];
  subscription: Subscription;
}

const turn = () => new Promise(setImmediate);
const textOf = ({ bytes }: Version) => bytes.toString();
const readable = (version: Version): Change => ({
  revision: version.revision,
  key: version.key,
  deleted: version.deleted,
  text: textOf(version),
});

/** Read when it is handed over: later compaction may have passed it. */
const collect = (seen: Seen[]) => ({
  onVersions(news: readonly Version[]) {
    for (const version of news) {
      const { previous } = version;
      seen.push({ ...readable(version), before: previous && !previous.deleted ? textOf(previous) : undefined });
    }
  },
});

/** The state as of a revision, by playing the acknowledged changes one after another. */
function replay(changes: readonly Change[], revision: number): Map<string, Change> {
  const state = new Map<string, Change>();
  for (const change of changes) {
    if (change.revision > revision) break;
    if (change.deleted) state.delete(change.key);
    else state.set(change.key, change);
  }
  return state;
}

const listOf = (state: Map<string, Change>, prefix: string) =>
  [...state.values()].filter(({ key }) => key.startsWith(prefix)).sort((a, b) => (a.key < b.key ? -1 : 1));

const matches = (key: string, scope: string) =>
  scope === '' || scope.endsWith('/') ? key.startsWith(`/pods/${scope}`) : key === `/pods/${scope}`;

/** A log and, beside it, the plain list of all changes it acknowledged. */
class Comparison {
  readonly #runtime = new ManualRuntime();
  readonly #disk = new MemoryDisk();
  readonly #budget: Budget;
  readonly #changes: Change[] = [];
  /** By the revision they got. */
  readonly #writes = new Map<number, { expected: number; time: number }>();
  readonly #watchers: Watcher[] = [];
  /** The current one first, then those before it. */
  readonly #logs: VersionLog[] = [];
  #diskFails = false;
  #written = 0;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  get #current(): VersionLog {
    const [log] = this.#logs;
    if (log === undefined) throw new Error('not started');
    return log;
  }

  async start(): Promise<void> {
    const persist = async () => {
      await turn();
      if (this.#diskFails) throw new Error('disk');
    };
    const backend = new MemoryBackend({
      runtime: this.#runtime,
      disk: this.#disk,
      persist,
      archives: this.#budget.archives,
    });
    const log = await VersionLog.open(backend, {
      runtime: this.#runtime,
      retentionMs: RETENTION,
      historyMemory: this.#budget.bytes,
      ...(this.#budget.keeps && { retentionFor: new Map([['nodes', KEPT_RETENTION]]) }),
      onError: (error) => {
        // A crashed log goes on in this process and finds that it has lost its disk.
        if (log === this.#logs[0]) throw error;
      },
    });
    this.#logs.unshift(log);
  }

  async take(step: Step): Promise<void> {
    if (step.does === 'write') await this.#write(step.attempts, step.fails);
    if (step.does === 'wait') this.#runtime.advance(step.milliseconds);
    if (step.does === 'watch') this.#watch(step.scope, step.age);
    if (step.does === 'unwatch') this.#watchers.pop()?.subscription.close();
    if (step.does === 'restart') await this.#restart();
    if (step.does === 'crash') await this.#crash(step.attempts, step.turns);
    await turn();
  }

  /** All at once, as several clients would. */
  async #write(attempts: Attempt[], fails: boolean): Promise<void> {
    this.#diskFails = fails;
    const results = await Promise.allSettled(attempts.map((attempt) => this.#attempt(attempt)));
    this.#diskFails = false;
    if (!fails) for (const result of results) if (result.status === 'rejected') throw result.reason;
    this.#changes.sort((a, b) => a.revision - b.revision);
  }

  async #attempt({ key, deletes, stale }: Attempt): Promise<void> {
    const existing = this.#current.get(key);
    const expected = (existing?.revision ?? 0) + (stale ? 1 : 0);
    const deleted = deletes && existing !== undefined;
    const text = `#${++this.#written}`;
    const write: Write = { key, expected, value: { head: '', tail: text }, delete: deleted };
    const result = await this.#current.commit(write);
    if (result.conflict) {
      expect(result.revision).not.toBe(expected);
      return;
    }
    const { revision, time } = result.version;
    this.#changes.push({ revision, key, deleted, text: `${revision}${text}` });
    this.#writes.set(revision, { expected, time });
  }

  #watch(scope: string, age: number): void {
    const after = Math.round(this.#current.revision - age * (this.#current.revision - this.#current.compacted));
    const seen: Seen[] = [];
    const subscription = this.#current.subscribe('pods', { after, scope }, collect(seen));
    this.#watchers.push({ scope, after, seen, subscription });
  }

  async #restart(): Promise<void> {
    await this.#current.close();
    await this.#comeBack();
  }

  /** Without closing, and with writes on their way: each of them was acknowledged before or fails. */
  async #crash(attempts: Attempt[], turns: number): Promise<void> {
    const pending = attempts.map((attempt) => this.#attempt(attempt));
    for (let i = 0; i < turns; i++) await turn();
    await this.#comeBack();
    await Promise.allSettled(pending);
    this.#changes.sort((a, b) => a.revision - b.revision);
  }

  /** Watchers go on after what they saw last. */
  async #comeBack(): Promise<void> {
    const reached = this.#current.revision;
    await this.start();
    expect(this.#current.revision).toBe(reached);
    for (const watcher of this.#watchers) {
      const { seen, scope } = watcher;
      const after = Math.max(watcher.after, seen.at(-1)?.revision ?? 0, this.#current.compacted);
      watcher.subscription = this.#current.subscribe('pods', { after, scope }, collect(seen));
    }
  }

  check(): void {
    this.#checkComparisons();
    this.#checkLists();
    this.#checkWatchers();
    this.#checkCompaction();
    this.#checkPast();
  }

  /** Each write found the revision it expected. */
  #checkComparisons(): void {
    const state = new Map<string, number>();
    for (const { revision, key, deleted } of this.#changes) {
      expect(this.#writes.get(revision)?.expected).toBe(state.get(key) ?? 0);
      state.set(key, deleted ? 0 : revision);
    }
  }

  #checkLists(): void {
    const log = this.#current;
    for (let revision = 1; revision <= log.revision; revision++) {
      if (revision < log.compacted) {
        expect(() => log.list('pods', { revision })).toThrow(HistoryGone);
        continue;
      }
      const state = replay(this.#changes, revision);
      for (const prefix of ['', 'a/']) {
        const expected = listOf(state, `/pods/${prefix}`);
        expect(log.list('pods', { revision, prefix }).map(readable)).toEqual(expected);
        expect(log.count('pods', { revision, prefix })).toBe(expected.length);
        const [first] = expected;
        const after = first?.key.slice('/pods/'.length) ?? '';
        expect(log.list('pods', { revision, prefix, after, limit: 1 }).map(readable)).toEqual(
          expected.slice(first ? 1 : 0, 2),
        );
      }
      for (const key of KEYS) expect(log.getAt(key, revision)?.revision).toBe(state.get(key)?.revision);
    }
    const now = replay(this.#changes, log.revision);
    expect(log.list('pods').map(readable)).toEqual(listOf(now, '/pods/'));
    expect(log.count('nodes')).toBe(listOf(now, '/nodes/').length);
    expect(log.stats.live).toBe(now.size);
  }

  #checkWatchers(): void {
    for (const { scope, after, seen } of this.#watchers) {
      const expected = this.#seenChanges().filter(({ revision, key }) => revision > after && matches(key, scope));
      expect(seen).toEqual(expected);
    }
  }

  #seenChanges(): Seen[] {
    const state = new Map<string, string | undefined>();
    return this.#changes.map((change) => {
      const before = state.get(change.key);
      state.set(change.key, change.deleted ? undefined : change.text);
      return { ...change, before };
    });
  }

  #checkCompaction(): void {
    const { compacted } = this.#current;
    if (compacted > 0 && (this.#budget.archives || this.#budget.bytes > 10_000))
      expect(this.#writes.get(compacted)?.time).toBeLessThanOrEqual(this.#runtime.now() - RETENTION);
    const kept = [...this.#disk.versions.keys()];
    const needed = this.#changes.filter(({ revision }) => revision > compacted);
    expect(kept).toEqual(expect.arrayContaining(needed.map(({ revision }) => revision)));
  }

  /** Every version of an object since its past was forgotten can be reached from the newest, with its bytes. */
  #checkPast(): void {
    const log = this.#current;
    for (const key of KEYS) {
      const forgotten = log.forgotten(key.split('/')[1] ?? '');
      const all = this.#changes.filter((change) => change.key === key);
      const first = all.findLastIndex(({ revision }) => revision <= forgotten);
      // What is left of the time before is what it was then; that it was nothing may be forgotten a little later, and what
      // was there before that may not be readable any more.
      const isLeft = ({ deleted, revision }: Pick<Change, 'deleted' | 'revision'>): boolean =>
        !deleted || revision > forgotten;
      const past: Version[] = [];
      for (let version = log.newest(key); version; version = version.previous) past.unshift(version);
      expect(past.filter(isLeft).map(readable)).toEqual(all.slice(Math.max(0, first)).filter(isLeft));
    }
    if (!this.#budget.keeps || this.#budget.bytes < 10_000) return;
    expect(log.forgotten('nodes')).toBeLessThanOrEqual(log.compacted);
    const time = this.#writes.get(log.forgotten('nodes'))?.time ?? 0;
    expect(time).toBeLessThanOrEqual(this.#runtime.now() - KEPT_RETENTION);
  }

  /** Long after the last write nothing but the state is left, in memory and on disk. */
  async finish(): Promise<void> {
    this.#runtime.advance(3 * KEPT_RETENTION);
    await turn();
    this.check();
    const now = [...replay(this.#changes, this.#current.revision).values()].map(({ revision }) => revision);
    expect(this.#current.stats.historyBytes).toBe(0);
    expect([...this.#disk.versions.keys()]).toEqual(now.sort((a, b) => a - b));
    await this.#current.close();
  }
}

it('a log behaves as the replay of what it acknowledged, whatever happens to it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...BUDGETS), fc.array(step, { maxLength: 30 }), async (budget, steps) => {
      const comparison = new Comparison(budget);
      await comparison.start();
      for (const step of steps) {
        await comparison.take(step);
        comparison.check();
      }
      await comparison.finish();
    }),
    { numRuns: 250 },
  );
});
