import {
  type Archive,
  type Backend,
  type CutOff,
  type Deliver,
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
import { Unsealable } from './provider.ts';
import { isInTheClear, markOf, openText, type SealRules, sealText } from './sealed-text.ts';

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

  constructor(facets: unknown, value: Stampable) {
    this.facets = facets;
    this.value = value;
  }
}

/**
 * A store whose medium holds some objects sealed. It is the same to whoever uses it: objects are sealed on their way to the
 * medium, whichever that is, and opened on their way back. One that cannot be opened is told of as unreadable.
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

  constructor(backend: Backend, rulesOf: RulesOf, meter: TransformationMeter = uncounted) {
    this.#backend = backend;
    this.#rulesOf = rulesOf;
    this.#meter = meter;
    const { isShared, format, archive } = backend;
    if (isShared !== undefined) this.isShared = isShared;
    if (format) this.format = format;
    if (archive) this.archive = { read: (revision, key) => this.#read(archive, revision, key) };
    if (backend.room) this.room = () => backend.room?.() ?? { total: 0, used: 0, problem: undefined };
  }

  get problem(): string | undefined {
    return this.#backend.problem;
  }

  open(load: Load, deliver: Deliver, replace: Replace, cutOff?: CutOff): Promise<Opening> {
    const open = (versions: readonly StoredVersion[]): StoredVersion[] => versions.map((one) => this.#opened(one));
    return this.#backend.open(
      (versions) => load(open(versions)),
      (versions, revision) => deliver(open(versions), revision),
      (state, revision) => replace(open(state), revision),
      cutOff,
    );
  }

  commit(write: Write): Promise<Outcome> {
    const rules = this.#rulesOf(write.key);
    if (!rules) return this.#backend.commit(write);
    const value = this.#meter('to_storage', rules.writer.mark, () => sealText(write.value, write.key, rules));
    return this.#backend.commit({ ...write, value, facets: new SealedFacets(write.facets, write.value) });
  }

  isOutdated(key: string): boolean {
    return (this.#marks.get(key) ?? '') !== (this.#rulesOf(key)?.writer.mark ?? '');
  }

  current(): Promise<number> {
    return this.#backend.current();
  }

  compact(through: number): Promise<void> {
    return this.#backend.compact(through);
  }

  close(): Promise<void> {
    return this.#backend.close();
  }

  #opened(stored: StoredVersion): StoredVersion {
    const rules = this.#rulesOf(stored.key);
    if (!rules) return isInTheClear(stored.bytes) ? stored : unreadable(stored, 'the configuration does not name it');
    this.#note(stored, rules);
    const { facets } = stored;
    if (facets instanceof SealedFacets) {
      return replaced(stored, stamp(facets.value, stored.revision, inSlabs), facets.facets);
    }
    if (isInTheClear(stored.bytes) && rules.readers.some(({ mark }) => mark === '')) return stored;
    try {
      return replaced(stored, this.#unseal(stored.bytes, stored.key, rules, inSlabs), facets);
    } catch (error) {
      if (!(error instanceof Unsealable)) throw error;
      return unreadable(stored, error.message);
    }
  }

  #note({ key, bytes, deleted }: StoredVersion, rules: SealRules): void {
    const mark = deleted ? '' : markOf(bytes, rules);
    if (mark === '') this.#marks.delete(key);
    else this.#marks.set(key, mark);
  }

  #unseal(stored: Buffer, key: string, rules: SealRules, room?: (length: number) => Buffer): Buffer {
    return this.#meter('from_storage', markOf(stored, rules), () => openText(stored, key, rules, room));
  }

  #read(archive: Archive, revision: number, key: string): Buffer | undefined {
    const stored = archive.read(revision, key);
    const rules = stored && this.#rulesOf(key);
    if (!stored || !rules) return stored;
    try {
      return this.#unseal(stored, key, rules);
    } catch (cause) {
      if (!(cause instanceof Unsealable)) throw cause;
      throw new StorageUnavailable(`${key} at revision ${revision} cannot be decrypted: ${cause.message}`, { cause });
    }
  }
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
