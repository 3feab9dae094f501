import { PassingMap } from '../../../runtime/passing-map.ts';
import type { Runtime } from '../../../runtime/runtime.ts';
import {
  type Backend,
  type CutOff,
  type Deliver,
  type Load,
  type Opening,
  type Outcome,
  OutcomeUnknown,
  type Replace,
  StorageUnavailable,
  type Write,
} from '../../backend.ts';
import type { EtcdEvent } from './changes.ts';
import { Cluster, type ClusterOptions, Compacted, StorageFull } from './cluster.ts';
import { Contact } from './contact.ts';
import { Feed, type Sink } from './feed.ts';
import { Formats } from './formats.ts';
import { readHistory } from './history.ts';
import { comparableRevision, type Layout, layoutBelow } from './layout.ts';
import type { Comparison, Operation, TxnRequest } from './messages.ts';
import { type OwnWrite, OwnWrites } from './own-writes.ts';
import { readAll } from './snapshot.ts';
import { Standing } from './standing.ts';
import { encodeValue } from './value.ts';
import { type Applicant, WriteQueue } from './write-queue.ts';

export interface EtcdBackendOptions extends ClusterOptions {
  /** Everything of ours is below it; begins with a slash and ends without one. */
  readonly prefix: string;
  /** The name of the vocabulary the data is written in; a prefix keeps its first. */
  readonly vocabulary: string;
  /** Told of trouble in the background, which passes or is told to whoever is concerned as well. */
  onError?(error: unknown): void;
}

/** How long a write that etcd has confirmed may take to come back through the watch. */
const ARRIVAL_MS = 5_000;
const NOTHING = new Uint8Array();

/**
 * Several servers over one etcd, which orders and keeps: its revisions are ours. Whatever happens, by whomever, reaches
 * the log through one watch alone, own writes too: a write is answered when it has come back.
 */
export class EtcdBackend implements Backend {
  readonly isShared = true;
  readonly format: Formats;
  readonly #runtime: Runtime;
  readonly #layout: Layout;
  readonly #cluster: Cluster;
  readonly #feed: Feed;
  readonly #standing: Standing;
  readonly #ownWrites: OwnWrites;
  readonly #queue: WriteQueue;
  readonly #underWay = new PassingMap<number, Promise<Outcome>>();
  #commits = 0;
  readonly #contact: Contact;
  #closing: Promise<void> | undefined;

  constructor(options: EtcdBackendOptions) {
    this.#runtime = options.runtime;
    this.#layout = layoutBelow(options.prefix);
    this.#cluster = new Cluster(options);
    this.format = new Formats({
      runtime: options.runtime,
      cluster: this.#cluster,
      layout: this.#layout,
      vocabulary: options.vocabulary,
      onError: (error) => options.onError?.(error),
    });
    this.#ownWrites = new OwnWrites(options.runtime);
    this.#queue = new WriteQueue(options.runtime);
    this.#feed = new Feed({
      cluster: this.#cluster,
      layout: this.#layout,
      runtime: options.runtime,
      expected: () => this.#ownWrites.size,
      onError: (error) => options.onError?.(error),
    });
    this.#standing = new Standing(options.runtime, this.#cluster, this.#layout, this.#feed);
    this.#contact = new Contact(options.runtime, this.#standing, (error) => options.onError?.(error));
  }

  async open(load: Load, deliver: Deliver, replace: Replace, cutOff: CutOff = () => undefined): Promise<Opening> {
    try {
      await this.format.open();
      const retained = await readHistory(this.#cluster, this.#layout, this.#standing, this.#feed);
      const { versions, revision, compacted } = retained;
      load(versions);
      const handing = (hand: Deliver | Replace) => (changes: readonly EtcdEvent[], upTo: number) =>
        this.#ownWrites.pass(changes, (passed) => hand(passed, upTo));
      const sink: Sink = { onChanges: handing(deliver), onLoss: (loss) => this.#reload(loss, handing(replace)) };
      this.#feed.handTo(sink, revision);
      this.#contact.begin(cutOff);
      return { revision, compacted };
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  commit(write: Write): Promise<Outcome> {
    if (this.#closing !== undefined) return Promise.reject(new StorageUnavailable('the store is closed'));
    const outcome = this.#queue.take(applicantOf(write), () => this.#commit(write));
    const number = ++this.#commits;
    const done = (): boolean => this.#underWay.delete(number);
    this.#underWay.set(number, outcome);
    outcome.then(done, done);
    return outcome;
  }

  get problem(): string | undefined {
    return this.#contact.problem;
  }

  current(): Promise<number> {
    return this.#standing.current();
  }

  /** Of several servers the first to want it does it. */
  async compact(through: number): Promise<void> {
    if (!(await this.#moveCompaction(through))) return;
    try {
      await this.#cluster.compact(through);
    } catch (error) {
      // Others that use the same etcd may be ahead.
      if (!(error instanceof Compacted)) throw error;
    }
  }

  /** False when another server has been there. An etcd that is full takes no mark, and needs its compaction most. */
  async #moveCompaction(through: number): Promise<boolean> {
    const { compaction } = this.#layout;
    const mark = comparableRevision(through);
    const compare = [{ key: compaction, below: mark }];
    const success = [{ put: compaction, value: Buffer.from(mark) }];
    try {
      return (await this.#cluster.txn({ compare, success, failure: [] })).succeeded;
    } catch (error) {
      if (error instanceof StorageFull) return true;
      throw error;
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.allSettled([...this.#underWay.values(), this.format.close()]);
    this.#contact.end();
    this.#feed.close();
    this.#cluster.close();
  }

  #commit(write: Write): Promise<Outcome> {
    const own = this.#ownWrites.begin(write.facets);
    return new Promise((resolve, reject) => {
      // What has come back is stored, whether or not etcd has said so yet.
      own.onTold = (revision) => {
        this.#ownWrites.end(own);
        resolve({ conflict: false, revision });
      };
      this.#answered(write, own)
        .finally(() => this.#ownWrites.end(own))
        .then(resolve, reject);
    });
  }

  async #answered(write: Write, own: OwnWrite): Promise<Outcome> {
    try {
      return await this.#transactOrRemove(write, own);
    } catch (error) {
      if (error instanceof OutcomeUnknown) return await this.#resolveDoubt(own, error);
      if (error instanceof StorageFull) this.#contact.noteFull(error);
      throw error;
    }
  }

  /** An etcd that is full takes nothing but removals, and those only by themselves. */
  async #transactOrRemove(write: Write, own: OwnWrite): Promise<Outcome> {
    try {
      return await this.#transact(write, own, this.#transaction(write, own));
    } catch (error) {
      if (!(error instanceof StorageFull) || !write.delete) throw error;
      this.#contact.noteFull(error);
      return this.#transact(write, own, this.#removal(write));
    }
  }

  /** Without a word about what is removed: others have to ask. Nobody else can write now, so guards may stay as they are. */
  #removal(write: Write): TxnRequest {
    const key = this.#layout.keyOf(write.key);
    const compare = [{ key, revision: write.expected }];
    return { compare, success: [{ remove: key }], failure: [{ read: { key, keysOnly: true } }] };
  }

  /** What a deletion leaves comes before it, so that whoever is told of it knows that already. */
  #transaction(write: Write, { origin }: OwnWrite): TxnRequest {
    const key = this.#layout.keyOf(write.key);
    const value = encodeValue(write.value, this.#runtime.now(), origin);
    write.value.release?.();
    const compare: Comparison[] = [{ key, revision: write.expected }];
    const success: Operation[] = write.delete
      ? [{ put: this.#layout.deleted, value }, { remove: key }]
      : [{ put: key, value }];
    // Before everything else, as that is where servers of the former format look for what a deletion left.
    if (this.format.writesFormer) success.unshift({ put: this.#layout.head, value: write.delete ? value : NOTHING });
    if (write.guard) {
      const guard = this.#layout.guardOf(write.guard.name);
      compare.push({ key: guard, upTo: write.guard.seen });
      success.push({ put: guard, value: NOTHING });
    }
    return { compare, success, failure: [{ read: { key, keysOnly: true } }] };
  }

  async #transact(write: Write, own: OwnWrite, transaction: TxnRequest): Promise<Outcome> {
    const { succeeded, revision, reads } = await this.#cluster.txn(transaction);
    if (succeeded) {
      const isTold = own.seen !== undefined || (await this.#feed.arrived(revision, ARRIVAL_MS));
      if (isTold) return { conflict: false, revision };
      throw new OutcomeUnknown(`the write is stored, but this server has not been told of it yet`);
    }
    // Whoever reads again after a conflict finds what was in the way, also when that was a deletion.
    await this.#standing.reach(revision);
    const actual = reads[0]?.entries[0]?.revision ?? 0;
    return { conflict: true, revision: actual, ...(actual === write.expected && { outrun: true }) };
  }

  /**
   * A write whose answer was lost is known to be stored when it has come back. When it has not, although everything else
   * has, it may still be on its way to etcd through a member that is silent.
   */
  async #resolveDoubt(own: OwnWrite, doubt: OutcomeUnknown): Promise<Outcome> {
    await this.current().catch(() => undefined);
    if (own.seen === undefined) throw doubt;
    return { conflict: false, revision: own.seen };
  }

  /** Where only others wrote in the part of history that is gone, nothing is lost; else the state is read anew. */
  async #reload(loss: Parameters<Sink['onLoss']>[0], replace: Sink['onChanges']): Promise<void> {
    if (loss !== 'meddled' && !(await this.#hasChanged(loss.compacted))) return this.#feed.advance(loss.compacted);
    const { changes, revision } = await readAll(this.#cluster, this.#layout);
    replace(changes, revision);
    this.#feed.moveTo(revision);
  }

  /** Whether anything of ours was changed after what has been told and up to a revision; deletions change a key too. */
  async #hasChanged(revision: number): Promise<boolean> {
    const { first, end, deleted, head, objectOf } = this.#layout;
    const changedSince = this.#feed.position + 1;
    const { entries } = await this.#cluster.range({ key: first, end, keysOnly: true, revision, changedSince });
    return entries.some(({ key }) => key === deleted || key === head || objectOf(key) !== undefined);
  }
}

/** Writers take turns, and those of one by the collection and namespace they write to. */
function applicantOf({ key, caller = '', background = false }: Write): Applicant {
  return { caller, place: key.slice(0, key.lastIndexOf('/')), background };
}
