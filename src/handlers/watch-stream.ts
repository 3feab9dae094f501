import type { BodyStream, ByteSink } from '../http/message.ts';
import type { Runtime, Timer } from '../runtime.ts';
import type { Version } from '../storage/version.ts';

/** Turns versions into the bytes one watcher is sent. */
export interface EventWriter {
  /** Synthetic events for what was there when the watch began. */
  initial(version: Version): Buffer;
  /** Empty when none of the changes concerns the watcher. */
  changes(versions: readonly Version[]): Buffer;
  bookmark(): Buffer;
}

export interface WatchStreamOptions {
  readonly runtime: Runtime;
  readonly writer: EventWriter;
  readonly initial: readonly Version[];
  readonly bookmarks: boolean;
  readonly timeoutMs: number;
  onClose(): void;
}

/**
 * What may wait for a slow client before it is cut off, besides what it missed before it came; it can resume from the
 * last version it has seen.
 */
const MOST_WAITING_BYTES = 16 << 20;
const BLOCK_BYTES = 64 << 10;
const BOOKMARK_MS = 60_000;

/**
 * One watcher's stream. What the client has not taken yet waits here, bounded, and never holds up anyone else: changes
 * are queued as references to shared versions and turned into bytes when the client is ready for them.
 */
export class WatchStream implements BodyStream {
  private readonly options: WatchStreamOptions;
  private sink: ByteSink | undefined;
  private nextInitial = 0;
  private waiting: (readonly Version[])[] = [];
  /** How much of the first waiting batch has been written. */
  private taken = 0;
  private waitingBytes = 0;
  private mostWaiting = MOST_WAITING_BYTES;
  private writable = true;
  private ended = false;
  private readonly timers: Timer[] = [];

  constructor(options: WatchStreamOptions) {
    this.options = options;
  }

  start(sink: ByteSink): void {
    this.sink = sink;
    const { runtime, timeoutMs, bookmarks } = this.options;
    this.timers[0] = runtime.after(timeoutMs, () => this.finish());
    if (bookmarks) this.scheduleBookmark();
    this.pump();
  }

  onVersions(versions: readonly Version[]): void {
    if (this.ended) return;
    if (this.sink && this.writable && this.waiting.length === 0 && this.initialDone) {
      this.write(this.options.writer.changes(versions));
      return;
    }
    this.waiting.push(versions);
    for (const { bytes } of versions) this.waitingBytes += bytes.length;
    if (!this.sink) this.mostWaiting = MOST_WAITING_BYTES + this.waitingBytes;
    else if (this.waitingBytes > this.mostWaiting) this.cutOff();
  }

  onDrain(): void {
    this.writable = true;
    this.pump();
  }

  onClose(): void {
    this.stop();
    this.options.onClose();
  }

  onShutdown(): void {
    this.finish();
  }

  private get initialDone(): boolean {
    return this.nextInitial >= this.options.initial.length;
  }

  private pump(): void {
    const { writer } = this.options;
    while (this.sink && this.writable && !this.ended) {
      if (!this.initialDone) this.write(this.initialBlock());
      else {
        const versions = this.nextChanges();
        if (!versions) return;
        this.write(writer.changes(versions));
      }
    }
  }

  /** A batch as it came, so that watchers share its bytes; a large one in parts, so that it never exists as a whole. */
  private nextChanges(): readonly Version[] | undefined {
    const [batch] = this.waiting;
    if (!batch) return undefined;
    const from = this.taken;
    for (let size = 0; size < BLOCK_BYTES && this.taken < batch.length; this.taken++) {
      size += batch[this.taken]?.bytes.length ?? 0;
    }
    const changes = from === 0 && this.taken === batch.length ? batch : batch.slice(from, this.taken);
    for (const { bytes } of changes) this.waitingBytes -= bytes.length;
    if (this.taken === batch.length) {
      this.waiting.shift();
      this.taken = 0;
    }
    return changes;
  }

  private initialBlock(): Buffer {
    const { initial, writer } = this.options;
    const frames: Buffer[] = [];
    for (let size = 0; size < BLOCK_BYTES && !this.initialDone; this.nextInitial++) {
      const version = initial[this.nextInitial];
      if (!version) continue;
      const bytes = writer.initial(version);
      frames.push(bytes);
      size += bytes.length;
    }
    return Buffer.concat(frames);
  }

  private write(bytes: Buffer): void {
    if (bytes.length === 0 || !this.sink) return;
    this.writable = this.sink.write(bytes);
  }

  /** Everything sent so far is marked, if the client has kept up; else the next time. */
  private scheduleBookmark(): void {
    this.timers[1] = this.options.runtime.after(BOOKMARK_MS, () => {
      this.sendBookmark();
      this.scheduleBookmark();
    });
  }

  private sendBookmark(): void {
    if (this.waiting.length === 0 && this.initialDone && !this.ended) this.write(this.options.writer.bookmark());
  }

  /** A clean end: the client asks again from where it is. */
  private finish(): void {
    if (this.ended) return;
    if (this.options.bookmarks) this.sendBookmark();
    this.stop();
    this.sink?.end();
  }

  private cutOff(): void {
    this.stop();
    this.sink?.abort();
  }

  private stop(): void {
    this.ended = true;
    this.waiting = [];
    for (const timer of this.timers) timer.cancel();
  }
}
