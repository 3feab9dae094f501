import { BoundedCache, textBytes } from '../../bounds/bounded-cache.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Fetched } from './backend-client.ts';
import type { RemoteVersion } from './remote-version.ts';

/** What was made of an answer. */
export interface Answer<T> {
  readonly value: T;
  /** How many bytes it holds, roughly. */
  readonly bytes: number;
}

export interface LastAnswersOptions<T> {
  /** Of the cache. */
  readonly name: string;
  /** In bytes, of all answers together. */
  readonly capacity: number;
  readonly runtime: Runtime;
  /** Remote versions with the same key are asked once. */
  keyOf(remote: RemoteVersion): string;
  /** Rejects when there is no answer in time; `etag` is that of the answer that is known. */
  ask(remote: RemoteVersion, etag: string): Promise<Fetched>;
  /** Throws when an answer is of no use. */
  read(fetched: Fetched, remote: RemoteVersion): Answer<T>;
  onError(remote: RemoteVersion, error: unknown): void;
}

/** What is known of one backend. */
interface Standing {
  /** Under way. */
  asking: Promise<void> | undefined;
  /** On the monotonic clock; undefined: it has to be asked. */
  askedAt: number | undefined;
  /** Whether a question has been answered, or not in time, since it can be asked. */
  hasEnded: boolean;
  /** Whether the last question was answered. */
  isCurrent: boolean;
}

export interface Known<T> {
  /** The last good answer; undefined: there was none. */
  readonly value: T | undefined;
  /** False: the other server has not answered since. */
  readonly isCurrent: boolean;
}

interface Kept<T> extends Answer<T> {
  readonly etag: string;
}

/** How long an answer is taken to be what the other server would answer now. */
const REFRESH_MS = 30_000;
const KEEP_IDLE_MS = 3_600_000;
const NOT_MODIFIED = 304;

/**
 * What each of the servers behind remote versions answered last to one question. They are asked when somebody wants to
 * know, side by side, each with a time limit of its own. Nobody waits for one of which something is known already, nor for
 * one that has failed: it is asked again beside.
 */
export class LastAnswers<T> {
  readonly #options: LastAnswersOptions<T>;
  readonly #kept: BoundedCache<string, Kept<T>>;
  readonly #standings = new Map<string, Standing>();
  #revision = 0;

  constructor(options: LastAnswersOptions<T>) {
    this.#options = options;
    this.#kept = new BoundedCache({
      name: options.name,
      capacity: options.capacity,
      keepIdleMs: KEEP_IDLE_MS,
      sizeOf: (key, { bytes }) => textBytes(key) + bytes,
    });
  }

  /** Grows when another answer is known, or one is no longer current. */
  get revision(): number {
    return this.#revision;
  }

  of(remote: RemoteVersion): Known<T> {
    const key = this.#options.keyOf(remote);
    const kept = this.#kept.get(key);
    const isCurrent = kept !== undefined && remote.isAvailable && this.#standings.get(key)?.isCurrent === true;
    return { value: kept?.value, isCurrent };
  }

  /**
   * Has those asked that should be, of all that there are. Settles when those have answered, or failed to, of which
   * nothing was known; undefined when there is nothing to wait for.
   */
  refresh(remotes: Iterable<RemoteVersion>): Promise<unknown> | undefined {
    const waiting: Promise<void>[] = [];
    const present = new Set<string>();
    for (const remote of remotes) {
      const key = this.#options.keyOf(remote);
      if (present.has(key) && !remote.isAvailable) continue;
      present.add(key);
      const asking = this.#refresh(key, remote);
      if (asking) waiting.push(asking);
    }
    for (const key of this.#standings.keys()) if (!present.has(key)) this.#forget(key);
    return waiting.length > 0 ? Promise.all(waiting) : undefined;
  }

  /** The same for one of them. */
  refreshOne(remote: RemoteVersion): Promise<void> | undefined {
    return this.#refresh(this.#options.keyOf(remote), remote);
  }

  #forget(key: string): void {
    this.#standings.delete(key);
    this.#kept.delete(key);
    this.#revision++;
  }

  #refresh(key: string, remote: RemoteVersion): Promise<void> | undefined {
    const standing = this.#standings.get(key) ?? newStanding();
    this.#standings.set(key, standing);
    if (!remote.isAvailable) {
      // It is asked at once when it comes back.
      standing.askedAt = undefined;
      standing.hasEnded = false;
      return undefined;
    }
    const now = this.#options.runtime.monotonic();
    const isDue = standing.askedAt === undefined || now - standing.askedAt >= REFRESH_MS;
    if (isDue && !standing.asking) {
      standing.askedAt = now;
      standing.asking = this.#ask(key, remote, standing).finally(() => {
        standing.asking = undefined;
        standing.hasEnded = true;
      });
    }
    return standing.hasEnded || this.#kept.get(key) ? undefined : standing.asking;
  }

  async #ask(key: string, remote: RemoteVersion, standing: Standing): Promise<void> {
    const before = this.#kept.get(key);
    const wasCurrent = standing.isCurrent;
    try {
      const fetched = await this.#options.ask(remote, before?.etag ?? '');
      const isSame = before !== undefined && fetched.status === NOT_MODIFIED;
      if (!isSame) {
        this.#kept.set(key, { ...this.#options.read(fetched, remote), etag: fetched.etag });
        this.#revision++;
      }
      standing.isCurrent = true;
    } catch (error) {
      standing.isCurrent = false;
      this.#options.onError(remote, error);
    }
    if (standing.isCurrent !== wasCurrent) this.#revision++;
  }
}

const newStanding = (): Standing => ({ asking: undefined, askedAt: undefined, hasEnded: false, isCurrent: false });
