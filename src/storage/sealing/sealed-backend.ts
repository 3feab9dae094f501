import {
  type Archive,
  type Backend,
  type CutOff,
  type Deliver,
  type KeptPasts,
  type Load,
  type Opening,
  type Outcome,
  type Replace,
  type SharedFormat,
  type Stampable,
  StorageUnavailable,
  type StoredVersion,
  type StoreRoom,
  stamp,
  type Write,
} from '../backend.ts';
import { slabs } from '../slabs.ts';
import { InOrder } from './in-order.ts';
import { KeyUnavailable, Unsealable } from './provider.ts';
import {
  currentMark,
  isInTheClear,
  keyMark,
  openSealed,
  readSealed,
  type SealedText,
  type SealRules,
  sealText,
} from './sealed-text.ts';

/** By which rules the objects of a key are stored; undefined: as they are. May give others from time to time. */
export type RulesOf = (key: string) => SealRules | undefined;

/** Has something done with an object on its way to the medium or back, and counts it. `prefix`: the mark of its form. */
export type TransformationMeter = <T>(
  direction: 'to_storage' | 'from_storage',
  prefix: string,
  transform: () => T,
) => T;

const uncounted: TransformationMeter = (_direction, _prefix, transform) => transform();

/** What a writer leaves for when its write comes back: nothing has to be opened that was just sealed. */
class SealedFacets {
  readonly facets: unknown;
  readonly value: Stampable;
  readonly mark: string;

  constructor({ facets, value }: Pick<Write, 'facets' | 'value'>, mark: string) {
    this.facets = facets;
    this.value = value;
    this.mark = mark;
  }
}

/**
 * A store whose medium holds some objects sealed. It is the same to whoever uses it: objects are sealed on their way to the
 * medium, whichever that is, and opened on their way back. One that cannot be opened is told of as unreadable. Where its key
 * may yet be had, it is kept in mind: `openWaiting` brings it back.
 */
export class SealedBackend implements Backend {
  readonly isShared?: boolean;
  readonly format?: SharedFormat;
  readonly archive?: Archive;
  readonly room?: () => StoreRoom;
  readonly #backend: Backend;
  readonly #rulesOf: RulesOf;
  readonly #meter: TransformationMeter;
  /** By what objects are sealed that are. The marks are few, and shared. */
  readonly #marks = new Map<string, string>();
  /** Versions wait for their keys, and those after them for their turn. */
  readonly #arrivals = new InOrder();
  /** The newest version of each key that cannot be read now and may be later, as it is stored. */
  readonly #waiting = new Map<string, { readonly revision: number; readonly bytes: Buffer }>();

  constructor(backend: Backend, rulesOf: RulesOf, meter: TransformationMeter = uncounted) {
    this.#backend = backend;
    this.#rulesOf = rulesOf;
    this.#meter = meter;
    const { isShared, format, archive } = backend;
    if (isShared !== undefined) this.isShared = isShared;
    if (format) this.format = format;
    if (archive) {
      this.archive = {
        read: (revision, key) => this.#readable(archive.read(revision, key), revision, key),
        lend: (revision, key) => this.#readable((archive.lend ?? archive.read)(revision, key), revision, key),
      };
    }
    if (backend.room) this.room = () => backend.room?.() ?? { total: 0, used: 0, problem: undefined };
  }

  get problem(): string | undefined {
    return this.#backend.problem;
  }

  async open(load: Load, deliver: Deliver, replace: Replace, cutOff?: CutOff): Promise<Opening> {
    const opened = (versions: readonly StoredVersion[], hand: (versions: readonly StoredVersion[]) => void): void =>
      this.#arrivals.do(this.#keysFor(versions), () => hand(versions.map((one) => this.#opened(one))));
    const opening = await this.#backend.open(
      (versions) => opened(versions, load),
      (versions, revision) => opened(versions, (readable) => deliver(readable, revision)),
      (state, revision) => opened(state, (readable) => replace(readable, revision)),
      cutOff,
    );
    await this.#arrivals.settled;
    return opening;
  }

  async commit(write: Write): Promise<Outcome> {
    const rules = this.#rulesOf(write.key);
    const outcome = await this.#backend.commit(rules ? this.#sealedWrite(write, rules) : write);
    // What was written has to be delivered by then, also when something before it waits for its key.
    if (this.#arrivals.settled) await this.#arrivals.settled;
    return outcome;
  }

  isOutdated(key: string): boolean {
    const writer = this.#rulesOf(key)?.writer;
    return (this.#marks.get(key) ?? '') !== (writer ? currentMark(writer) : '');
  }

  current(): Promise<number> {
    return this.#backend.current();
  }

  compact(through: number, kept?: KeptPasts): Promise<void> {
    return this.#backend.compact(through, kept);
  }

  close(): Promise<void> {
    this.#waiting.clear();
    return this.#backend.close();
  }

  /**
   * Tries again to open what could not be for want of a key. What can be is written again as it is: so it comes as any change
   * does, in its order, to all who follow the store.
   */
  async openWaiting(): Promise<void> {
    for (const [key, { revision, bytes }] of [...this.#waiting]) {
      const rules = this.#rulesOf(key);
      const value = rules && (await openedValue(bytes, key, rules));
      if (value && this.#waiting.get(key)?.revision === revision) {
        await this.commit({ key, expected: revision, value, background: true });
      }
    }
  }

  /** What has to be waited for before the versions can be opened. */
  #keysFor(versions: readonly StoredVersion[]): Promise<unknown> | undefined {
    const awaited = new Set<Promise<void>>();
    for (const { key, bytes, facets } of versions) {
      const rules = facets instanceof SealedFacets ? undefined : this.#rulesOf(key);
      if (!rules?.readers.some(({ prepare }) => prepare)) continue;
      const keys = prepared(bytes, rules);
      if (keys) awaited.add(keys);
    }
    return awaited.size === 0 ? undefined : Promise.all(awaited);
  }

  #opened(stored: StoredVersion): StoredVersion {
    const { key, facets } = stored;
    this.#waiting.delete(key);
    const rules = this.#rulesOf(key);
    if (!rules) return isInTheClear(stored.bytes) ? stored : unreadable(stored, 'the configuration does not name it');
    if (facets instanceof SealedFacets) {
      this.#note(stored, facets.mark);
      return replaced(stored, stamp(facets.value, stored.revision, inSlabs), facets.facets);
    }
    try {
      const text = readSealed(stored.bytes, rules);
      this.#note(stored, text ? keyMark(text) : '');
      if (!text) return stored;
      return replaced(stored, stamp(this.#unseal(text, key), text.revision, inSlabs), facets);
    } catch (error) {
      if (!(error instanceof Unsealable)) throw error;
      if (error instanceof KeyUnavailable && !stored.deleted) this.#keepInMind(stored);
      return unreadable(stored, error.message);
    }
  }

  #keepInMind({ key, revision, bytes }: StoredVersion): void {
    this.#waiting.set(key, { revision, bytes: Buffer.from(bytes) });
  }

  #note({ key, deleted }: StoredVersion, mark: string): void {
    if (deleted || mark === '') this.#marks.delete(key);
    else this.#marks.set(key, mark);
  }

  #sealedWrite(write: Write, rules: SealRules): Write {
    const { key, value } = write;
    const { writer } = rules;
    try {
      const sealed = this.#meter('to_storage', writer.mark, () => sealText(value, key, rules));
      return { ...write, value: sealed, facets: new SealedFacets(write, currentMark(writer)) };
    } catch (cause) {
      if (!(cause instanceof Unsealable)) throw cause;
      throw new StorageUnavailable(`${key} cannot be encrypted: ${cause.message}`, { cause });
    }
  }

  #unseal(text: SealedText, key: string): Stampable {
    return this.#meter('from_storage', text.reader.mark, () => openSealed(text, key));
  }

  #readable(stored: Buffer | undefined, revision: number, key: string): Buffer | undefined {
    const rules = stored && this.#rulesOf(key);
    if (!stored || !rules) return stored;
    try {
      const text = readSealed(stored, rules);
      return text ? stamp(this.#unseal(text, key), text.revision) : stored;
    } catch (cause) {
      if (!(cause instanceof Unsealable)) throw cause;
      // The key is there when it is asked for again.
      if (cause instanceof KeyUnavailable) void prepared(Buffer.from(stored), rules);
      throw new StorageUnavailable(`${key} at revision ${revision} cannot be decrypted: ${cause.message}`, { cause });
    }
  }
}

/** Undefined where it cannot be opened yet, or never. */
async function openedValue(stored: Buffer, key: string, rules: SealRules): Promise<Stampable | undefined> {
  await prepared(stored, rules);
  try {
    const text = readSealed(stored, rules);
    return text && openSealed(text, key);
  } catch (error) {
    if (error instanceof Unsealable) return undefined;
    throw error;
  }
}

/** What to wait for before something can be opened; what is in no known form is found out when it is. */
function prepared(stored: Buffer, rules: SealRules): Promise<void> | undefined {
  let text: SealedText | undefined;
  try {
    text = readSealed(stored, rules);
  } catch (error) {
    if (!(error instanceof Unsealable)) throw error;
  }
  return text?.reader.prepare?.(text.sealed);
}

const inSlabs = (length: number): Buffer => slabs.take(length);

/** The same version with the bytes as they are served; those that are sealed are let go of. */
function replaced(stored: StoredVersion, bytes: Buffer, facets: unknown): StoredVersion {
  const { revision, key, deleted, time } = stored;
  slabs.release(stored.bytes);
  return { revision, key, bytes, deleted, time, facets };
}

const NOTHING = Buffer.alloc(0);

function unreadable(stored: StoredVersion, why: string): StoredVersion {
  const { revision, key, deleted, time } = stored;
  slabs.release(stored.bytes);
  return { revision, key, bytes: NOTHING, deleted, time, unreadable: why };
}
