import type { Runtime, Timer } from '../../../runtime/runtime.ts';
import { StorageUnavailable } from '../../backend.ts';
import { type Cluster, StorageFull } from './cluster.ts';
import type { Feed } from './feed.ts';
import type { Layout } from './layout.ts';

/** How long what etcd is known to have may take to come through the watch. */
const ARRIVAL_MS = 5_000;
/** How long it is waited for before a mark is made: briefly where others were seen to write to the same etcd. */
const GRACE_MS = 250;
const GRACE_AMONG_OTHERS_MS = 5;
const NOTHING = new Uint8Array();
/** From so many readers on, those who are about to come are waited for, and for how long at most. */
const CROWD = 8;
const GATHERING_MS = 1;

type Questioned = Pick<Cluster, 'range' | 'txn'>;
type Progress = Pick<Feed, 'position' | 'isAmongOthers' | 'arrived'>;

/**
 * Where etcd stands, and that the feed gets there. Every answer of etcd says its newest revision, whoever made it. In an
 * etcd of our own that is one of ours, and comes through the watch by itself. Where others write too it may be theirs,
 * which the watch does not tell: then a mark is made, and what comes with it has everything before it.
 */
export class Standing {
  readonly #runtime: Runtime;
  readonly #cluster: Questioned;
  readonly #layout: Layout;
  readonly #feed: Progress;
  #asked: Promise<unknown> = Promise.resolve();
  /** Not asked yet: whoever comes now may share it. */
  #next: Promise<number> | undefined;
  /** How many share it. */
  #sharing = 0;
  /** How many there were at the last answer: those who were given it, and those who had come meanwhile. */
  #crowd = 0;
  #onCrowd: (() => void) | undefined;
  #marking: Promise<number> | undefined;

  constructor(runtime: Runtime, cluster: Questioned, layout: Layout, feed: Progress) {
    this.#runtime = runtime;
    this.#cluster = cluster;
    this.#layout = layout;
    this.#feed = feed;
  }

  /** etcd's newest revision, which was so after the call began. Rejects with `StorageUnavailable`. */
  async ask(): Promise<number> {
    return (await this.#cluster.range({ key: this.#layout.identity, keysOnly: true })).revision;
  }

  /**
   * As `ask`, once everything of ours up to it has been told. One question at a time is on its way, and all who come
   * meanwhile, or in the turn in which it is answered, share the next. Many who ask again and again are waited for, or
   * they would come in two halves, one always asking while the other waits: a thousand readers cost as much as one.
   */
  current(): Promise<number> {
    if (++this.#sharing >= this.#crowd) this.#onCrowd?.();
    if (this.#next !== undefined) return this.#next;
    const asked = this.#asked.then(() => this.#gathered()).then(() => this.#askForAll());
    this.#asked = asked.catch(() => undefined);
    this.#next = this.#told(asked);
    return this.#next;
  }

  async #askForAll(): Promise<number> {
    this.#next = undefined;
    const asking = this.#sharing;
    this.#sharing = 0;
    try {
      return await this.ask();
    } finally {
      this.#crowd = asking + this.#sharing;
    }
  }

  /** Resolves at the end of the turn, or when as many have come as are expected, or when those take too long. */
  async #gathered(): Promise<void> {
    await endOfTurn(this.#runtime);
    if (this.#crowd < CROWD || this.#sharing >= this.#crowd) return;
    let timer: Timer | undefined;
    await new Promise<void>((resolve) => {
      this.#onCrowd = resolve;
      timer = this.#runtime.after(GATHERING_MS, resolve);
    });
    timer?.cancel();
    this.#onCrowd = undefined;
  }

  /** Resolves when everything of ours up to a revision of etcd's has been told. Rejects with `StorageUnavailable`. */
  async reach(revision: number, timeoutMs = ARRIVAL_MS): Promise<void> {
    const feed = this.#feed;
    if (feed.position >= revision) return;
    if (await feed.arrived(revision, feed.isAmongOthers ? GRACE_AMONG_OTHERS_MS : GRACE_MS)) return;
    await this.#markAfter(revision);
    if (await feed.arrived(revision, timeoutMs)) return;
    throw new StorageUnavailable(`etcd has revision ${revision}, but this server has not been told of it yet`);
  }

  async #told(asked: Promise<number>): Promise<number> {
    const revision = await asked;
    if (this.#feed.position < revision) await this.reach(revision);
    return revision;
  }

  /** An etcd that is full takes no mark; whatever is ours still comes by itself. */
  async #markAfter(revision: number): Promise<void> {
    try {
      // A mark that was on its way already may come before the revision.
      while (this.#feed.position < revision && (await this.mark()) < revision);
    } catch (error) {
      if (!(error instanceof StorageFull)) throw error;
    }
  }

  /** Writes something, to know that it is possible and to have everything before it told. */
  mark(): Promise<number> {
    this.#marking ??= this.#makeMark().finally(() => {
      this.#marking = undefined;
    });
    return this.#marking;
  }

  async #makeMark(): Promise<number> {
    const mark = { put: this.#layout.mark, value: NOTHING };
    return (await this.#cluster.txn({ compare: [], success: [mark], failure: [] })).revision;
  }
}

const endOfTurn = (runtime: Runtime): Promise<void> => new Promise((resolve) => runtime.soon(resolve));
