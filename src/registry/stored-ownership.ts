import { BoundedCache, textBytes } from '../bounds/bounded-cache.ts';
import { type Ownership, propagationIn } from '../meta/dependents.ts';
import type { ObjectMeta, OwnerReference } from '../meta/object-meta.ts';
import { METADATA } from './stored-metadata.ts';

/** Undefined for most objects: they have no owners, and nobody waits for their dependents. */
export function ownershipIn(metadata: ObjectMeta): Ownership | undefined {
  const { uid = '', ownerReferences: owners = [], deletionTimestamp } = metadata;
  const isGoing = Boolean(deletionTimestamp);
  const propagation = propagationIn(metadata);
  if (owners.length === 0 && (!isGoing || propagation === 'Background')) return undefined;
  return { uid, owners, isGoing, propagation };
}

/**
 * As `ownershipIn`, of stored bytes. Only metadata is gone over, up to the record of owners of fields, which is last in it;
 * what is parsed is the owners, where there are any. After a restart every stored object is asked.
 */
export function storedOwnership(bytes: Buffer): Ownership | undefined {
  const fields = new MetadataFields(bytes);
  while (fields.next()) {
    const wanted = fields.wanted;
    if (wanted === 'ownerReferences' || wanted === 'deletionTimestamp') return readOwnership(bytes);
    if (wanted === 'managedFields') return undefined;
  }
  return undefined;
}

function readOwnership(bytes: Buffer): Ownership | undefined {
  const fields = new MetadataFields(bytes);
  const metadata: Record<string, unknown> = {};
  while (fields.next() && fields.wanted !== 'managedFields') {
    if (!fields.wanted) continue;
    const json = bytes.toString('utf8', fields.start, fields.end);
    metadata[fields.wanted] = fields.wanted === 'ownerReferences' ? ownersIn(json) : JSON.parse(json);
  }
  return ownershipIn({ creationTimestamp: null, ...metadata });
}

/** Many objects have the same owner, and hold it once. */
const known = new BoundedCache<string, readonly OwnerReference[]>({
  name: 'owners',
  capacity: 4 << 20,
  // What is in it takes more than its text, each a little.
  sizeOf: (json) => 4 * textBytes(json),
});

function ownersIn(json: string): readonly OwnerReference[] {
  const held = known.get(json);
  if (held) return held;
  const owners: readonly OwnerReference[] = JSON.parse(json);
  known.set(json, owners);
  return owners;
}

/** The uid in stored bytes; '' when there is none. */
export function storedUid(bytes: Buffer): string {
  const fields = new MetadataFields(bytes);
  while (fields.next()) {
    // Quotes around it, and nothing in it that JSON would write otherwise.
    if (fields.wanted === 'uid') return bytes.toString('latin1', fields.start + 1, fields.end - 1);
  }
  return '';
}

const [QUOTE, COMMA, BACKSLASH] = [34, 44, 92];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

const WANTED = ['uid', 'deletionTimestamp', 'ownerReferences', 'finalizers', 'managedFields'] as const;
type Wanted = (typeof WANTED)[number];

/** Each of them has a first letter and a length in common with no other field of metadata. */
const signature = (letter: number, length: number): number => letter * 256 + length;
const BY_SIGNATURE: ReadonlyMap<number, Wanted> = new Map(
  WANTED.map((name) => [signature(name.charCodeAt(0), name.length), name]),
);

/** The fields in the metadata of a stored object, one after the other. Positions are those in its bytes. */
class MetadataFields {
  /** Which field it is, if it is one of those that are wanted. */
  wanted: Wanted | undefined;
  /** Where its value is. */
  start = 0;
  end: number;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    const at = bytes.indexOf(METADATA, 0, 'latin1');
    this.end = at < 0 ? bytes.length : at + METADATA.length;
  }

  /** False when there are no more. */
  next(): boolean {
    const bytes = this.#bytes;
    const at = bytes[this.end] === COMMA ? this.end + 1 : this.end;
    if (bytes[at] !== QUOTE) return false;
    const nameEnd = stringEnd(bytes, at) - 1;
    this.wanted = BY_SIGNATURE.get(signature(bytes[at + 1] ?? 0, nameEnd - at - 1));
    this.start = nameEnd + 2;
    this.end = valueEnd(bytes, this.start);
    return true;
  }
}

/** The position after a string that begins here. */
function stringEnd(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

/** The position after a value that begins here. */
function valueEnd(bytes: Buffer, start: number): number {
  let depth = 0;
  let at = start;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte === QUOTE) at = stringEnd(bytes, at);
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      depth++;
      at++;
    } else if (depth === 0 && (byte === COMMA || byte === CLOSE_OBJECT)) return at;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      depth--;
      at++;
    } else at++;
    if (depth === 0 && (byte === QUOTE || byte === CLOSE_OBJECT || byte === CLOSE_LIST)) return at;
  }
  return at;
}
