import type { AnyObject } from '../plane-client.ts';
import { ChangeFeed } from './change-feed.ts';
import { type Change, type ChangeHandlers, callHandler } from './changes.ts';
import { contentOf, type Held, HeldObjects, type Holding, keyIn } from './held-objects.ts';
import type { InformedPlane } from './informed-plane.ts';
import type { Indexes, ObjectStore } from './object-store.ts';
import { type Reflected, type Reflection, Reflector } from './reflector.ts';
import { Conditions, type UntilOptions } from './until.ts';

/** An object that an informer may hold. */
export interface Candidate<T extends AnyObject> {
  readonly object: T;
  readonly text: string;
  /** Whether an earlier version of it is held. */
  readonly isHeld: boolean;
}

export interface InformerOptions<T extends AnyObject, Index extends string = never> extends Reflected {
  /** By what else than namespace and name objects are found. */
  readonly indexes?: Indexes<T, Index>;
  /** 'objects' unless given. */
  readonly hold?: Holding;
  /** Others are not held, and nobody is told of them. After it has changed its mind `relist` is to be called. */
  keeps?(candidate: Candidate<T>): boolean;
  /** What went wrong is tried again; also what a handler throws. */
  onError?(error: unknown): void;
}

export interface ChangeSubscription {
  close(): void;
}

/**
 * Knows all objects of a kind, or a part of them, and is told of changes, until it is closed.
 *
 * What it claims is true: the store is what a list of the plane had in it at `revision`. It may be behind, as everything
 * that is told is, and goes from one such state to a later one in a single step; half a list is never seen.
 */
export class Informer<T extends AnyObject = AnyObject, Index extends string = never> {
  readonly #options: InformerOptions<T, Index>;
  readonly #held: HeldObjects<T, Index>;
  readonly #reflector: Reflector;
  readonly #handlers = new Set<ChangeHandlers<T>>();
  readonly #feeds = new Set<ChangeFeed<T>>();
  readonly #conditions: Conditions;
  /** What has come of a list that is not whole yet. */
  #staged = new Map<string, Held<T>>();
  #isListing = true;
  #revision: string | undefined;
  #isClosed = false;

  constructor(plane: InformedPlane, options: InformerOptions<T, Index>) {
    this.#options = options;
    const onError = (error: unknown): void => options.onError?.(error);
    this.#held = new HeldObjects(options.hold ?? 'objects', options.indexes ?? ({} as Indexes<T, Index>), onError);
    this.#conditions = new Conditions(plane.runtime);
    this.#reflector = new Reflector(plane, options, this.#reflection);
  }

  get store(): ObjectStore<T, Index> {
    return this.#held;
  }

  /** The version of the plane that the store is equal to; undefined until everything was listed for the first time. */
  get revision(): string | undefined {
    return this.#revision;
  }

  /** Resolves when everything has been listed, and the handlers were called with it. Rejects when it is closed before. */
  listed(): Promise<void> {
    return this.#conditions.until(() => (this.#isListing ? undefined : true), {}).then(() => undefined);
  }

  /** Calls `added` with what is there at once, then with each change. */
  handle(handlers: ChangeHandlers<T>): ChangeSubscription {
    // The same value may be given twice.
    const own: ChangeHandlers<T> = {
      added: (object) => handlers.added?.(object),
      changed: (object, before) => handlers.changed?.(object, before),
      removed: (object) => handlers.removed?.(object),
    };
    this.#handlers.add(own);
    for (const held of this.#held.all()) this.#call(own, { type: 'added', object: contentOf(held) });
    return { close: () => void this.#handlers.delete(own) };
  }

  /** What is there, then changes, as fast as they are read: of an object that changes faster, the last one. */
  changes(): AsyncIterableIterator<Change<T>> {
    const feed: ChangeFeed<T> = new ChangeFeed(() => this.#feeds.delete(feed));
    for (const held of this.#held.all()) feed.add({ type: 'added', object: contentOf(held) });
    if (this.#isClosed) feed.end();
    else this.#feeds.add(feed);
    return feed;
  }

  /**
   * Resolves with what the condition gives as soon as that is neither false nor undefined, looking at every state. Rejects when
   * that takes too long, and when the informer is closed.
   */
  until<R>(condition: (store: ObjectStore<T, Index>) => R, options: UntilOptions = {}): Promise<NonNullable<R>> {
    const check = (): R | undefined => (this.#revision === undefined ? undefined : condition(this.#held));
    return this.#conditions.until(check, options);
  }

  /** Reads everything again; until then the store stays as it is. */
  relist(): void {
    this.#isListing = true;
    this.#reflector.relist();
  }

  /** The store stays as it is. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#reflector.close();
    this.#conditions.close();
    for (const feed of this.#feeds) feed.end();
    this.#handlers.clear();
    this.#feeds.clear();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  get #reflection(): Reflection {
    return {
      onListing: () => {
        this.#staged = new Map();
        this.#isListing = true;
      },
      onListed: (version) => this.#replace(version),
      onSet: (object) => this.#set(object as T),
      onRemove: (object) => this.#remove(object as T),
      onBookmark: (version) => this.#reach(version, []),
      onError: (error) => this.#options.onError?.(error),
    };
  }

  #set(object: T): void {
    const held = this.#holding(object);
    if (this.#isListing) {
      if (held) this.#staged.set(held.key, held);
      return;
    }
    this.#reach(versionIn(object), held ? this.#put(held) : []);
  }

  #remove(object: T): void {
    const key = keyIn(object);
    if (this.#isListing) {
      this.#staged.delete(key);
      return;
    }
    this.#reach(versionIn(object), this.#held.remove(key) ? [{ type: 'removed', object }] : []);
  }

  /** The state that was staged takes the place of the one before. */
  #replace(version: string): void {
    const staged = this.#staged;
    this.#staged = new Map();
    this.#isListing = false;
    const gone = this.#held.all().filter(({ key }) => !staged.has(key));
    for (const { key } of gone) this.#held.remove(key);
    const removed = gone.map((held): Change<T> => ({ type: 'removed', object: contentOf(held) }));
    this.#reach(version, [...removed, ...[...staged.values()].flatMap((held) => this.#put(held))]);
  }

  /** Undefined where it is not to be held. */
  #holding(object: T): Held<T> | undefined {
    const { keeps, hold } = this.#options;
    if (!keeps) return this.#held.holding(object);
    const text = JSON.stringify(object);
    const isHeld = this.#held.held(keyIn(object)) !== undefined;
    return keeps({ object, text, isHeld }) ? this.#held.holding(object, hold === 'text' ? text : undefined) : undefined;
  }

  #put(held: Held<T>): Change<T>[] {
    const before = this.#held.held(held.key);
    if (before === held) return [];
    this.#held.set(held);
    const object = contentOf(held);
    if (!before) return [{ type: 'added', object }];
    if (before.uid === held.uid) return [{ type: 'changed', object, before: contentOf(before) }];
    return [
      { type: 'removed', object: contentOf(before) },
      { type: 'added', object },
    ];
  }

  /** The store is what the plane had at this version; these changes led there. */
  #reach(version: string, changes: readonly Change<T>[]): void {
    this.#revision = version;
    // Whoever comes meanwhile has been told what is there, which is after these changes.
    const [handlers, feeds] = [[...this.#handlers], [...this.#feeds]];
    for (const change of changes) {
      for (const handler of handlers) if (this.#handlers.has(handler)) this.#call(handler, change);
      for (const feed of feeds) feed.add(change);
    }
    this.#conditions.check();
  }

  #call(handlers: ChangeHandlers<T>, change: Change<T>): void {
    try {
      callHandler(handlers, change);
    } catch (error) {
      this.#options.onError?.(error);
    }
  }
}

const versionIn = ({ metadata }: AnyObject): string => metadata.resourceVersion ?? '';
