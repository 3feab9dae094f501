/**
 * The storage contract. Storage knows keys, bytes and revisions, never kinds.
 *
 * A key is `/<collection>/<rest>`: the first segment names the collection (`pods`), the rest orders its entries
 * (`<namespace>/<name>` or `<name>`). A revision is a positive integer; every successful write in the whole store gets
 * its own, larger than all before it. 0 stands for "no such key".
 */

/** What a write stores, with a gap where the revision it will get belongs: `head + revision + tail`. */
export interface Stampable {
  readonly head: string;
  readonly tail: string;
  /** Called once it has been made bytes for good. The text can go then, while the write waits for its store. */
  release?(): void;
}

/** `value + revision` as they are stored and served; `room` gives the memory for so many bytes. */
export function stamp(
  { head, tail }: Stampable,
  revision: number,
  room: (length: number) => Buffer = Buffer.allocUnsafeSlow,
): Buffer {
  // Each by itself: to put them together would copy all of it once more.
  const digits = String(revision);
  const [before, behind] = [Buffer.byteLength(head), Buffer.byteLength(tail)];
  const bytes = room(before + digits.length + behind);
  put(bytes, head, 0, before);
  put(bytes, digits, before, digits.length);
  put(bytes, tail, before + digits.length, behind);
  return bytes;
}

/** A text of as many bytes as characters has each of them in one byte, and is copied as it is. */
function put(bytes: Buffer, text: string, at: number, length: number): void {
  bytes.write(text, at, length, length === text.length ? 'latin1' : 'utf8');
}

/** One version of one key. The bytes of a deletion are the last state, stamped with the revision of the deletion. */
export interface StoredVersion {
  readonly revision: number;
  readonly key: string;
  readonly bytes: Buffer;
  readonly deleted: boolean;
  /** When it was committed, in milliseconds since the epoch; decides how long it is retained once superseded. */
  readonly time: number;
  /** What the writer extracted from the object for selectors and the like; never stored, absent after a load. */
  readonly facets?: unknown;
  /** Why nobody can say what it holds, where that is so; it has no bytes then. */
  readonly unreadable?: string;
  /** How many bytes it has, where those were left in the store: the archive has them. */
  readonly left?: number;
  /** Which of the texts that were looked for (`OpenOptions.lookFor`) they have: a bit for each. Absent: nobody looked. */
  readonly found?: number;
}

/** Something that many keys share, such as a supply that each of them takes from. */
export interface Guard {
  readonly name: string;
  /** The revision up to which the writer had seen everything when it decided. */
  readonly seen: number;
}

/** A compare-and-set on one key. */
export interface Write {
  readonly key: string;
  /** The revision the key must have now; 0: it must not exist. */
  readonly expected: number;
  readonly value: Stampable;
  /** Removes the key; `value` is then the last state that watchers are told. */
  readonly delete?: boolean;
  /** Handed on untouched to `StoredVersion.facets`. */
  readonly facets?: unknown;
  /** The write is outrun when another with a guard of the same name came after what was seen. Only shared stores look. */
  readonly guard?: Guard | undefined;
  /** Who writes. Where writes have to wait, those of different callers take turns. */
  readonly caller?: string;
  /** Made by a control loop: where writes have to wait, others come first. */
  readonly background?: boolean;
}

/**
 * Either the revision the write got, or (`conflict`) the revision the key really has, 0 when it does not exist. Where
 * that is as expected, it was the guard (`outrun`).
 */
export type Outcome =
  | { readonly conflict: false; readonly revision: number }
  | { readonly conflict: true; readonly revision: number; readonly outrun?: boolean };

/** Receives what a store holds when it is opened, in revision order. */
export type Load = (versions: readonly StoredVersion[]) => void;

/**
 * Receives versions in revision order, each exactly once, several at a time where they became durable together.
 * Everything up to `revision` has then been delivered: it is that of the last version, or larger where the store also
 * counts what is not ours; `versions` may then be empty.
 */
export type Deliver = (versions: readonly StoredVersion[], revision: number) => void;

/**
 * Receives the whole state as of `revision`, in revision order, where versions before it can no longer be delivered one
 * by one: the store has given up history that this server had not seen yet. Deliveries go on after it. `difference`: what
 * makes the former state this one, from a store that knows.
 */
export type Replace = (state: readonly StoredVersion[], revision: number, difference?: StateDifference) => void;

export interface StateDifference {
  /** The versions that were not in the former state. */
  readonly put: readonly StoredVersion[];
  /** The keys that are not in this one any more. */
  readonly gone: readonly string[];
}

/**
 * Called when a shared store has not been reached for so long that what this server knows may be far behind, and again
 * for as long as that is so.
 */
export type CutOff = () => void;

/** All that was stored at an earlier moment. */
export interface FormerState {
  /** The version that every key had which existed. */
  readonly versions: readonly StoredVersion[];
  /** What one of them holds, with another revision in it; `room` gives the memory for so many bytes. */
  restamp(version: StoredVersion, revision: number, room: (length: number) => Buffer): Buffer;
  /** Called when it is the state again, before anything else is written. */
  restored?(): void;
}

/**
 * Collections whose past is kept for longer than that of others, by name: of each the revision up to which it is forgotten.
 */
export type KeptPasts = ReadonlyMap<string, number>;

/** The collection that a key belongs to: `/pods/default/a` -> `pods`. */
export const collectionOf = (key: string): string => key.slice(1, key.indexOf('/', 1));

/** What a store tells when it is opened. */
export interface Opening {
  /** Every revision up to this one is settled; the next write gets a larger one. At least 1, also in an empty store. */
  readonly revision: number;
  /** History below this revision is gone: reads as of it, and watches after it, are the oldest that are possible. */
  readonly compacted: number;
  /** As the last `compact` said; absent where stores do not keep it. */
  readonly kept?: KeptPasts;
}

export interface OpenOptions {
  /** Whether versions may be handed over without their bytes by a store that has an archive (`StoredVersion.left`). */
  readonly mayLeaveBytes?: boolean;
  /** At most thirty texts, to be looked for in bytes that are left. */
  readonly lookFor?: readonly string[];
}

/** How large a store is, and whether it may grow. */
export interface StoreRoom {
  /** Bytes that it takes of its disk. */
  readonly total: number;
  /** Bytes of these that hold something; the others are used again. */
  readonly used: number;
  /** Why it may not grow; undefined while it may. */
  readonly problem: string | undefined;
}

/** In what form a store is written that servers of several versions share. */
export interface SharedFormat {
  /** The newest that this server reads. */
  readonly newest: number;
  /** Of all servers that are there now, this is the newest that the oldest of them reads. To be told now and then. */
  agree(oldest: number): void;
}

/** The versions of a store by revision. */
export interface Archive {
  /** The bytes of a version of `key`, at once; undefined when there is none any more. Throws `StorageUnavailable`. */
  read(revision: number, key: string): Buffer | undefined;
  /** As `read`, but the bytes are good only until something else is read. Absent where that would save nothing. */
  lend?(revision: number, key: string): Buffer | undefined;
}

/**
 * A durable, shared, totally ordered log of versions. Life: `open`, then any mix of calls, then `close`.
 *
 * - `commit` resolves only when the write is durable, and after `deliver` was called with it. It rejects with
 *   `StorageUnavailable` when the write failed, and with `OutcomeUnknown`, which is one of these, when nobody can say:
 *   such a write may or may not appear later.
 * - writes to one key from one process are serialised: a write compares with every earlier one, also with those
 *   still on their way to the disk; when such an earlier one then fails, so does the later. A conflict with a write
 *   on its way is answered when that write has ended, so that whoever reads again after a conflict sees the winner.
 * - `deliver` sees every later version from any writer, never one that could still be lost.
 */
export interface Backend {
  /** Others write to the same store. */
  readonly isShared?: boolean;
  /** Absent where no other version of the server can be beside this one. */
  readonly format?: SharedFormat;
  /** Where versions can be read again one by one. Without it the log has to hold all of history in memory. */
  readonly archive?: Archive;
  /** Absent where that is not this server's business. */
  room?(): StoreRoom;
  /** Told that a version has its bytes in other memory from now on, where the store itself holds on to them. */
  moved?(revision: number, bytes: Buffer): void;
  /**
   * Yields the newest version of every live key and the whole retained tail, in revision order, in batches; then
   * returns where the log stands. From then on `deliver` is called, and `replace` by stores that others write to.
   */
  open(load: Load, deliver: Deliver, replace: Replace, cutOff?: CutOff, options?: OpenOptions): Promise<Opening>;
  /** What keeps the store from taking writes although it can be read, if anything does. */
  readonly problem?: string | undefined;
  /** Whether what a key holds would be stored in another form if it were written again. Absent: never. */
  isOutdated?(key: string): boolean;
  commit(write: Write): Promise<Outcome>;
  /** The newest revision any writer has been acknowledged; a consistent read waits until the log has it. */
  current(): Promise<number>;
  /**
   * Forgets every version that another one at or below `through` superseded, and deletions at or below it. What was
   * the state as of `through` stays, so does every later version. Of collections in `kept` only what is superseded up to
   * the revision given there is forgotten, by stores that can keep a part of what is past.
   */
  compact(through: number, kept?: KeptPasts): Promise<void>;
  /**
   * Puts a former state of this store back, all of it or nothing. What has changed since gets a new revision, so that
   * revisions only ever grow, and is handed over by `replace`; history ends there. Commits that come meanwhile wait, and
   * compare with what was put back. Absent where that cannot be done.
   */
  restore?(former: FormerState): Promise<void>;
  /** Settles or refuses what is under way, then releases everything. */
  close(): Promise<void>;
}

/** The store cannot say now whether a write is durable, or cannot be read: disk full, connection lost, closing. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
}

/**
 * A write was sent and no answer came: it may be stored, now or a little later, or never. To be told as such, neither as
 * a success nor as a failure that invites to do it again blindly.
 */
export class OutcomeUnknown extends StorageUnavailable {}

/** The store takes nothing that makes it grow: its disk is full or its quota is used up. Deletions go on. */
export class StorageFull extends Error {
  override readonly name = 'StorageFull';
}

/** The wanted past has been compacted. */
export class HistoryGone extends Error {
  override readonly name = 'HistoryGone';
  readonly wanted: number;
  /** The oldest revision that can be read; 0 where that is not known. */
  readonly compacted: number;

  constructor(wanted: number, compacted = 0) {
    super(
      `revision ${wanted} has been compacted${compacted > 0 ? `; the oldest that can be read is ${compacted}` : ''}`,
    );
    this.wanted = wanted;
    this.compacted = compacted;
  }
}

/** The data directory or database belongs to someone else or to another configuration; the message says which. */
export class StorageRefused extends Error {
  override readonly name = 'StorageRefused';
}
