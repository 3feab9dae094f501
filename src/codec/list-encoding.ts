/** How a list is put together from items that are encoded already: what stands before, between and after them. */
export interface ListEncoding {
  readonly head: Buffer;
  readonly tail: Buffer;
  /** How many bytes an item takes, with what stands before it. */
  sizeOf(item: Buffer, index: number): number;
  /**
   * Writes an item and what stands before it into the `sizeOf` bytes from `at`. What the target holds before `at` may be
   * lost: items are written last to first.
   */
  write(item: Buffer, index: number, target: Buffer, at: number): void;
}

const COMMA = 44;
const OPEN = 123;
const TAIL = Buffer.from(']}\n');

/** What lists of a kind are called, and what each item begins with that the list has for all of them. */
export interface ListName {
  readonly apiVersion: string;
  readonly kind: string;
  /** Absent: items keep their kind and version. */
  readonly itemKind?: string | undefined;
}

/** A list in JSON. Where it has the kind and version of all items, that much of their bytes is passed over. */
export function jsonList({ apiVersion, kind, itemKind }: ListName, metadata: object): ListEncoding {
  const skip = itemKind === undefined ? 1 : Buffer.byteLength(`{"kind":"${itemKind}","apiVersion":"${apiVersion}",`);
  const meta = JSON.stringify(metadata);
  return {
    head: Buffer.from(`{"kind":"${kind}","apiVersion":"${apiVersion}","metadata":${meta},"items":[`),
    tail: TAIL,
    sizeOf: (item, index) => item.length - skip + (index === 0 ? 1 : 2),
    write(item, index, target, at) {
      const open = index > 0 ? at + 1 : at;
      const start = open + 1 - skip;
      // To copy part of an item takes a view of it, which costs more than all the rest.
      if (start >= 0) target.set(item, start);
      else item.copy(target, open + 1, skip);
      target[open] = OPEN;
      if (index > 0) target[at] = COMMA;
    },
  };
}
