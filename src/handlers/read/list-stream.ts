import { BLOCK_BYTES, Block } from '../../http/block.ts';
import type { BodyStream, ByteSink } from '../../http/message.ts';
import { pacerOf } from '../../runtime/pacing.ts';
import type { Runtime, Timer } from '../../runtime/runtime.ts';
import type { Entries } from '../../storage/log/entries.ts';
import type { Version } from '../../storage/log/version.ts';

/** A long list, in bytes: what stands before, between and after its items, and each of them. */
export interface ListBytes {
  readonly head: Buffer;
  readonly between: Buffer;
  readonly tail: Buffer;
  /** In parts, which follow each other. */
  item(version: Version): readonly Buffer[];
}

/** How long one step may take before others come in between. */
const STEP_MS = 2;
const ENTRIES_PER_STEP = 512;
const ENTRIES_AT_ONCE = 4;
/** A client that has not taken all of it by then is cut off: for its sake versions are kept that are no longer. */
const LONGEST_MS = 300_000;

/**
 * A list of more objects than are looked at in one go. It is put together while the client reads, a block at a time, in
 * turn with all other long work, and never exists as a whole.
 */
export class ListStream implements BodyStream {
  readonly #runtime: Runtime;
  readonly #bytes: ListBytes;
  #entries: Entries | undefined;
  #sink: ByteSink | undefined;
  #timer: Timer | undefined;
  #begun = false;
  #items = 0;
  readonly #onClose: (items: number) => void;

  /** `onClose` is told how many items were sent. */
  constructor(runtime: Runtime, entries: Entries, bytes: ListBytes, onClose: (items: number) => void = () => {}) {
    this.#runtime = runtime;
    this.#entries = entries;
    this.#bytes = bytes;
    this.#onClose = onClose;
  }

  start(sink: ByteSink): void {
    this.#sink = sink;
    this.#timer = this.#runtime.after(LONGEST_MS, () => sink.abort());
    this.#goOn();
  }

  onDrain(): void {
    this.#goOn();
  }

  onClose(): void {
    this.#timer?.cancel();
    this.#entries = undefined;
    this.#onClose(this.#items);
  }

  /** It comes to its end by itself; half a list is none. */
  onShutdown(): void {}

  #goOn(): void {
    pacerOf(this.#runtime).run(() => this.#step());
  }

  #step(): void {
    const [sink, entries] = [this.#sink, this.#entries];
    if (!sink || !entries) return;
    const preparing = entries.ready?.();
    if (preparing) {
      // Half a list is none, and its beginning may be on its way already.
      preparing.then(
        () => this.#goOn(),
        () => sink.abort(),
      );
      return;
    }
    const takesMore = this.#block(entries).sendTo(sink);
    if (entries.done) {
      this.#entries = undefined;
      sink.end();
    } else if (takesMore) this.#goOn();
  }

  #block(entries: Entries): Block {
    const { head, between, tail } = this.#bytes;
    const block = new Block();
    if (!this.#begun) block.add(head);
    this.#begun = true;
    const began = this.#runtime.monotonic();
    for (let looked = 0; !entries.done && looked < ENTRIES_PER_STEP; looked += ENTRIES_AT_ONCE) {
      for (const version of entries.next(ENTRIES_AT_ONCE)) {
        if (this.#items > 0) block.add(between);
        block.add(...this.#bytes.item(version));
        this.#items++;
      }
      if (block.size >= BLOCK_BYTES || this.#runtime.monotonic() - began > STEP_MS) break;
    }
    if (entries.done) block.add(tail);
    return block;
  }
}
