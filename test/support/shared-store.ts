import type { Backend, Deliver, Load, Opening, Outcome, Write } from '../../src/storage/backend.ts';

type Batch = Parameters<Deliver>;

/**
 * One empty store below the logs of several servers in this process. Each server hears of writes in order, but later than
 * their writer, and each as late as `lag` lets it be.
 */
export async function shareStore(store: Backend, servers: number, lag: () => Promise<void>): Promise<Backend[]> {
  const doors: Door[] = [];
  const opening = await store.open(
    () => {},
    (...batch) => {
      for (const door of doors) door.tell(batch);
    },
    () => {},
  );
  for (let i = 0; i < servers; i++) doors.push(new Door(store, opening, lag));
  return doors;
}

class Door implements Backend {
  readonly isShared = true;
  readonly #store: Backend;
  readonly #opening: Opening;
  readonly #lag: () => Promise<void>;
  #deliver: Deliver = () => {};
  /** Resolves when all that this server was told of so far has arrived. */
  #arrived: Promise<void> = Promise.resolve();

  constructor(store: Backend, opening: Opening, lag: () => Promise<void>) {
    this.#store = store;
    this.#opening = opening;
    this.#lag = lag;
  }

  tell(batch: Batch): void {
    const before = this.#arrived;
    this.#arrived = (async () => {
      await Promise.all([before, this.#lag()]);
      this.#deliver(...batch);
    })();
  }

  async open(_load: Load, deliver: Deliver): Promise<Opening> {
    this.#deliver = deliver;
    return this.#opening;
  }

  async commit(write: Write): Promise<Outcome> {
    const outcome = await this.#store.commit(write);
    await this.#arrived;
    return outcome;
  }

  current(): Promise<number> {
    return this.#store.current();
  }

  async compact(): Promise<void> {}

  async close(): Promise<void> {
    await this.#arrived;
  }
}
