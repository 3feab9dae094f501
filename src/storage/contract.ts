import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Backend,
  type Opening,
  type StateDifference,
  StorageUnavailable,
  type StoredVersion,
  type Write,
} from './backend.ts';

/** One body of data, and backends over it. */
export interface BackendHarness {
  /** A backend over the data, not opened yet; the one before has been closed. */
  create(): Backend;
  /** Removes the data. */
  dispose(): Promise<void>;
}

/** A backend that has been opened, with everything it has handed over. */
interface Opened {
  readonly backend: Backend;
  readonly opening: Opening;
  readonly loaded: StoredVersion[];
  readonly delivered: StoredVersion[];
  readonly replaced: [state: readonly StoredVersion[], revision: number, difference?: StateDifference | undefined][];
}

const value = (text: string) => ({ head: `{"revision":"`, tail: `","text":"${text}"}` });
const put = (key: string, expected: number, text = ''): Write => ({ key, expected, value: value(text) });
const remove = (key: string, expected: number, text = ''): Write => ({ ...put(key, expected, text), delete: true });
const stamped = (revision: number, text = '') => `{"revision":"${revision}","text":"${text}"}`;

async function open(backend: Backend): Promise<Opened> {
  const loaded: StoredVersion[] = [];
  const delivered: StoredVersion[] = [];
  const replaced: Opened['replaced'] = [];
  const opening = await backend.open(
    (versions) => loaded.push(...versions),
    (versions) => delivered.push(...versions),
    (...told) => void replaced.push(told),
  );
  return { backend, opening, loaded, delivered, replaced };
}

/** Commits and insists on success. */
async function commit({ backend }: Opened, write: Write): Promise<number> {
  const { conflict, revision } = await backend.commit(write);
  expect(conflict).toBe(false);
  return revision;
}

const readable = ({ facets, ...stored }: StoredVersion) => ({ ...stored, bytes: stored.bytes.toString() });
const increasing = (numbers: number[]) => numbers.every((number, i) => i === 0 || number > (numbers[i - 1] ?? 0));

/** The suite every implementation of `Backend` must pass. */
export function describeBackend(name: string, makeHarness: () => Promise<BackendHarness>): void {
  describe(`${name}: the storage contract`, () => {
    let harness: BackendHarness;
    let store: Opened;

    beforeEach(async () => {
      harness = await makeHarness();
      store = await open(harness.create());
    });

    afterEach(async () => {
      await store.backend.close();
      await harness.dispose();
    });

    const reopen = async () => {
      await store.backend.close();
      store = await open(harness.create());
    };

    it('begins empty, at a revision that is not 0', () => {
      expect(store.loaded).toEqual([]);
      expect(store.opening.revision).toBeGreaterThanOrEqual(1);
      expect(store.opening.compacted).toBeLessThanOrEqual(store.opening.revision);
    });

    it('gives every write its own revision, larger than all before, whatever the key', async () => {
      const revisions = [store.opening.revision];
      for (const key of ['/pods/a/1', '/pods/a/2', '/nodes/1']) revisions.push(await commit(store, put(key, 0)));
      expect(increasing(revisions)).toBe(true);
      expect(await store.backend.current()).toBe(revisions.at(-1));
    });

    it('stamps the revision into the value, and hands on time, key and facets', async () => {
      const facets = { labels: {} };
      const revision = await commit(store, { ...put('/pods/ä/1', 0, 'ü'), facets });
      const [version] = store.delivered;
      expect(version).toMatchObject({ revision, key: '/pods/ä/1', deleted: false });
      expect(version?.bytes.toString()).toBe(stamped(revision, 'ü'));
      expect(version?.facets).toBe(facets);
      expect(version?.time).toBeGreaterThan(0);
    });

    it('compares: creates only what is not there, updates and deletes only what is as expected', async () => {
      const created = await commit(store, put('/pods/a/1', 0));
      expect(await store.backend.commit(put('/pods/a/1', 0))).toEqual({ conflict: true, revision: created });
      const updated = await commit(store, put('/pods/a/1', created));
      expect(await store.backend.commit(put('/pods/a/1', created))).toEqual({ conflict: true, revision: updated });
      expect(await store.backend.commit(remove('/pods/a/1', created))).toEqual({ conflict: true, revision: updated });
      const removed = await commit(store, remove('/pods/a/1', updated, 'last'));
      expect(await store.backend.commit(put('/pods/a/1', updated))).toEqual({ conflict: true, revision: 0 });
      expect(await store.backend.commit(remove('/pods/a/1', updated))).toEqual({ conflict: true, revision: 0 });
      const again = await commit(store, put('/pods/a/1', 0));
      expect(store.delivered.map(({ revision, deleted }) => [revision, deleted])).toEqual([
        [created, false],
        [updated, false],
        [removed, true],
        [again, false],
      ]);
      expect(store.delivered[2]?.bytes.toString()).toBe(stamped(removed, 'last'));
    });

    it('lets exactly one of many simultaneous writers of a key win, and tells the others the winner', async () => {
      let expected = 0;
      for (let round = 0; round < 5; round++) {
        const writes = Array.from({ length: 8 }, (_, i) => store.backend.commit(put('/pods/a/1', expected, `${i}`)));
        const outcomes = await Promise.all(writes);
        const winners = outcomes.filter(({ conflict }) => !conflict);
        expect(winners).toHaveLength(1);
        expected = winners[0]?.revision ?? 0;
        expect(new Set(outcomes.map(({ revision }) => revision))).toEqual(new Set([expected]));
      }
      expect(store.delivered).toHaveLength(5);
    });

    it('delivers in revision order, each version once, before its commit resolves', async () => {
      const late: number[] = [];
      const write = async (i: number) => {
        const revision = await commit(store, put(`/pods/a/${i}`, 0));
        if (!store.delivered.some((version) => version.revision === revision)) late.push(revision);
        return revision;
      };
      const revisions = await Promise.all(Array.from({ length: 200 }, (_, i) => write(i)));
      expect(late).toEqual([]);
      expect(store.delivered.map(({ revision }) => revision)).toEqual(revisions.sort((a, b) => a - b));
      expect(increasing(revisions)).toBe(true);
    });

    it('gives everything back after reopening: newest versions, the tail, deletions', async () => {
      const large = 'x'.repeat(300_000);
      const a = await commit(store, put('/pods/a/1', 0, 'first'));
      await commit(store, put('/pods/a/1', a, large));
      const b = await commit(store, put('/pods/b/ü', 0, ''));
      await commit(store, remove('/pods/b/ü', b, 'gone'));
      const before = store.delivered.map(readable);
      const current = await store.backend.current();
      await reopen();
      expect(store.loaded.map(readable)).toEqual(before);
      expect(store.opening.revision).toBeGreaterThanOrEqual(current);
      expect(await store.backend.commit(put('/pods/a/1', a))).toMatchObject({ conflict: true });
      expect(await commit(store, put('/pods/b/ü', 0))).toBeGreaterThan(current);
    });

    it('compacts: the state as of that revision and all later versions stay, the rest goes', async () => {
      const a1 = await commit(store, put('/pods/a/1', 0));
      const b1 = await commit(store, put('/pods/b/1', 0));
      const a2 = await commit(store, put('/pods/a/1', a1));
      const b2 = await commit(store, remove('/pods/b/1', b1));
      const a3 = await commit(store, put('/pods/a/1', a2));
      await store.backend.compact(b2);
      const b3 = await commit(store, put('/pods/b/1', 0));
      expect(b3).toBeGreaterThan(a3);
      await reopen();
      expect(store.opening.compacted).toBe(b2);
      expect(store.loaded.map(({ revision }) => revision)).toEqual([a2, a3, b3]);
    });

    it('keeps more of the past of some collections, where it can, and says how much', async ({ skip }) => {
      const pod = await commit(store, put('/pods/a/1', 0));
      const node = await commit(store, put('/nodes/1', 0));
      const second = await commit(store, put('/nodes/1', node));
      const gone = await commit(store, remove('/nodes/1', second));
      const later = await commit(store, put('/pods/a/1', pod));
      const kept = new Map([
        ['nodes', node],
        ['none', 0],
      ]);
      await store.backend.compact(later, kept);
      await reopen();
      if (!store.opening.kept) return skip();
      expect(store.opening).toMatchObject({ compacted: later, kept });
      expect(store.loaded.map(({ revision }) => revision)).toEqual([node, second, gone, later]);
      await store.backend.compact(later, new Map([['nodes', second]]));
      await reopen();
      expect(store.opening.kept).toEqual(new Map([['nodes', second]]));
      expect(store.loaded.map(({ revision }) => revision)).toEqual([second, gone, later]);
      await store.backend.compact(later);
      await reopen();
      expect(store.opening.kept).toEqual(new Map());
      expect(store.loaded.map(({ revision }) => revision)).toEqual([later]);
    });

    describe('a former state that is put back, where that can be done', () => {
      const restamp = ({ bytes }: StoredVersion, revision: number): Buffer =>
        Buffer.from(bytes.toString().replace(/"revision":"\d+"/, `"revision":"${revision}"`));

      it('is the state again: what stayed keeps its revision, what changed gets a larger one', async ({ skip }) => {
        if (!store.backend.restore) return skip();
        const kept = await commit(store, put('/pods/a/kept', 0, 'kept'));
        const changed = await commit(store, put('/pods/a/changed', 0, 'before'));
        const gone = await commit(store, put('/pods/a/gone', 0, 'before'));
        const former = [...store.delivered];
        await commit(store, put('/pods/a/changed', changed, 'after'));
        await commit(store, remove('/pods/a/gone', gone));
        const made = await commit(store, put('/pods/a/made', 0));
        const order: string[] = [];
        const restored = (): void => void order.push(`restored ${store.replaced.length}`);
        const restoring = store.backend.restore({ versions: former, restamp, restored });
        const later = store.backend.commit(put('/pods/b/later', 0)).then(() => order.push('committed'));
        await Promise.all([restoring, later]);
        expect(order).toEqual(['restored 1', 'committed']);
        const [[state = [], revision = 0, difference] = []] = store.replaced;
        expect(state.map(({ key }) => key)).toEqual(['/pods/a/kept', '/pods/a/changed', '/pods/a/gone']);
        expect(state[0]?.revision).toBe(kept);
        // A store need not say what is new; what it says must be so.
        const { put: fresh, gone: left } = difference ?? { put: state.slice(1), gone: ['/pods/a/made'] };
        expect(fresh).toEqual(state.slice(1));
        expect(left).toEqual(['/pods/a/made']);
        expect(increasing([made, ...state.slice(1).map((version) => version.revision), revision])).toBe(true);
        expect(state[1]?.bytes.toString()).toBe(stamped(state[1]?.revision ?? 0, 'before'));
        const before = [...state, ...store.delivered.slice(-1)].map(readable);
        await reopen();
        expect(store.loaded.map(readable)).toEqual(before);
        expect(store.opening).toMatchObject({ compacted: revision });
        expect(await commit(store, put('/pods/a/made', 0))).toBeGreaterThan(revision);
      });

      it('is what writes compare with that come meanwhile', async ({ skip }) => {
        if (!store.backend.restore) return skip();
        const first = await commit(store, put('/pods/a/1', 0, 'before'));
        const former = [...store.delivered];
        const second = await commit(store, put('/pods/a/1', first, 'after'));
        const early = store.backend.commit(put('/pods/a/2', 0));
        const restored = store.backend.restore({ versions: former, restamp });
        const late = [store.backend.commit(put('/pods/a/1', second)), store.backend.commit(put('/pods/a/2', 0))];
        await restored;
        const revision = store.replaced[0]?.[0].find(({ key }) => key === '/pods/a/1')?.revision;
        expect(await early).toMatchObject({ conflict: false });
        expect(await Promise.all(late)).toMatchObject([{ conflict: true, revision }, { conflict: false }]);
      });
    });

    it('does not give a revision twice, also when the newest one was a deletion that is compacted', async () => {
      const created = await commit(store, put('/pods/a/1', 0));
      const removed = await commit(store, remove('/pods/a/1', created));
      await store.backend.compact(removed);
      await reopen();
      expect(store.loaded).toEqual([]);
      expect(store.opening.revision).toBeGreaterThanOrEqual(removed);
      expect(await commit(store, put('/pods/a/1', 0))).toBeGreaterThan(removed);
    });

    it('settles what is under way when it is closed, and refuses what comes later', async () => {
      const underWay = store.backend.commit(put('/pods/a/1', 0));
      const closing = store.backend.close();
      const late = store.backend.commit(put('/pods/a/2', 0));
      await expect(late).rejects.toBeInstanceOf(StorageUnavailable);
      const { revision } = await underWay;
      await closing;
      store = await open(harness.create());
      expect(store.loaded.map((version) => version.revision)).toEqual([revision]);
    });
  });
}
