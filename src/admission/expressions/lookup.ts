import { internalBecause } from '../../api/errors.ts';

/** Thrown by work that cannot wait, where something has to be found out first. */
class Pending {
  readonly found: Promise<void>;

  constructor(found: Promise<void>) {
    this.found = found;
  }
}

/** Work that begins anew more often than this would not end. */
const MOST_ATTEMPTS = 100;

/**
 * What evaluations ask for and may take a while to be found out. An expression cannot wait: it is broken off, and evaluated
 * again once the answer is known. Must be used within `untilKnown`.
 */
export class Lookup<T> {
  readonly #known = new Map<string, T>();

  get(key: string, find: () => T | Promise<T>): T {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const found = find();
    if (found instanceof Promise) throw new Pending(found.then((value) => this.#keep(key, value)));
    this.#keep(key, found);
    return found;
  }

  #keep(key: string, value: T): void {
    this.#known.set(key, value);
  }
}

/** Does the work, again from the start whenever it asked for something that was not known yet. It must bear that. */
export function untilKnown<T>(work: () => T | Promise<T>, attempts = MOST_ATTEMPTS): T | Promise<T> {
  const again = (error: unknown): T | Promise<T> => {
    if (!(error instanceof Pending)) throw error;
    if (attempts === 0) throw internalBecause(`more than ${MOST_ATTEMPTS} lookups were needed for one request`);
    return error.found.then(() => untilKnown(work, attempts - 1));
  };
  try {
    const done = work();
    return done instanceof Promise ? done.catch(again) : done;
  } catch (error) {
    return again(error);
  }
}
