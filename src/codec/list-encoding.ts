/** How a list is put together from items that are encoded already: what stands before, between and after them. */
export interface ListEncoding {
  readonly head: Buffer;
  readonly tail: Buffer;
  /** How many bytes an item takes, with what stands before it. */
  sizeOf(item: Buffer, index: number): number;
  /** Writes an item and what stands before it; gives where it ends. */
  write(item: Buffer, index: number, target: Buffer, at: number): number;
}

const COMMA = 44;
const OPEN = 123;
const TAIL = Buffer.from(']}');

/**
 * A list in JSON. Its items begin with their kind and version; as the list says both for all of them, that much of their
 * bytes is passed over.
 */
export function jsonList(apiVersion: string, itemKind: string, metadata: object): ListEncoding {
  const skip = Buffer.byteLength(`{"kind":"${itemKind}","apiVersion":"${apiVersion}",`);
  const meta = JSON.stringify(metadata);
  return {
    head: Buffer.from(`{"kind":"${itemKind}List","apiVersion":"${apiVersion}","metadata":${meta},"items":[`),
    tail: TAIL,
    sizeOf: (item, index) => item.length - skip + (index === 0 ? 1 : 2),
    write(item, index, target, start) {
      let at = start;
      if (index > 0) target[at++] = COMMA;
      target[at++] = OPEN;
      return at + item.copy(target, at, skip);
    },
  };
}
