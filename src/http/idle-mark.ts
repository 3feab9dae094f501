/**
 * Remembers what a connection had done by the last sweep, so that a sweep over all connections finds the idle ones. A
 * timer of its own for every connection, reset with every request, would cost more than the rest of its upkeep.
 */
export class IdleMark {
  #requests: number | undefined;

  /** Whether the connection has been without a request since the sweep before this one. */
  sweep(busy: boolean, requests: number): boolean {
    const stale = !busy && this.#requests === requests;
    this.#requests = busy ? undefined : requests;
    return stale;
  }
}
