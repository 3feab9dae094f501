import type { LoopQueue } from '../loop.ts';
import type { Node } from './graph.ts';

/** So many dependents wait to be looked at before others get their turn. */
const AT_ONCE = 100;
/** No uid begins like this. */
const MARK = '>';

/**
 * Has all dependents of an owner looked at, however many they are, some at a time: the key that stands for the rest of them
 * goes to the end of the queue each time, behind what came in for other owners meanwhile.
 */
export class DependentVisits {
  readonly #queue: LoopQueue;
  /** The dependents that are left, by the key of the visit. */
  readonly #left = new Map<string, Iterator<Node>>();

  constructor(queue: LoopQueue) {
    this.#queue = queue;
  }

  /** Begins anew when a visit is under way. */
  begin({ uid, dependents }: Node): void {
    this.#left.set(`${MARK}${uid}`, dependents.values());
    this.#queue.add(`${MARK}${uid}`);
  }

  /** True when the key is that of a visit. */
  goOn(key: string): boolean {
    if (!key.startsWith(MARK)) return false;
    const left = this.#left.get(key);
    for (let count = 0; left && count < AT_ONCE; count++) {
      const { value: dependent, done } = left.next();
      if (done) {
        this.#left.delete(key);
        return true;
      }
      this.#queue.add(dependent.uid);
    }
    if (left) this.#queue.add(key);
    return true;
  }
}
