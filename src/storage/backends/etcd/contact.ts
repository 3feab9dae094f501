import type { Runtime, Timer } from '../../../runtime/runtime.ts';
import type { CutOff } from '../../backend.ts';
import type { StorageFull } from './cluster.ts';
import type { Standing } from './standing.ts';

/** How often a server that is told nothing asks whether there is nothing to tell, and how often while it gets no answer. */
const HEARTBEAT_MS = 10_000;
const TROUBLED_MS = 2_000;
/** After so long without an answer, those who wait for changes are better off with another server. */
const CUT_OFF_MS = 15_000;

/**
 * Keeps in touch with etcd while nobody asks for anything: brings the log's revision near etcd's while only others write,
 * so that resuming from it stays possible, and finds out that etcd is out of reach, or full, and when it no longer is.
 */
export class Contact {
  readonly #runtime: Runtime;
  readonly #standing: Standing;
  readonly #onError: (error: unknown) => void;
  #cutOff: CutOff = () => undefined;
  #answeredAt: number;
  #timer: Timer | undefined;
  #full: StorageFull | undefined;
  /** The last question was not answered, which has been reported. */
  #isTroubled = false;
  #ended = false;

  constructor(runtime: Runtime, standing: Standing, onError: (error: unknown) => void) {
    this.#runtime = runtime;
    this.#standing = standing;
    this.#onError = onError;
    this.#answeredAt = runtime.monotonic();
  }

  /** Why etcd takes no writes, as far as is known. */
  get problem(): string | undefined {
    return this.#full?.message;
  }

  begin(cutOff: CutOff): void {
    this.#cutOff = cutOff;
    this.#answeredAt = this.#runtime.monotonic();
    this.#schedule(HEARTBEAT_MS);
  }

  /** A write was refused; from now on it is tried whether they are taken again. */
  noteFull(full: StorageFull): void {
    if (this.#full !== undefined) return;
    this.#full = full;
    this.#onError(full);
    this.#schedule(TROUBLED_MS);
  }

  end(): void {
    this.#ended = true;
    this.#timer?.cancel();
  }

  #schedule(milliseconds: number): void {
    this.#timer?.cancel();
    if (this.#ended) return;
    this.#timer = this.#runtime.after(milliseconds, () => {
      void this.#ask().then((isWell) => this.#schedule(isWell ? HEARTBEAT_MS : TROUBLED_MS));
    });
  }

  async #ask(): Promise<boolean> {
    try {
      await this.#standing.current();
      this.#answeredAt = this.#runtime.monotonic();
      if (this.#full !== undefined) await this.#standing.mark();
      this.#full = undefined;
      this.#isTroubled = false;
      return true;
    } catch (error) {
      if (!this.#isTroubled) this.#onError(error);
      this.#isTroubled = true;
      if (this.#runtime.monotonic() - this.#answeredAt >= CUT_OFF_MS) this.#cutOff();
      return false;
    }
  }
}
