import type { Target } from '../../client/served-kind.ts';
import type { LoopPlane } from '../loop.ts';
import { NotYet } from '../work-queue.ts';
import type { Changes } from './changes.ts';
import type { Node, Place } from './graph.ts';

/** So many dependents of one owner at the same time. */
const WORKERS = 8;
/** Dependents may come while others are told; who makes them on and on is not waited for. */
const MOST_ROUNDS = 3;

/** Takes an owner from all of its dependents that can be reached. */
export async function orphanDependents(
  owner: Node,
  targetOf: (place: Place) => Target | undefined,
  plane: LoopPlane,
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
        if (target) await orphan(dependent, target, owner.uid, plane, changes);
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
  }
}

const MOST_ATTEMPTS = 4;

async function orphan(
  dependent: Node,
  target: Target,
  owner: string,
  { client }: LoopPlane,
  changes: Changes,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const seen = await client.findMetadata(target);
    const owners = seen?.ownerReferences ?? [];
    const others = owners.filter(({ uid }) => uid !== owner);
    if (seen?.uid !== dependent.uid || !seen || others.length === owners.length) return;
    try {
      return await changes.setOwners(target, seen, others);
    } catch (error) {
      // Another writer was faster.
      if (!(error instanceof NotYet) || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}
