import type { ListEncoding } from '../../codec/list-encoding.ts';
import type { BodySource } from '../../http/message.ts';

/**
 * A list as a concatenation of bytes that are there already: nothing is parsed, nothing is serialised. It is put together
 * block by block while the client reads, so that a large list never exists as a whole.
 */
export class ListBody implements BodySource {
  readonly length: number;
  readonly #encoding: ListEncoding;
  readonly #items: readonly Buffer[];
  /** The item that comes next; before the first one comes the head. */
  #at = -1;

  constructor(encoding: ListEncoding, items: readonly Buffer[]) {
    this.#encoding = encoding;
    this.#items = items;
    let length = encoding.head.length + encoding.tail.length;
    for (let index = 0; index < items.length; index++) length += this.#sizeAt(index);
    this.length = length;
  }

  get done(): boolean {
    return this.#at === this.#items.length;
  }

  /** The whole list in one buffer. Instead of reading it piece by piece. */
  join(): Buffer {
    return this.next(Buffer.allocUnsafe(this.length));
  }

  /** As many items as there is room for. One that is larger than that gets memory of its own. */
  next(scratch: Buffer): Buffer {
    const [items, encoding] = [this.#items, this.#encoding];
    const head = this.#at < 0 ? encoding.head : NOTHING;
    const first = Math.max(this.#at, 0);
    const room = scratch.length - encoding.tail.length;
    let end = head.length;
    let last = first;
    for (let size = this.#sizeAt(last); last < items.length && end + size <= room; size = this.#sizeAt(last)) {
      end += size;
      last++;
    }
    if (last === first && first < items.length) end += this.#sizeAt(last++);
    this.#at = last;
    const tail = this.done ? encoding.tail : NOTHING;
    const length = end + tail.length;
    const target = length <= scratch.length ? scratch : Buffer.allocUnsafeSlow(length);
    target.set(tail, end);
    this.#write(target, first, last, end);
    target.set(head, 0);
    return target.subarray(0, length);
  }

  /** Last to first, as the encoding wants it. */
  #write(target: Buffer, first: number, last: number, end: number): void {
    let at = end;
    for (let index = last - 1; index >= first; index--) {
      const item = this.#items[index];
      if (!item) continue;
      at -= this.#encoding.sizeOf(item, index);
      this.#encoding.write(item, index, target, at);
    }
  }

  #sizeAt(index: number): number {
    const item = this.#items[index];
    return item ? this.#encoding.sizeOf(item, index) : 0;
  }
}

const NOTHING = Buffer.alloc(0);
