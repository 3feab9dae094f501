import type { Entry } from './ordered-history.ts';
import type { Seen } from './register-clients.ts';

/**
 * What many watches were told, held against each other as it comes: the first to be told of a change writes it down, and
 * all others must be told the same next.
 */
export class Ledger {
  readonly #entries: Seen[] = [];
  /** The first thing that did not fit, in words. */
  problem: string | undefined;

  /** Where one more watch notes what it is told, from the beginning on. */
  page(): (event: Seen) => void {
    let at = 0;
    return (event) => {
      const known = this.#entries[at++];
      if (known === undefined) this.#append(event);
      else if (!isSame(known, event)) this.#complain(event, `where another was told ${JSON.stringify(known)}`);
    };
  }

  /** Up to a revision: those that follow may not have been told to all. */
  upTo(revision: number): Entry[] {
    return this.#entries
      .filter((event) => event.revision <= revision)
      .map(({ revision, type, name, mark, uid }) => {
        return { revision, key: name, mark: type === 'DELETED' ? undefined : mark, uid };
      });
  }

  #append(event: Seen): void {
    const last = this.#entries.at(-1);
    if (last !== undefined && event.revision <= last.revision) this.#complain(event, `after ${JSON.stringify(last)}`);
    this.#entries.push(event);
  }

  #complain(event: Seen, why: string): void {
    this.problem ??= `a watch was told ${JSON.stringify(event)} ${why}`;
  }
}

const isSame = (a: Seen, b: Seen): boolean =>
  a.revision === b.revision && a.type === b.type && a.name === b.name && a.mark === b.mark && a.uid === b.uid;
