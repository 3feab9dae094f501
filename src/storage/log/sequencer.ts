import { PassingMap } from '../../runtime/passing-map.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import {
  collectionOf,
  type Deliver,
  type FormerState,
  type KeptPasts,
  type Outcome,
  StorageUnavailable,
  type StoredVersion,
  stamp,
  type Write,
} from '../backend.ts';
import { NumberQueue } from '../number-queue.ts';
import { slabs } from '../slabs.ts';

/** Makes versions durable, all or none. What it rejects with is what the writers are told. */
export type Persist = (versions: readonly StoredVersion[]) => Promise<void>;

/** What a store becomes when a former state is put back. */
export interface Restoration {
  /** The whole state, in revision order. */
  readonly state: readonly StoredVersion[];
  /** Those of its versions that are new. */
  readonly put: readonly StoredVersion[];
  /** The keys that are not in it, with the revisions that they had. */
  readonly gone: readonly (readonly [key: string, revision: number])[];
  /** The revisions that nobody needs any more. */
  readonly remove: readonly number[];
  /** Of the restoration itself, larger than all before it. History begins here. */
  readonly revision: number;
}

/** What commits are told when their batch has ended. */
interface Answer {
  readonly outcome: Outcome;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/** Writes that become durable together, and all whose answer hangs on them. */
interface Batch {
  readonly versions: StoredVersion[];
  readonly answers: Answer[];
}

/** The newest write to a key while it is on its way. */
interface Tentative {
  readonly batch: Batch;
  /** What the key will have: 0 when it is being deleted. */
  readonly revision: number;
}

const inSlabs = (length: number): Buffer => slabs.take(length);

const emptyBatch = (): Batch => ({ versions: [], answers: [] });

/**
 * The order of writes in a store that has one writer process: compares, gives revisions, stamps, and groups commits.
 * One batch is being persisted at any time; everything that arrives meanwhile goes into the next.
 */
export class Sequencer {
  readonly #runtime: Runtime;
  readonly #persist: Persist;
  #deliver: Deliver = () => undefined;
  /** The revision of every key that exists, as far as it is durable. */
  readonly #durable = new Map<string, number>();
  readonly #tentative = new PassingMap<string, Tentative>();
  /**
   * By collection, pairs of a revision and one that nobody will need once compaction has passed the first. As numbers: there
   * are many of them.
   */
  readonly #garbage = new Map<string, NumberQueue>();
  #revision = 1;
  #assigned = 1;
  #next = emptyBatch();
  #running: Promise<void> | undefined;
  #restoring: Promise<void> | undefined;
  #closed = false;

  constructor(runtime: Runtime, persist: Persist) {
    this.#runtime = runtime;
    this.#persist = persist;
  }

  /** The newest durable revision. */
  get revision(): number {
    return this.#revision;
  }

  /** Takes in what the store holds, in revision order, before `start`. */
  restore(versions: readonly StoredVersion[]): void {
    for (const version of versions) this.#settle(version);
  }

  /** Begins above all restored versions and above `revision`. */
  start(revision: number, deliver: Deliver): void {
    this.#revision = Math.max(this.#revision, revision);
    this.#assigned = this.#revision;
    this.#deliver = deliver;
  }

  /**
   * Puts a former state back once all that is on its way has ended; see `Backend.restore`. `persist` makes it durable,
   * `replace` is told of it then.
   */
  async restoreFormer(
    former: FormerState,
    persist: (restoration: Restoration) => Promise<void>,
    replace: (restoration: Restoration) => void,
  ): Promise<void> {
    while (this.#restoring) await this.#restoring.catch(() => undefined);
    const restoring = this.#restore(former, persist, replace).finally(() => {
      this.#restoring = undefined;
    });
    this.#restoring = restoring;
    return restoring;
  }

  commit(write: Write): Promise<Outcome> {
    if (!this.#restoring) return this.#commit(write);
    return this.#restoring.catch(() => undefined).then(() => this.commit(write));
  }

  #commit(write: Write): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(new StorageUnavailable('the store is closed'));
      const tentative = this.#tentative.get(write.key);
      const actual = tentative?.revision ?? this.#durable.get(write.key) ?? 0;
      if (actual === write.expected) return this.#enqueue(write, resolve, reject);
      const outcome: Outcome = { conflict: true, revision: actual };
      if (tentative === undefined) resolve(outcome);
      else tentative.batch.answers.push({ outcome, resolve, reject });
    });
  }

  /** The revisions that nobody needs once everything up to `through` is compacted, less of the collections in `kept`. */
  garbage(through: number, kept: KeptPasts = NOTHING_KEPT): number[] {
    const found: number[] = [];
    for (const [collection, pairs] of this.#garbage) {
      const reach = reachOf(pairs, kept.get(collection) ?? through);
      for (let at = 1; at < reach; at += 2) {
        const garbage = pairs.at(at);
        if (garbage !== undefined) found.push(garbage);
      }
    }
    return found;
  }

  /** Tells that `garbage(through, kept)` has been removed. */
  swept(through: number, kept: KeptPasts = NOTHING_KEPT): void {
    for (const [collection, pairs] of this.#garbage) {
      const reach = reachOf(pairs, kept.get(collection) ?? through);
      if (reach === pairs.length) this.#garbage.delete(collection);
      else pairs.drop(reach);
    }
  }

  /** Refuses new writes and waits for the end of those under way. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#restoring?.catch(() => undefined);
    await this.#running;
  }

  async #restore(
    former: FormerState,
    persist: (restoration: Restoration) => Promise<void>,
    replace: (restoration: Restoration) => void,
  ): Promise<void> {
    // No commit gets in while this waits.
    await this.#running;
    if (this.#closed) throw new StorageUnavailable('the store is closed');
    const restoration = this.#restorationOf(former);
    await persist(restoration);
    this.#garbage.clear();
    for (const [key] of restoration.gone) this.#durable.delete(key);
    for (const { key, revision } of restoration.put) this.#durable.set(key, revision);
    this.#revision = restoration.revision;
    replace(restoration);
    former.restored?.();
  }

  /** What stayed as it was keeps its revision. */
  #restorationOf({ versions, restamp }: FormerState): Restoration {
    const kept: StoredVersion[] = [];
    const put: StoredVersion[] = [];
    const remove = this.garbage(Number.POSITIVE_INFINITY);
    const time = this.#runtime.now();
    let known = 0;
    for (const version of versions) {
      const { key, deleted, facets } = version;
      const now = this.#durable.get(key);
      if (now !== undefined) known++;
      if (now === version.revision) {
        kept.push(version);
        continue;
      }
      if (now !== undefined) remove.push(now);
      const revision = ++this.#assigned;
      put.push({ revision, key, bytes: restamp(version, revision, inSlabs), deleted, time, facets });
    }
    // Where every key is known that there is, as when nothing was made since, there is none to look for.
    const gone = known === this.#durable.size ? [] : this.#entriesBeside(versions);
    for (const [, revision] of gone) remove.push(revision);
    const state = [...kept.sort((a, b) => a.revision - b.revision), ...put];
    return { state, put, gone, remove, revision: ++this.#assigned };
  }

  #entriesBeside(versions: readonly StoredVersion[]): (readonly [key: string, revision: number])[] {
    const stay = new Set(versions.map(({ key }) => key));
    return [...this.#durable].filter(([key]) => !stay.has(key));
  }

  #enqueue(write: Write, resolve: Answer['resolve'], reject: Answer['reject']): void {
    const revision = ++this.#assigned;
    const deleted = write.delete ?? false;
    const batch = this.#next;
    const bytes = stamp(write.value, revision, inSlabs);
    write.value.release?.();
    batch.versions.push({
      revision,
      key: write.key,
      bytes,
      deleted,
      time: this.#runtime.now(),
      facets: write.facets,
    });
    batch.answers.push({ outcome: { conflict: false, revision }, resolve, reject });
    this.#tentative.set(write.key, { batch, revision: deleted ? 0 : revision });
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    // Lets everything that is written in the same turn share the first batch.
    await undefined;
    while (this.#next.versions.length > 0) {
      const batch = this.#next;
      this.#next = emptyBatch();
      try {
        await this.#persist(batch.versions);
      } catch (error) {
        this.#fail(batch, error);
        continue;
      }
      this.#succeed(batch);
    }
    this.#running = undefined;
  }

  #succeed(batch: Batch): void {
    for (const version of batch.versions) {
      this.#settle(version);
      if (this.#tentative.get(version.key)?.batch === batch) this.#tentative.delete(version.key);
    }
    try {
      this.#deliver(batch.versions, this.#revision);
      for (const { outcome, resolve } of batch.answers) resolve(outcome);
    } catch (defect) {
      for (const { reject } of batch.answers) reject(defect);
    }
  }

  /**
   * Whatever waits behind a failed batch fails with it: it may stand on it, and the disk it would go to has just
   * refused. The revisions are not given again, so that a batch which reached the disk after all cannot be mistaken
   * for a later one.
   */
  #fail(batch: Batch, error: unknown): void {
    const behind = this.#next;
    this.#next = emptyBatch();
    this.#tentative.clear();
    for (const { reject } of [...batch.answers, ...behind.answers]) reject(error);
  }

  #settle({ key, revision, deleted }: StoredVersion): void {
    const superseded = this.#durable.get(key);
    if (superseded !== undefined) this.#discard(key, revision, superseded);
    if (deleted) {
      this.#discard(key, revision, revision);
      this.#durable.delete(key);
    } else {
      this.#durable.set(key, revision);
    }
    this.#revision = revision;
  }

  #discard(key: string, revision: number, garbage: number): void {
    const collection = collectionOf(key);
    const pairs = this.#garbage.get(collection) ?? new NumberQueue();
    this.#garbage.set(collection, pairs);
    pairs.push(revision);
    pairs.push(garbage);
  }
}

const NOTHING_KEPT: KeptPasts = new Map();

/** How far those of the pairs reach that compaction up to `through` passes. */
const reachOf = (pairs: NumberQueue, through: number): number => pairs.countBelow(through + 1, 2);
