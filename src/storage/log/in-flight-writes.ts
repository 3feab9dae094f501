import { PassingMap } from '../../runtime/passing-map.ts';
import type { Version } from './version.ts';

/** The writes of this process to one key that have not been answered yet. */
interface KeyInFlight {
  writes: number;
  /** What was delivered for the key meanwhile, from whatever writer. */
  readonly delivered: Version[];
  readonly settled: Promise<void>;
  readonly settle: () => void;
}

/** Writes on their way, by key. */
export class InFlightWrites {
  readonly #byKey = new PassingMap<string, KeyInFlight>();

  /** Resolves, never rejects, when no write to the key is on its way any more; undefined when none is. */
  settled(key: string): Promise<void> | undefined {
    return this.#byKey.get(key)?.settled;
  }

  begin(key: string): void {
    const inFlight = this.#byKey.get(key) ?? newInFlight();
    inFlight.writes++;
    this.#byKey.set(key, inFlight);
  }

  note(version: Version): void {
    this.#byKey.get(version.key)?.delivered.push(version);
  }

  /** A version that was delivered while a write to its key was on its way; compaction cannot have taken it. */
  delivered(key: string, revision: number): Version | undefined {
    return this.#byKey.get(key)?.delivered.findLast((version) => version.revision === revision);
  }

  end(key: string): void {
    const inFlight = this.#byKey.get(key);
    if (inFlight === undefined || --inFlight.writes > 0) return;
    this.#byKey.delete(key);
    inFlight.settle();
  }
}

function newInFlight(): KeyInFlight {
  let settle = (): void => undefined;
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { writes: 0, delivered: [], settled, settle };
}
