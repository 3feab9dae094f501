/** Begins several things. When one of them fails, those before it are ended: why it failed is what matters then. */
export async function beginOrEnd<T>(begin: (closing: Closing) => Promise<T>): Promise<T> {
  const closing = new Closing();
  try {
    return await begin(closing);
  } catch (error) {
    await closing.run().catch(() => undefined);
    throw error;
  }
}

/** Ends what has begun, the last first, each once. */
export class Closing {
  readonly #ends: (() => Promise<void> | void)[] = [];
  #running: Promise<void> | undefined;

  /** What to call at the end for something that has just begun. */
  add(end: () => Promise<void> | void): void {
    this.#ends.push(end);
  }

  /** Everything is ended, also when ending something fails; the first failure is what it rejects with. */
  run(): Promise<void> {
    this.#running ??= this.#endAll();
    return this.#running;
  }

  async #endAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const end of this.#ends.reverse()) {
      try {
        await end();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
