import { ApiError } from '../api/errors.ts';
import { type Deadline, within } from '../runtime/deadline.ts';
import type { VersionLog } from '../storage/log/version-log.ts';

/**
 * What a change is decided by where other servers write to the same store: what this server knows, which may be a moment
 * old. To ask the store first would make every change wait for it twice. It need not be asked where the change is made: the
 * store compares the object, and whatever was decided by another one is decided anew. What never reaches the store does not
 * have that: a refusal, or a change of nothing. So the store is asked before one of these is told.
 *
 * Example: server B has not heard yet that a client put back a label through server A. The same client's patch through B,
 * which takes the label away, would seem to B to change nothing.
 */
export class Premise {
  readonly #log: VersionLog;
  readonly #deadline: Deadline | undefined;
  #isConfirmed = false;

  constructor(log: VersionLog, deadline: Deadline | undefined) {
    this.#log = log;
    this.#deadline = deadline;
  }

  /** Whether the outcome may be told: everything was known that anyone was acknowledged before, or the store has the say. */
  get isConfirmed(): boolean {
    return this.#isConfirmed;
  }

  /** Asks the store, and waits until this server knows all that it has. */
  async confirm(): Promise<void> {
    if (this.#isConfirmed) return;
    await within(this.#deadline, this.#log.caughtUp());
    this.#isConfirmed = true;
  }

  /** The change is handed to the store: its answer counts, whatever it is. After a conflict the log has what was in the way. */
  leaveToStore(): void {
    this.#isConfirmed = true;
  }
}

/**
 * Decides by what is known, and once more, by what is current, where that might come to something else. `holds`: whether an
 * outcome that changed nothing is still what it would be. What fails, as when a webhook does not answer, is not tried again.
 */
export async function decide<T>(
  log: VersionLog,
  deadline: Deadline | undefined,
  work: (premise: Premise) => Promise<T>,
  holds: (outcome: T) => boolean,
): Promise<T> {
  const premise = new Premise(log, deadline);
  const known = log.revision;
  const deciding = work(premise);
  const failed = await deciding.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  if (premise.isConfirmed || (failed && !isRefusal(failed.error))) return deciding;
  await premise.confirm();
  const stands = log.revision === known || (!failed && holds(await deciding));
  return stands ? deciding : work(premise);
}

/** Whether it says something about the request, and not about the server. A disruption budget refuses with 429. */
const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.code < 500;
