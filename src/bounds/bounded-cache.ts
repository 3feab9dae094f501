import { AGE_EVERY_MS, type Cache, registerCache } from './caches.ts';

export interface BoundedCacheOptions<Key, Value> {
  /** Under which its size is shown. */
  readonly name: string;
  /** In bytes, of all entries together. */
  readonly capacity: number;
  /** How many bytes a key and a value hold, roughly; asked once, when the entry is set. */
  sizeOf(key: Key, value: Value): number;
  /** For how long an entry stays at least that is not used, while there is room; half a minute unless given. */
  readonly keepIdleMs?: number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly size: number;
}

/** What an entry takes beside its key and value. */
const ENTRY_BYTES = 96;
/** The part of the capacity that one entry may have: a large one must not push out all others. */
const LARGEST_PART = 8;

/** The bytes of a text in memory, at most. */
export const textBytes = (text: string): number => 2 * text.length;

const VALUE_BYTES = 32;

/** The bytes of a plain value with all that is in it, roughly. For small values: it looks at every part. */
export function valueBytes(value: unknown): number {
  if (typeof value === 'string') return VALUE_BYTES + textBytes(value);
  if (typeof value !== 'object' || value === null) return VALUE_BYTES;
  const parts = value instanceof Map ? [...value] : Object.entries(value);
  return parts.reduce((sum, [key, part]) => sum + valueBytes(key) + valueBytes(part), VALUE_BYTES);
}

/**
 * A cache bounded by bytes. It has two generations: whatever is set or used goes to the young one; when that holds half of
 * the capacity, it becomes the old one, and what was in the old one until then is gone.
 */
export class BoundedCache<Key, Value> implements Cache {
  readonly name: string;
  readonly capacity: number;
  readonly #sizeOf: (key: Key, value: Value) => number;
  /** Of so many calls of `age` one counts. */
  readonly #ages: number;
  #aged = 0;
  #young = new Map<Key, Entry<Value>>();
  #old = new Map<Key, Entry<Value>>();
  #youngBytes = 0;
  #oldBytes = 0;

  constructor({ name, capacity, sizeOf, keepIdleMs = AGE_EVERY_MS }: BoundedCacheOptions<Key, Value>) {
    this.name = name;
    this.#ages = Math.max(1, Math.ceil(keepIdleMs / AGE_EVERY_MS));
    this.capacity = capacity;
    this.#sizeOf = sizeOf;
    registerCache(this);
  }

  get bytes(): number {
    return this.#youngBytes + this.#oldBytes;
  }

  get entries(): number {
    return this.#young.size + this.#old.size;
  }

  get(key: Key): Value | undefined {
    const young = this.#young.get(key);
    if (young) return young.value;
    const old = this.#old.get(key);
    if (!old) return undefined;
    this.#old.delete(key);
    this.#oldBytes -= old.size;
    this.#add(key, old);
    return old.value;
  }

  /** An entry that is too large for the cache is not kept, and what was there under its key is gone too. */
  set(key: Key, value: Value): void {
    this.delete(key);
    const size = ENTRY_BYTES + this.#sizeOf(key, value);
    if (size <= this.capacity / LARGEST_PART) this.#add(key, { value, size });
  }

  delete(key: Key): void {
    const young = this.#young.get(key);
    if (young && this.#young.delete(key)) this.#youngBytes -= young.size;
    const old = this.#old.get(key);
    if (old && this.#old.delete(key)) this.#oldBytes -= old.size;
  }

  age(): void {
    this.#aged = (this.#aged + 1) % this.#ages;
    if (this.#aged === 0) this.#rotate();
  }

  clear(): void {
    this.#rotate();
    this.#rotate();
  }

  #rotate(): void {
    if (this.entries === 0) return;
    this.#old = this.#young;
    this.#oldBytes = this.#youngBytes;
    this.#young = new Map();
    this.#youngBytes = 0;
  }

  #add(key: Key, entry: Entry<Value>): void {
    if (this.#youngBytes + entry.size > this.capacity / 2) this.#rotate();
    this.#young.set(key, entry);
    this.#youngBytes += entry.size;
  }
}
