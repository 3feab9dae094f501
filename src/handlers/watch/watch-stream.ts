import { ApiError, expired, internalBecause } from '../../api/errors.ts';
import { BLOCK_BYTES, Block } from '../../http/block.ts';
import type { BodyStream, ByteSink } from '../../http/message.ts';
import { pacerOf } from '../../runtime/pacing.ts';
import type { Runtime, Timer } from '../../runtime/runtime.ts';
import { HistoryGone, StorageUnavailable } from '../../storage/backend.ts';
import type { Entries } from '../../storage/log/entries.ts';
import type { Version } from '../../storage/log/version.ts';
import type { EventWriter } from './event-writer.ts';
import type { SelectedEvent, Settle } from './watch-events.ts';

export interface WatchStreamOptions {
  readonly runtime: Runtime;
  readonly writer: EventWriter;
  /** Told of what is sent. */
  readonly meter: { sent(events: number, bytes: number): void };
  /** For kinds whose versions have to be prepared before they can be shown. */
  readonly settle: Settle | undefined;
  /** Objects that the client is told of first, if any, */
  readonly initial: Entries | undefined;
  /** and what follows the last of them, if anything; called once, after they were written. */
  readonly initialEnd: (() => Buffer) | undefined;
  readonly bookmarks: boolean;
  readonly timeoutMs: number;
  /** The revision up to which everything has been handed to the stream. */
  reached(): number;
  onClose(): void;
}

/**
 * What may wait for a slow client before it is cut off, besides what it missed before it came; it can resume from the
 * last version it has seen.
 */
const MOST_WAITING_BYTES = 16 << 20;
const BOOKMARK_MS = 60_000;
const NO_CHANGES: readonly SelectedEvent[] = [];
/** How many entries one step of telling what there is looks at. */
const ENTRIES_PER_STEP = 512;
const ENTRIES_AT_ONCE = 4;
/** A client that has not taken what there is by then is cut off: for its sake versions are kept that are no longer. */
const INITIAL_MS = 300_000;

/**
 * One watcher's stream. What the client has not taken yet waits here, bounded, and never holds up anyone else: changes
 * are queued as references to shared versions and turned into bytes when the client is ready for them.
 */
export class WatchStream implements BodyStream {
  readonly #options: Omit<WatchStreamOptions, 'initial' | 'initialEnd'>;
  #sink: ByteSink | undefined;
  /** Let go of once it has been sent: it would keep versions alive for as long as the watch is open. */
  #initial: Entries | undefined;
  #initialEnd: (() => Buffer) | undefined;
  #waiting: (readonly SelectedEvent[])[] = [];
  /** Which of the waiting batches comes next: those before it are gone. */
  #next = 0;
  /** How much of it has been written. */
  #taken = 0;
  #waitingBytes = 0;
  #mostWaiting = MOST_WAITING_BYTES;
  #writable = true;
  #ended = false;
  /** What comes next is being prepared; everything after it waits. */
  #preparing = false;
  #timeout: Timer | undefined;
  #bookmarkTimer: Timer | undefined;
  #initialTimer: Timer | undefined;
  /** Of who waits for the client to take what it missed. */
  #onRoom: (() => void) | undefined;

  constructor(options: WatchStreamOptions) {
    const { initial, initialEnd, ...lasting } = options;
    this.#options = lasting;
    this.#initial = initial;
    this.#initialEnd = initialEnd;
  }

  start(sink: ByteSink): void {
    this.#sink = sink;
    if (this.#ended) {
      // History was lost before the answer began: the client learns of it when it asks again.
      sink.abort();
      return;
    }
    const { runtime, timeoutMs, bookmarks } = this.#options;
    this.#timeout = runtime.after(timeoutMs, () => this.#finish());
    if (bookmarks) this.#scheduleBookmark();
    if (this.#initial) this.#initialTimer = runtime.after(INITIAL_MS, () => this.#cutOff());
    if (this.#initialDone) this.#pump();
    else this.#pumpInTurn();
  }

  onVersions(versions: readonly Version[]): void {
    if (this.#ended) return;
    if (this.#isIdle && !this.#options.settle) {
      this.#attempt(() => this.#writeChanges(versions));
      return;
    }
    const changes = this.#options.writer.decided(versions);
    if (changes.length === 0) return;
    this.#waiting.push(changes);
    for (const { version } of changes) this.#waitingBytes += version.size;
    if (!this.#sink) this.#mostWaiting = MOST_WAITING_BYTES + this.#waitingBytes;
    else if (this.#waitingBytes > this.#mostWaiting) this.#cutOff();
    else if (this.#options.settle) this.#pump();
  }

  #writeChanges(versions: readonly Version[]): void {
    const { writer } = this.#options;
    if (writer.takesAll) {
      this.#write(writer.changes(versions), versions.length);
      return;
    }
    const changes = writer.decided(versions);
    if (changes.length > 0) this.#write(writer.written(changes), changes.length);
  }

  /** The client has to read everything anew, so what waits for it is of no use any more. */
  onHistoryLost(): void {
    this.#fail(expired('too old resource version: changes were lost before they could be sent'));
  }

  #fail(error: ApiError): void {
    if (this.#ended) return;
    this.#write(this.#options.writer.error(error), 1);
    this.#stop();
    this.#sink?.end();
  }

  /** What was missed is handed over no faster than the client takes it. */
  room(): Promise<void> | undefined {
    if (this.#ended || this.#isIdle) return undefined;
    return new Promise((resolve) => {
      this.#onRoom = resolve;
    });
  }

  /** The client is better off with another server, and goes on there where it is now. */
  onCutOff(): void {
    this.#finish();
  }

  onDrain(): void {
    this.#writable = true;
    if (this.#initialDone) this.#pump();
    else this.#pumpInTurn();
  }

  onClose(): void {
    this.#stop();
    this.#options.onClose();
  }

  onShutdown(): void {
    this.#finish();
  }

  /** The client has begun to read and has taken all that it was handed. */
  get #isIdle(): boolean {
    return this.#sink !== undefined && this.#writable && this.#isTold;
  }

  /** Nothing is left of what was handed to the stream. */
  get #isTold(): boolean {
    return this.#next === this.#waiting.length && !this.#preparing && this.#initialDone;
  }

  get #initialDone(): boolean {
    return this.#initial === undefined && this.#initialEnd === undefined;
  }

  #pump(): void {
    while (this.#sink && this.#writable && !this.#ended && !this.#preparing) {
      if (!this.#initialDone) {
        if (this.#waitFor(this.#initial?.ready?.())) return;
        this.#attempt(() => this.#writeInitialBlock());
        if (this.#writable) this.#pumpInTurn();
        return;
      }
      const changes = this.#nextChanges();
      if (!changes) break;
      this.#attempt(() => this.#writePrepared(changes));
    }
    if (this.#isIdle) this.#tellRoom();
  }

  #writePrepared(changes: readonly SelectedEvent[]): void {
    const { writer, settle } = this.#options;
    const write = (ready: readonly SelectedEvent[]): void => this.#write(writer.written(ready), ready.length);
    const settled = settle ? settle(changes) : changes;
    if (!(settled instanceof Promise)) write(settled);
    else this.#waitFor(settled.then((ready) => this.#ended || this.#attempt(() => write(ready))));
  }

  /** True when something has to be prepared first: the stream goes on when it is, or ends when it cannot be. */
  #waitFor(preparing: Promise<unknown> | undefined): boolean {
    if (!preparing) return false;
    this.#preparing = true;
    preparing.then(
      () => {
        this.#preparing = false;
        this.#pump();
      },
      (error) => this.#fail(error instanceof ApiError ? error : internalBecause(String(error))),
    );
    return true;
  }

  /** What was not taken in time may be gone from the store. If it cannot be read, the log reports it; the client resumes. */
  #attempt(send: () => void): void {
    try {
      send();
    } catch (error) {
      if (error instanceof HistoryGone) this.onHistoryLost();
      else if (error instanceof StorageUnavailable) this.#cutOff();
      else throw error;
    }
  }

  #tellRoom(): void {
    this.#onRoom?.();
    this.#onRoom = undefined;
  }

  /** Hundreds may begin with everything there is at the same moment. */
  #pumpInTurn(): void {
    pacerOf(this.#options.runtime).run(() => this.#pump());
  }

  /** A large batch comes in parts, so that it never exists as bytes as a whole. */
  #nextChanges(): readonly SelectedEvent[] | undefined {
    const batch = this.#waiting[this.#next];
    if (!batch) return undefined;
    const from = this.#taken;
    let size = 0;
    for (; size < BLOCK_BYTES && this.#taken < batch.length; this.#taken++) {
      size += batch[this.#taken]?.version.size ?? 0;
    }
    const changes = batch.slice(from, this.#taken);
    this.#waitingBytes -= size;
    if (this.#taken === batch.length) this.#forgetBatch();
    return changes;
  }

  /** Moves what is left to the front only when that is less than what was taken: in all, each batch is moved once. */
  #forgetBatch(): void {
    this.#waiting[this.#next] = NO_CHANGES;
    this.#next++;
    this.#taken = 0;
    if (2 * this.#next < this.#waiting.length) return;
    this.#waiting = this.#waiting.slice(this.#next);
    this.#next = 0;
  }

  #writeInitialBlock(): void {
    const block = new Block();
    for (let looked = 0; this.#initial && looked < ENTRIES_PER_STEP; looked += ENTRIES_AT_ONCE) {
      for (const version of this.#initial.next(ENTRIES_AT_ONCE)) block.add(...this.#options.writer.initial(version));
      if (this.#initial.done) this.#initial = undefined;
      if (block.size >= BLOCK_BYTES) break;
    }
    if (this.#initial === undefined) {
      if (this.#initialEnd) block.add(this.#initialEnd());
      this.#initialEnd = undefined;
      this.#initialTimer?.cancel();
    }
    if (block.size === 0 || !this.#sink) return;
    this.#options.meter.sent(block.pieces, block.size);
    this.#writable = block.sendTo(this.#sink);
  }

  #write(bytes: Buffer, events: number): void {
    if (bytes.length === 0 || !this.#sink) return;
    this.#options.meter.sent(events, bytes.length);
    this.#writable = this.#sink.write(bytes);
  }

  /** Everything sent so far is marked, if the client has kept up; else the next time. */
  #scheduleBookmark(): void {
    this.#bookmarkTimer = this.#options.runtime.after(BOOKMARK_MS, () => {
      this.#sendBookmark();
      this.#scheduleBookmark();
    });
  }

  #sendBookmark(): void {
    const { writer, reached } = this.#options;
    if (this.#isTold && !this.#ended) this.#write(writer.bookmark(reached()), 1);
  }

  /** A clean end: the client asks again from where it is. */
  #finish(): void {
    if (this.#ended) return;
    if (this.#options.bookmarks) this.#sendBookmark();
    this.#stop();
    this.#sink?.end();
  }

  #cutOff(): void {
    this.#stop();
    this.#sink?.abort();
  }

  #stop(): void {
    this.#ended = true;
    this.#waiting = [];
    this.#next = 0;
    this.#initial = undefined;
    for (const timer of [this.#timeout, this.#bookmarkTimer, this.#initialTimer]) timer?.cancel();
    this.#tellRoom();
  }
}
