import type { BodyStream, ByteSink } from '../http/message.ts';
import { apiVersionOf } from '../registry/incoming.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import { renderingIn } from '../registry/versions.ts';
import type { Version } from '../storage/version.ts';

const BLOCK_BYTES = 256 * 1024;
const TAIL = Buffer.from(']}');
const COMMA = 44;
const OPEN = 123;

/** Items of a list do not repeat the kind and version that the list itself says: that much of their bytes is passed over. */
const typeMetaBytes = (type: ResourceType): number =>
  Buffer.byteLength(`{"kind":"${type.kind}","apiVersion":"${apiVersionOf(type)}",`);

/**
 * A list as a concatenation of stored bytes: nothing is parsed, nothing is serialised. As a stream it is put together
 * block by block while the client reads, so that a large list never exists as a whole.
 */
export class ListBody implements BodyStream {
  readonly size: number;
  private readonly head: Buffer;
  private readonly items: readonly Buffer[];
  private readonly skip: number;
  private next = -1;
  private sink: ByteSink | undefined;

  constructor(type: ResourceType, head: Buffer, items: readonly Version[]) {
    this.head = head;
    this.items = items.map((version) => renderingIn(type, version));
    this.skip = typeMetaBytes(type);
    let size = head.length + TAIL.length + Math.max(0, items.length - 1);
    for (const bytes of this.items) size += bytes.length - this.skip + 1;
    this.size = size;
  }

  start(sink: ByteSink): void {
    this.sink = sink;
    this.onDrain();
  }

  onDrain(): void {
    const { sink } = this;
    while (sink && this.next < this.items.length) {
      const block = this.block(BLOCK_BYTES);
      const more = sink.write(block);
      if (this.next === this.items.length) {
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

  /** The next bytes of the body, about as many as wanted, at least one item. */
  block(wanted: number): Buffer {
    const { items, skip } = this;
    const first = this.next;
    let size = first < 0 ? this.head.length : 0;
    let last = Math.max(first, 0);
    while (last < items.length && size < wanted) size += (items[last++]?.length ?? 0) - skip + 2;
    const block = Buffer.allocUnsafe(size + TAIL.length);
    let at = first < 0 ? this.head.copy(block) : 0;
    for (let index = Math.max(first, 0); index < last; index++) {
      const bytes = items[index];
      if (!bytes) break;
      if (index > 0) block[at++] = COMMA;
      block[at++] = OPEN;
      at += bytes.copy(block, at, skip);
    }
    if (last === items.length) at += TAIL.copy(block, at);
    this.next = last;
    return block.subarray(0, at);
  }
}

/** The whole list in one buffer. */
export const joinList = (body: ListBody): Buffer => body.block(Number.POSITIVE_INFINITY);
