import { type Cache, registerCache } from '../../bounds/caches.ts';
import { ownText } from '../../bounds/own-memory.ts';
import type { CommitObserver, Write } from '../../registry/write.ts';
import { packUuid, UUID_BYTES, unpackUuid } from './packed-uuid.ts';

/** Who made a version, and by which request. */
export interface Attribution extends Origin {
  /** '' where the write was made for no request. */
  readonly auditId: string;
}

/** What many writes have in common. */
export interface Origin {
  readonly user: string;
  /** '' where the write was made for no request. */
  readonly verb: string;
  readonly subresource: string;
  /** '' for a deletion, which owns nothing. */
  readonly fieldManager: string;
  readonly applied: boolean;
}

export interface AttributionsOptions {
  /** The oldest revision that can be read: what is known of older ones is of no use. */
  oldest(): number;
  /** In bytes; 4 MiB unless given. */
  readonly capacity?: number;
}

const CAPACITY = 4 << 20;

/**
 * Remembers of every version that this server has stored who made it, for as long as the version can be read, or until the
 * room is used up: then the oldest go first. Nothing of it is stored, and other servers remember their own.
 */
export class Attributions implements CommitObserver, Cache {
  readonly name = 'attributions';
  readonly #oldest: () => number;
  readonly #capacity: number;
  #full: Block[] = [];
  #fullBytes = 0;
  #current: Block | undefined;

  constructor({ oldest, capacity = CAPACITY }: AttributionsOptions) {
    this.#oldest = oldest;
    this.#capacity = capacity;
    registerCache(this);
  }

  get bytes(): number {
    return this.#fullBytes + (this.#current?.bytes ?? 0);
  }

  get entries(): number {
    return this.#full.reduce((sum, { count }) => sum + count, this.#current?.count ?? 0);
  }

  committed(revision: number, write: Write): void {
    this.#current ??= new Block();
    this.#current.add(revision, write);
    if (this.#current.isFull) this.#begin(this.#current);
  }

  of(revision: number): Attribution | undefined {
    const current = this.#current?.find(revision);
    if (current) return current;
    for (let at = this.#full.length - 1; at >= 0; at--) {
      const found = this.#full[at]?.find(revision);
      if (found) return found;
    }
    return undefined;
  }

  age(): void {
    const oldest = this.#oldest();
    this.#drop(this.#full.filter((block) => block.last >= oldest));
    if (this.#current && this.#current.last < oldest) this.#current = undefined;
  }

  #begin(full: Block): void {
    this.#current = undefined;
    this.#fullBytes += full.bytes;
    this.#full.push(full);
    let surplus = this.#fullBytes + BLOCK_BYTES - this.#capacity;
    let first = 0;
    for (; surplus > 0 && first < this.#full.length; first++) surplus -= this.#full[first]?.bytes ?? 0;
    if (first > 0) this.#drop(this.#full.slice(first));
  }

  #drop(left: Block[]): void {
    this.#full = left;
    this.#fullBytes = left.reduce((sum, { bytes }) => sum + bytes, 0);
  }
}

/** So many writes are kept together with the origins that they share. */
const BLOCK_WRITES = 1024;
const BLOCK_BYTES = BLOCK_WRITES * (8 + 2 + UUID_BYTES);
/** Origins and ids with longer texts than this end a block early. */
const MOST_TEXT = 64 * 1024;
const ORIGIN_BYTES = 160;
const FIRST_ORIGINS = 8;

class Block {
  readonly #revisions = new Float64Array(BLOCK_WRITES);
  readonly #origins = new Uint16Array(BLOCK_WRITES);
  readonly #ids = new Uint8Array(BLOCK_WRITES * UUID_BYTES);
  /** Ids that clients chose. */
  readonly #otherIds = new Map<number, string>();
  readonly #known: Origin[] = [];
  readonly #places = new Map<string, number>();
  #textBytes = 0;
  count = 0;
  /** Writes are told of nearly in order. */
  first = Number.POSITIVE_INFINITY;
  last = 0;

  get bytes(): number {
    return BLOCK_BYTES + this.#textBytes;
  }

  get isFull(): boolean {
    return this.count === BLOCK_WRITES || this.#textBytes > MOST_TEXT;
  }

  add(revision: number, write: Write): void {
    const at = this.count++;
    this.#revisions[at] = revision;
    this.#origins[at] = this.#originOf(write);
    this.#noteId(at, write.options.auditId ?? '');
    if (revision > this.last) this.last = revision;
    if (revision < this.first) this.first = revision;
  }

  find(revision: number): Attribution | undefined {
    if (revision < this.first || revision > this.last) return undefined;
    const at = this.#revisions.indexOf(revision);
    const origin = at < 0 || at >= this.count ? undefined : this.#known[this.#origins[at] ?? 0];
    return origin && { ...origin, auditId: this.#otherIds.get(at) ?? unpackUuid(this.#ids, at * UUID_BYTES) };
  }

  #noteId(at: number, id: string): void {
    if (id === '' || packUuid(id, this.#ids, at * UUID_BYTES)) return;
    this.#otherIds.set(at, ownText(id));
    this.#textBytes += ORIGIN_BYTES + id.length;
  }

  /** A block has few origins, as a rule: going over the first of them is quicker than making a key. */
  #originOf({ options: { user, verb = '', fieldManager = '', apply }, ref: { subresource } }: Write): number {
    const { name } = user;
    const applied = apply !== undefined;
    for (let at = 0; at < this.#known.length && at < FIRST_ORIGINS; at++) {
      const known = this.#known[at];
      const isSameRequest = known?.verb === verb && known.subresource === subresource && known.applied === applied;
      if (isSameRequest && known.user === name && known.fieldManager === fieldManager) return at;
    }
    const key = `${name}\n${verb}\n${subresource}\n${fieldManager}\n${applied}`;
    return this.#places.get(key) ?? this.#learn(key, name, verb, subresource, fieldManager, applied);
  }

  #learn(key: string, ...[user, verb, subresource, fieldManager, applied]: OriginValues): number {
    const own = [user, verb, subresource, fieldManager].map(ownText);
    const [ownUser = '', ownVerb = '', ownSubresource = '', ownManager = ''] = own;
    const origin = { user: ownUser, verb: ownVerb, subresource: ownSubresource, fieldManager: ownManager, applied };
    const place = this.#known.push(origin) - 1;
    this.#places.set(ownText(key), place);
    this.#textBytes += ORIGIN_BYTES + 4 * key.length;
    return place;
  }
}

type OriginValues = [user: string, verb: string, subresource: string, fieldManager: string, applied: boolean];
