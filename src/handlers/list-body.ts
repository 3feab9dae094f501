import type { ListEncoding } from '../codec/list-encoding.ts';
import type { BodyStream, ByteSink } from '../http/message.ts';

const BLOCK_BYTES = 256 * 1024;

/**
 * A list as a concatenation of bytes that are there already: nothing is parsed, nothing is serialised. As a stream it is
 * put together block by block while the client reads, so that a large list never exists as a whole.
 */
export class ListBody implements BodyStream {
  /** How many bytes it has in all. */
  readonly size: number;
  private readonly encoding: ListEncoding;
  private readonly items: readonly Buffer[];
  /** The item that comes next; before the first one comes the head. */
  private next = -1;
  private sink: ByteSink | undefined;

  constructor(encoding: ListEncoding, items: readonly Buffer[]) {
    this.encoding = encoding;
    this.items = items;
    let size = encoding.head.length + encoding.tail.length;
    for (let index = 0; index < items.length; index++) size += sizeAt(encoding, items, index);
    this.size = size;
  }

  start(sink: ByteSink): void {
    this.sink = sink;
    this.onDrain();
  }

  onDrain(): void {
    const { sink } = this;
    while (sink && !this.done) {
      const more = sink.write(this.block(BLOCK_BYTES));
      if (this.done) {
        this.sink = undefined;
        sink.end();
        return;
      }
      if (!more) return;
    }
  }

  onClose(): void {
    this.sink = undefined;
  }

  /** A list is finite: it is sent to its end also when the server is about to go. */
  onShutdown(): void {}

  /** The whole list in one buffer. Instead of streaming it. */
  join(): Buffer {
    return this.block(Number.POSITIVE_INFINITY);
  }

  /** The whole list in a few buffers. Instead of streaming it. */
  blocks(): Buffer[] {
    const blocks: Buffer[] = [];
    while (!this.done) blocks.push(this.block(BLOCK_BYTES));
    return blocks;
  }

  private get done(): boolean {
    return this.next === this.items.length;
  }

  /** The next bytes of the body, about as many as wanted, at least one item. */
  private block(wanted: number): Buffer {
    const { items, encoding } = this;
    const first = Math.max(this.next, 0);
    let size = this.next < 0 ? encoding.head.length : 0;
    let last = first;
    while (last < items.length && size < wanted) size += sizeAt(encoding, items, last++);
    const block = Buffer.allocUnsafe(size + encoding.tail.length);
    let at = this.next < 0 ? encoding.head.copy(block) : 0;
    for (let index = first; index < last; index++) {
      const item = items[index];
      if (item) at = encoding.write(item, index, block, at);
    }
    this.next = last;
    if (this.done) at += encoding.tail.copy(block, at);
    return block.subarray(0, at);
  }
}

function sizeAt(encoding: ListEncoding, items: readonly Buffer[], index: number): number {
  const item = items[index];
  return item ? encoding.sizeOf(item, index) : 0;
}
