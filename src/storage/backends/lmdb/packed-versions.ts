import type { StoredVersion } from '../../backend.ts';
import type { Slabs } from '../../slabs.ts';
import type { Look } from './look.ts';
import { type Keep, NO_BYTES, type RecordHead } from './record.ts';

/** Versions in a few blocks of memory, which one thread can hand to another without a copy. */
export interface PackedVersions {
  /**
   * Of each version: revision, time, whether it is a deletion, length of its key, its block, where it begins, its length.
   * What was left in the store has no block; where it would begin is what was found in it.
   */
  readonly rows: Float64Array<ArrayBuffer>;
  /** All keys, one after the other. */
  readonly keys: Uint8Array<ArrayBuffer>;
  /** Shared with whoever they are handed to. */
  readonly blocks: readonly ArrayBufferLike[];
}

const COLUMNS = 7;
const NO_BLOCK = -1;

/** Packs records, which are lent. The bytes are kept in memory that others have no part in. */
export class Packer {
  readonly #rows: Float64Array<ArrayBuffer>;
  readonly #bytesTo: { readonly keep: Keep } | { readonly look: Look };
  readonly #blocks = new Map<ArrayBufferLike, number>();
  #keys = Buffer.allocUnsafeSlow(1 << 16);
  #keyEnd = 0;
  #count = 0;
  #bytes = 0;

  /** `most`: how many versions there is room for. Their bytes are kept, or looked at and left where they are. */
  constructor(most: number, bytesTo: { readonly keep: Keep } | { readonly look: Look }) {
    this.#rows = new Float64Array(most * COLUMNS);
    this.#bytesTo = bytesTo;
  }

  get count(): number {
    return this.#count;
  }

  /** How many bytes they have together. */
  get bytes(): number {
    return this.#bytes;
  }

  add(revision: number, record: Buffer, { keyStart, keyEnd, deleted, time }: RecordHead): void {
    this.#addKey(record, keyStart, keyEnd);
    const rows = this.#rows;
    const at = this.#count * COLUMNS;
    rows[at] = revision;
    rows[at + 1] = time;
    rows[at + 2] = deleted ? 1 : 0;
    rows[at + 3] = keyEnd - keyStart;
    rows[at + 6] = record.length - keyEnd;
    this.#count++;
    if ('look' in this.#bytesTo) {
      rows[at + 4] = NO_BLOCK;
      rows[at + 5] = this.#bytesTo.look(record, keyEnd);
      return;
    }
    const bytes = this.#bytesTo.keep(record, keyEnd);
    rows[at + 4] = this.#blockOf(bytes.buffer);
    rows[at + 5] = bytes.byteOffset;
    this.#bytes += bytes.length;
  }

  /** Everything so far. The packer has done its work. */
  packed(): PackedVersions {
    const blocks = [...this.#blocks.keys()];
    const keys = new Uint8Array(this.#keys.buffer, 0, this.#keyEnd);
    return { rows: this.#rows.subarray(0, this.#count * COLUMNS), keys, blocks };
  }

  #blockOf(memory: ArrayBufferLike): number {
    const block = this.#blocks.get(memory) ?? this.#blocks.size;
    this.#blocks.set(memory, block);
    return block;
  }

  #addKey(record: Buffer, start: number, end: number): void {
    const needed = this.#keyEnd + end - start;
    if (needed > this.#keys.length) {
      const larger = Buffer.allocUnsafeSlow(needed * 2);
      this.#keys.copy(larger, 0, 0, this.#keyEnd);
      this.#keys = larger;
    }
    record.copy(this.#keys, this.#keyEnd, start, end);
    this.#keyEnd = needed;
  }
}

/** What is given away when packed versions are handed to another thread. */
export const transferOf = ({ rows, keys }: PackedVersions): ArrayBuffer[] => [rows.buffer, keys.buffer];

/** The memory of the versions becomes part of the slabs. */
export function unpack({ rows, keys, blocks }: PackedVersions, slabs: Slabs): StoredVersion[] {
  const versions: StoredVersion[] = [];
  const held = new Map<ArrayBufferLike, number>();
  const texts = Buffer.from(keys.buffer, keys.byteOffset, keys.length);
  let keyStart = 0;
  for (let at = 0; at < rows.length; at += COLUMNS) {
    const number = (column: number): number => rows[at + column] ?? 0;
    const keyEnd = keyStart + number(3);
    const [revision, time, size] = [number(0), number(1), number(6)];
    const key = texts.toString('utf8', keyStart, keyEnd);
    const deleted = number(2) === 1;
    keyStart = keyEnd;
    if (number(4) === NO_BLOCK) {
      versions.push({ revision, key, bytes: NO_BYTES, deleted, time, left: size, found: number(5) });
      continue;
    }
    const block = blocks[number(4)];
    if (block === undefined) throw new Error('a packed version has no memory');
    held.set(block, (held.get(block) ?? 0) + size);
    versions.push({ revision, key, bytes: Buffer.from(block as ArrayBuffer, number(5), size), deleted, time });
  }
  for (const [block, bytes] of held) slabs.adopt(block, bytes);
  return versions;
}
