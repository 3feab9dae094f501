import { HeldObjects, keyIn } from './held-objects.ts';
import type { AnyObject } from './plane-client.ts';
import { type ReflectedPlane, type Reflection, Reflector } from './reflector.ts';
import { apiVersionOfKind, type ResourceName, type ServedKind } from './served-kind.ts';

/** Which objects of a resource somebody wants to know of. */
export interface FollowedPart {
  readonly name?: string;
  readonly namespace?: string;
  /** Objects without this text in them are of no interest. */
  readonly mentions?: string;
}

/** Told of objects in order. Nobody may change one. */
export interface ObjectFollower {
  onSet(object: AnyObject): void;
  onRemove(object: AnyObject): void;
}

export interface Following {
  /** Resolves when everything has been told that was there. */
  readonly listed: Promise<void>;
  close(): void;
}

interface Entry {
  readonly part: FollowedPart;
  readonly follower: ObjectFollower;
}

/** What to follow: a resource, everywhere or in one namespace. */
export interface InformedResource extends ResourceName {
  readonly namespace?: string;
}

/** What is known of one resource: it is followed once, however many want to know. What nobody wants to know is not held. */
export class Informer {
  readonly #plane: ReflectedPlane;
  readonly #resource: InformedResource;
  readonly #held = new HeldObjects();
  readonly #entries = new Set<Entry>();
  #kind: ServedKind | undefined;
  #reflector: Reflector | undefined;
  /** What was in the list that is being read. */
  #listing: Set<string> | undefined;
  #onceListed: (() => void)[] = [];

  constructor(plane: ReflectedPlane, resource: InformedResource) {
    this.#plane = plane;
    this.#resource = resource;
  }

  /** How the resource is served from now on; undefined when it is not, and there are no objects of it. */
  turnTo(kind: ServedKind | undefined): void {
    const isSame = kind && this.#kind && apiVersionOfKind(kind) === apiVersionOfKind(this.#kind);
    if (isSame || kind === this.#kind) return;
    this.#kind = kind;
    this.#reflector?.close();
    this.#reflector = undefined;
    if (kind) this.#begin();
    else this.#end();
  }

  get<T extends AnyObject>(namespace: string, name: string): T | undefined {
    return this.#held.get<T>(namespace, name);
  }

  each<T extends AnyObject>(namespace: string, mentions: string): Iterable<T> {
    return this.#held.each<T>(namespace, mentions);
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
  follow(part: FollowedPart, follower: ObjectFollower): Following {
    const entry = { part, follower };
    const isCovered = this.covers(part);
    this.#entries.add(entry);
    for (const object of this.#held.each<AnyObject>(part.namespace ?? '', part.mentions ?? '')) {
      if (accepts(part, object, part.mentions ?? '')) this.#tell(entry, 'onSet', object);
    }
    const isKnown = !this.#kind || (isCovered && this.#reflector && this.#onceListed.length === 0);
    const listed = isKnown ? Promise.resolve() : new Promise<void>((resolve) => this.#onceListed.push(resolve));
    if (!isCovered) this.#reflector?.relist();
    this.#begin();
    return { listed, close: () => this.#leave(entry) };
  }

  close(): void {
    this.#reflector?.close();
    this.#reflector = undefined;
  }

  /** At the end of this turn, when all are there who begin together: what they want is listed once. */
  #begin(): void {
    queueMicrotask(() => {
      if (this.#reflector || !this.#kind || this.#entries.size === 0) return;
      const { namespace = '' } = this.#resource;
      this.#reflector = new Reflector(this.#plane, { kind: this.#kind, namespace }, this.#reflection);
    });
  }

  #end(): void {
    for (const object of this.#held.removeOthers(new Set())) this.#tellAll('onRemove', object, JSON.stringify(object));
    this.#markListed();
  }

  #leave(entry: Entry): void {
    this.#entries.delete(entry);
    if (this.#entries.size > 0) return;
    this.close();
    this.#held.removeOthers(new Set());
  }

  readonly #reflection: Reflection = {
    onListing: () => {
      this.#listing = new Set();
    },
    onListed: () => {
      const gone = this.#held.removeOthers(this.#listing ?? new Set());
      this.#listing = undefined;
      for (const object of gone) this.#tellAll('onRemove', object, JSON.stringify(object));
      this.#markListed();
    },
    onSet: (object) => this.#set(object),
    onRemove: (object) => {
      const before = this.#held.textOf(object);
      if (before === undefined) return;
      this.#held.remove(object);
      this.#tellAll('onRemove', object, before);
    },
  };

  #set(object: AnyObject): void {
    const text = JSON.stringify(object);
    const before = this.#held.textOf(object) ?? '';
    const isWanted = [...this.#entries].some(({ part }) => accepts(part, object, text));
    // What was of interest stays so: whoever knows it learns what became of it.
    if (!isWanted && before === '') return;
    this.#listing?.add(keyIn(object));
    if (this.#held.set(object, text)) this.#tellAll('onSet', object, before + text);
  }

  #markListed(): void {
    for (const resolve of this.#onceListed.splice(0)) resolve();
  }

  #tellAll(what: 'onSet' | 'onRemove', object: AnyObject, text: string): void {
    for (const entry of this.#entries) if (accepts(entry.part, object, text)) this.#tell(entry, what, object);
  }

  #tell({ follower }: Entry, what: 'onSet' | 'onRemove', object: AnyObject): void {
    try {
      follower[what](object);
    } catch (error) {
      this.#plane.onError(this.#resource.plural, error);
    }
  }
}

const accepts = ({ name, namespace, mentions }: FollowedPart, { metadata }: AnyObject, text: string): boolean =>
  (name === undefined || name === metadata.name) &&
  (namespace === undefined || namespace === metadata.namespace) &&
  (mentions === undefined || text.includes(mentions));

/** Whether everything of the second is in the first. */
const covers = (first: FollowedPart, second: FollowedPart): boolean =>
  (first.name === undefined || first.name === second.name) &&
  (first.namespace === undefined || first.namespace === second.namespace) &&
  (first.mentions === undefined || first.mentions === second.mentions);
