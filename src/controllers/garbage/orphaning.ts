import { NotYet } from '../../client/controlling/work-queue.ts';
import type { Target } from '../../client/served-kind.ts';
import type { Changes } from './changes.ts';
import type { Node, Place } from './graph.ts';

/** So many dependents of one owner at the same time. */
const WORKERS = 8;
/** Dependents may come while others are told; who makes them on and on is not waited for. */
const MOST_ROUNDS = 3;
/** How often a dependent may change before another one is taken first. */
const MOST_ATTEMPTS = 4;

/** Takes an owner from all of its dependents that are of a kind which is served. */
export async function orphanDependents(
  owner: Node,
  targetOf: (place: Place) => Target | undefined,
  changes: Changes,
): Promise<void> {
  const told = new Set<Node>();
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const dependents = [...owner.dependents].filter((dependent) => !told.has(dependent));
    if (dependents.length === 0) return;
    for (const dependent of dependents) told.add(dependent);
    const left = dependents.values();
    const work = async (): Promise<void> => {
      for (const dependent of left) {
        const target = dependent.place && targetOf(dependent.place);
        if (target) await orphan(dependent, target, owner.uid, changes);
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
  }
}

/** Begins again with what is known by then when the dependent has changed. */
async function orphan(dependent: Node, target: Target, owner: string, changes: Changes): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const others = dependent.owners.filter(({ uid }) => uid !== owner);
    if (others.length === dependent.owners.length) return;
    try {
      await changes.setOwners(target, dependent, others);
      return;
    } catch (error) {
      if (!(error instanceof NotYet) || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}
