import type { AnyObject } from '../plane-client.ts';
import type { Change } from './changes.ts';
import { keyIn } from './held-objects.ts';

/**
 * Changes for one reader, at its pace. Of an object that changes several times before it is read one change is left, from
 * what the reader knows to what there is, so that a slow reader costs no more than the objects there are.
 */
export class ChangeFeed<T extends AnyObject> implements AsyncIterableIterator<Change<T>> {
  /** By object, in the order in which they were first changed. */
  readonly #pending = new Map<string, readonly Change<T>[]>();
  readonly #onEnd: () => void;
  #waiting: (() => void)[] = [];
  #isOver = false;

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  add(change: Change<T>): void {
    const key = keyIn(change.object);
    const [first, second] = this.#pending.get(key) ?? [];
    const joined = second ? [first as Change<T>, ...join(second, change)] : first ? join(first, change) : [change];
    if (joined.length === 0) this.#pending.delete(key);
    else this.#pending.set(key, joined);
    this.#wake();
  }

  /** The reader gets what is left, and then the end. */
  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  async next(): Promise<IteratorResult<Change<T>, undefined>> {
    for (;;) {
      const change = this.#take();
      if (change) return { done: false, value: change };
      if (this.#isOver) return { done: true, value: undefined };
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  async return(): Promise<IteratorResult<Change<T>, undefined>> {
    this.#pending.clear();
    this.end();
    this.#onEnd();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #take(): Change<T> | undefined {
    const [entry] = this.#pending;
    if (!entry) return undefined;
    const [key, [first, ...rest]] = entry;
    if (rest.length === 0) this.#pending.delete(key);
    else this.#pending.set(key, rest);
    return first;
  }
}

/** Two changes of one object after each other, as few as say the same. */
function join<T extends AnyObject>(first: Change<T>, second: Change<T>): readonly Change<T>[] {
  if (second.type === 'removed') {
    return first.type === 'added' ? [] : [{ type: 'removed', object: second.object }];
  }
  // Another object under the name of one that is gone.
  if (second.type === 'added' || first.type === 'removed') return [first, second];
  if (first.type === 'added') return [{ type: 'added', object: second.object }];
  return [{ type: 'changed', object: second.object, before: first.before }];
}
