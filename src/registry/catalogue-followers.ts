import type { Kind } from './kind.ts';

/** Told of changes of the catalogue after they were made. */
export interface CatalogueFollower {
  onAdd(kind: Kind): void;
  /** `kind` is in the place of `before`. */
  onReplace(before: Kind, kind: Kind): void;
  onRemove(kind: Kind): void;
}

/** Those who follow a catalogue. */
export class Followers {
  readonly #followers = new Set<CatalogueFollower>();

  add(follower: CatalogueFollower): { close(): void } {
    // A value of its own, so that one follower can follow twice.
    const added = {
      onAdd: (kind: Kind) => follower.onAdd(kind),
      onReplace: (before: Kind, kind: Kind) => follower.onReplace(before, kind),
      onRemove: (kind: Kind) => follower.onRemove(kind),
    };
    this.#followers.add(added);
    return { close: () => this.#followers.delete(added) };
  }

  /** Tells all of them everything, also when one of them throws; what it threw is thrown at the end. */
  tell(changes: readonly ((follower: CatalogueFollower) => void)[]): void {
    const problems: unknown[] = [];
    for (const change of changes) {
      for (const follower of [...this.#followers]) {
        try {
          change(follower);
        } catch (problem) {
          problems.push(problem);
        }
      }
    }
    if (problems.length > 0)
      throw new AggregateError(problems, 'a change of the catalogue was made, but not taken well');
  }
}
