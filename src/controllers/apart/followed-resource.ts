import { Informer } from '../../client/informing/informer.ts';
import type { ObjectStore } from '../../client/informing/object-store.ts';
import type { AnyObject } from '../../client/plane-client.ts';
import { apiVersionOfKind, type ResourceName, type ServedKind } from '../../client/served-kind.ts';
import type { FollowedObjects, Follower, Following } from '../loop.ts';
import type { ServedPlane } from './served-plane.ts';

/** Which objects of a resource a loop wants to know of. */
export type FollowedPart = Omit<FollowedObjects, keyof ResourceName>;

/** What to follow: a resource, everywhere or in one namespace. */
export interface FollowedCollection extends ResourceName {
  readonly namespace?: string;
}

interface Entry {
  readonly part: FollowedPart;
  readonly follower: Follower;
}

/**
 * One resource for several loops: it is followed by one informer, which holds what some loop wants to know. The resource may
 * come and go, and be served in another version: then another informer takes the place of the one before.
 */
export class FollowedResource {
  readonly #plane: ServedPlane;
  readonly #collection: FollowedCollection;
  readonly #entries = new Set<Entry>();
  #kind: ServedKind | undefined;
  #informer: Informer | undefined;
  /** What is known from the version before, until the next one was listed. */
  #before: ObjectStore | undefined;

  constructor(plane: ServedPlane, collection: FollowedCollection) {
    this.#plane = plane;
    this.#collection = collection;
  }

  /** How the resource is served from now on; undefined when it is not, and there are no objects of it. */
  turnTo(kind: ServedKind | undefined): void {
    const isSame = kind && this.#kind && apiVersionOfKind(kind) === apiVersionOfKind(this.#kind);
    if (isSame || kind === this.#kind) return;
    const before = this.#store;
    this.#kind = kind;
    this.close();
    if (kind) {
      this.#before = before;
      this.#begin();
      return;
    }
    this.#before = undefined;
    for (const object of before?.list() ?? []) this.#tell('onRemove', object);
  }

  get<T extends AnyObject>(namespace: string, name: string): T | undefined {
    return this.#store?.get(name, namespace) as T | undefined;
  }

  each<T extends AnyObject>(namespace: string, mentions: string): Iterable<T> {
    return (this.#store?.mentioning(mentions, namespace) ?? []) as Iterable<T>;
  }

  /** Nobody follows it. */
  get isIdle(): boolean {
    return this.#entries.size === 0;
  }

  /** Whether all of this is known anyway. */
  covers(part: FollowedPart): boolean {
    return [...this.#entries].some((entry) => covers(entry.part, part));
  }

  /** Objects that are known are told at once. */
  follow(part: FollowedPart, follower: Follower): Following {
    const entry = { part, follower };
    const isCovered = this.covers(part);
    this.#entries.add(entry);
    for (const object of this.each(part.namespace ?? '', part.mentions ?? '')) {
      if (accepts(part, object)) this.#call(entry, 'onSet', object);
    }
    if (!isCovered) this.#informer?.relist();
    this.#begin();
    return { listed: this.#listed(), close: () => this.#leave(entry) };
  }

  close(): void {
    this.#informer?.close();
    this.#informer = undefined;
  }

  get #store(): ObjectStore | undefined {
    const isListed = this.#informer?.revision !== undefined;
    return isListed ? this.#informer?.store : (this.#before ?? this.#informer?.store);
  }

  /** At the end of this turn, when all are there who begin together: what they want is listed once. */
  #begin(): void {
    queueMicrotask(() => {
      if (this.#informer || !this.#kind || this.isIdle) return;
      this.#informer = this.#inform(this.#kind);
      void this.#removeFormer(this.#informer);
    });
  }

  #inform(kind: ServedKind): Informer {
    const { namespace = '', plural } = this.#collection;
    const informer = new Informer(this.#plane, {
      kind,
      namespace,
      hold: 'text',
      // What was of interest stays so: whoever knows it learns what became of it.
      keeps: ({ object, text, isHeld }) => isHeld || [...this.#entries].some(({ part }) => accepts(part, object, text)),
      onError: (error) => this.#plane.onError(plural, error),
    });
    informer.handle({
      added: (object) => this.#tell('onSet', object),
      changed: (object, before) => this.#tell('onSet', object, before),
      removed: (object) => this.#tell('onRemove', object),
    });
    return informer;
  }

  /** What was there in the version before and is not in this one is gone. */
  async #removeFormer(informer: Informer): Promise<void> {
    if (!(await isListed(informer)) || this.#informer !== informer) return;
    const before = this.#before;
    this.#before = undefined;
    for (const object of before?.list() ?? []) {
      const { name = '', namespace = '' } = object.metadata;
      if (!informer.store.get(name, namespace)) this.#tell('onRemove', object);
    }
  }

  /** Resolves when everything has been told, or there is nothing to tell; not when it is closed before that. */
  async #listed(): Promise<void> {
    for (;;) {
      // The informer begins with this turn's end.
      await Promise.resolve();
      const informer = this.#informer;
      if (informer && (await isListed(informer))) return;
      if (!this.#kind) return;
      if (this.#informer === undefined || this.#informer === informer) await never();
    }
  }

  #leave(entry: Entry): void {
    this.#entries.delete(entry);
    if (!this.isIdle) return;
    this.close();
    this.#before = undefined;
  }

  /** Whoever knew the object before learns what became of it. */
  #tell(what: 'onSet' | 'onRemove', object: AnyObject, before?: AnyObject): void {
    const isConcerned = ({ part }: Entry): boolean =>
      accepts(part, object) || (before !== undefined && accepts(part, before));
    for (const entry of this.#entries) if (isConcerned(entry)) this.#call(entry, what, object);
  }

  #call({ follower }: Entry, what: 'onSet' | 'onRemove', object: AnyObject): void {
    try {
      follower[what]?.(object);
    } catch (error) {
      this.#plane.onError(this.#collection.plural, error);
    }
  }
}

const isListed = (informer: Informer): Promise<boolean> =>
  informer.listed().then(
    () => true,
    () => false,
  );

const never = (): Promise<never> => new Promise(() => undefined);

/** `text`: the object as JSON, where that is at hand. */
const accepts = ({ name, namespace, mentions }: FollowedPart, object: AnyObject, text?: string): boolean =>
  (name === undefined || name === object.metadata.name) &&
  (namespace === undefined || namespace === object.metadata.namespace) &&
  (mentions === undefined || (text ?? JSON.stringify(object)).includes(mentions));

/** Whether everything of the second is in the first. */
const covers = (first: FollowedPart, second: FollowedPart): boolean =>
  (first.name === undefined || first.name === second.name) &&
  (first.namespace === undefined || first.namespace === second.namespace) &&
  (first.mentions === undefined || first.mentions === second.mentions);
