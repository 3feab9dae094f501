import { BoundedCache, textBytes } from '../bounds/bounded-cache.ts';
import { type Propagation, propagationIn } from '../meta/dependents.ts';
import type { ObjectMeta, OwnerReference } from '../meta/object-meta.ts';

/** What the garbage collector needs of an object. */
export interface Ownership {
  readonly uid: string;
  readonly owners: readonly OwnerReference[];
  readonly isGoing: boolean;
  /** What its finalizers say of its dependents. */
  readonly propagation: Propagation;
}

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
  const found: [Wanted, number, number][] = [];
  let concerns = false;
  while (fields.next()) {
    const wanted = wantedField(bytes, fields.nameStart, fields.nameEnd);
    if (wanted === 'managedFields') break;
    if (!wanted) continue;
    found.push([wanted, fields.start, fields.end]);
    concerns ||= wanted === 'ownerReferences' || wanted === 'deletionTimestamp';
  }
  if (!concerns) return undefined;
  const read = found.map(([name, start, end]) => {
    const json = bytes.toString('utf8', start, end);
    return [name, name === 'ownerReferences' ? ownersIn(json) : JSON.parse(json)];
  });
  return ownershipIn({ creationTimestamp: null, ...Object.fromEntries(read) });
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
    if (wantedField(bytes, fields.nameStart, fields.nameEnd) !== 'uid') continue;
    // Quotes around it, and nothing in it that JSON would write otherwise.
    return bytes.toString('latin1', fields.start + 1, fields.end - 1);
  }
  return '';
}

type Wanted = 'uid' | 'deletionTimestamp' | 'ownerReferences' | 'finalizers';

const [QUOTE, COMMA, BACKSLASH] = [34, 44, 92];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];
const METADATA = '"metadata":{';

/** Fields of metadata that have a letter and a length in common with none of the others. */
const WANTED: Readonly<Record<string, Wanted | 'managedFields'>> = {
  u3: 'uid',
  d17: 'deletionTimestamp',
  o15: 'ownerReferences',
  f10: 'finalizers',
  m13: 'managedFields',
};
const FIRST_LETTERS: ReadonlySet<number> = new Set(Object.keys(WANTED).map((key) => key.charCodeAt(0)));

function wantedField(bytes: Buffer, start: number, end: number): Wanted | 'managedFields' | undefined {
  const letter = bytes[start] ?? 0;
  return FIRST_LETTERS.has(letter) ? WANTED[`${String.fromCharCode(letter)}${end - start}`] : undefined;
}

/** The fields in the metadata of a stored object, one after the other. Positions are those in its bytes. */
class MetadataFields {
  nameStart = 0;
  nameEnd = 0;
  /** Of the value. */
  start = 0;
  end: number;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    // What is before it, kind and apiVersion, cannot look like it.
    const at = bytes.indexOf(METADATA, 0, 'latin1');
    this.end = at < 0 ? bytes.length : at + METADATA.length;
  }

  /** False when there are no more. */
  next(): boolean {
    const bytes = this.#bytes;
    const at = bytes[this.end] === COMMA ? this.end + 1 : this.end;
    if (bytes[at] !== QUOTE) return false;
    this.nameStart = at + 1;
    this.nameEnd = stringEnd(bytes, at) - 1;
    this.start = this.nameEnd + 2;
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
