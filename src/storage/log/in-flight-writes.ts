import { PassingMap } from '../../runtime/passing-map.ts';
import type { Version } from './version.ts';

/** The writes of this process to one key that have not been answered yet. */
interface KeyInFlight {
  writes: number;
  /** What was delivered for the key meanwhile, from whatever writer. */
  delivered: Version[];
  /** There once somebody waits for the end. */
  waited: { readonly end: Promise<void>; readonly settle: () => void } | undefined;
}

/** Holds nothing; never changed. */
const NONE: Version[] = [];

/** Writes on their way, by key. */
export class InFlightWrites {
  readonly #byKey = new PassingMap<string, KeyInFlight>();

  /** Resolves, never rejects, when no write to the key is on its way any more; undefined when none is. */
  settled(key: string): Promise<void> | undefined {
    const inFlight = this.#byKey.get(key);
    if (inFlight === undefined) return undefined;
    inFlight.waited ??= newEnd();
    return inFlight.waited.end;
  }

  begin(key: string): void {
    const inFlight = this.#byKey.get(key);
    if (inFlight === undefined) this.#byKey.set(key, { writes: 1, delivered: NONE, waited: undefined });
    else inFlight.writes++;
  }

  note(version: Version): void {
    const inFlight = this.#byKey.get(version.key);
    if (inFlight === undefined) return;
    if (inFlight.delivered === NONE) inFlight.delivered = [version];
    else inFlight.delivered.push(version);
  }

  /** A version that was delivered while a write to its key was on its way; compaction cannot have taken it. */
  delivered(key: string, revision: number): Version | undefined {
    return this.#byKey.get(key)?.delivered.findLast((version) => version.revision === revision);
  }

  end(key: string): void {
    const inFlight = this.#byKey.get(key);
    if (inFlight === undefined || --inFlight.writes > 0) return;
    this.#byKey.delete(key);
    inFlight.waited?.settle();
  }
}

function newEnd(): { readonly end: Promise<void>; readonly settle: () => void } {
  let settle = (): void => undefined;
  const end = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { end, settle };
}
