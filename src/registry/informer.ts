import { mentions } from '../storage/log/dormant-version.ts';
import type { Version } from '../storage/log/version.ts';
import type { Subscription } from '../storage/log/version-log.ts';
import type { Catalogue, Resource } from './catalogue.ts';
import { namespacePrefix } from './keys.ts';
import type { Kind } from './kind.ts';
import type { Objects } from './objects.ts';
import type { ApiObject, ResourceType } from './resource-type.ts';

/**
 * Told of stored objects, in order. They are values that others hold too: nobody may change one. What is absent here is not
 * even looked at.
 */
export interface ObjectListener {
  /** A stored object, or a new version of one. */
  onSet?(object: ApiObject): void;
  /** The last version of an object that is gone. */
  onRemove?(object: ApiObject): void;
}

/** Told of stored objects of all kinds. */
export interface KindListener {
  onSet(object: ApiObject, kind: Kind): void;
  onRemove(object: ApiObject, kind: Kind): void;
}

/** Which objects to follow of a kind. */
export interface FollowedPart {
  /** Only objects of this name; others are not even read. */
  readonly name?: string;
  /** Only objects of this namespace; others are not even looked at. */
  readonly namespace?: string;
  /** Only objects that have this text in them somewhere; others are not even read. */
  readonly mentions?: string;
}

/** Which objects to follow. */
export interface Followed extends Resource, FollowedPart {}

/** Whatever can be followed. */
export type ObjectSource = Pick<Informer, 'follow'>;

export interface InformerParts {
  readonly objects: Objects;
  readonly catalogue: Catalogue;
  /** What a listener threw. It is told of everything else all the same. */
  onError(error: unknown): void;
}

/**
 * Follows resources inside the server: every object that there is, then every change.
 *
 * A resource need not be in the catalogue. Its objects are told when its kind comes, and told to be gone when the kind
 * goes, or gives way to one that is stored elsewhere. That happens at the end of the turn in which the catalogue changes:
 * by then whatever was committed before has been told to all.
 */
export class Informer {
  readonly #parts: InformerParts;
  /** By group and plural, so that a change of the catalogue costs only those whom it concerns. */
  readonly #byResource = new Map<string, Set<() => void>>();
  readonly #ofAll = new Set<(kind: Kind) => void>();

  constructor(parts: InformerParts) {
    this.#parts = parts;
    const look = (kind: Kind): void => queueMicrotask(() => this.#look(kind));
    parts.catalogue.follow({
      onAdd: look,
      onRemove: look,
      onReplace(before, kind) {
        look(before);
        look(kind);
      },
    });
  }

  /** Objects that are there are told before this returns. */
  follow({ group, plural, ...part }: Followed, listener: ObjectListener): { close(): void } {
    const { catalogue } = this.#parts;
    const key = `${group}/${plural}`;
    const following = new Following(this.#parts, part, listener);
    const look = (): void => following.turnTo(catalogue.kind({ group, plural }));
    const looks = this.#byResource.get(key) ?? new Set();
    this.#byResource.set(key, looks.add(look));
    look();
    return {
      close: () => {
        looks.delete(look);
        if (looks.size === 0 && this.#byResource.get(key) === looks) this.#byResource.delete(key);
        following.close();
      },
    };
  }

  /** As `follow`, for the objects of every kind that is stored, those that are not served included. */
  followAll(part: FollowedPart, listener: KindListener): { close(): void } {
    return this.followKinds(() => new Following(this.#parts, part, listener));
  }

  /** Has something made for every kind that is stored, now or later, and turned to what has become of the kind since. */
  followKinds(make: () => KindFollowing): { close(): void } {
    const { catalogue } = this.#parts;
    /** By collection. */
    const followed = new Map<string, KindFollowing>();
    const look = ({ collection }: Kind): void => {
      if (collection === undefined) return;
      const kind = catalogue.storedIn(collection);
      const following = followed.get(collection) ?? make();
      followed.set(collection, following);
      following.turnTo(kind);
      if (!kind) followed.delete(collection);
    };
    for (const kind of catalogue.kinds()) look(kind);
    this.#ofAll.add(look);
    return {
      close: () => {
        this.#ofAll.delete(look);
        for (const following of followed.values()) following.close();
      },
    };
  }

  /** Something has happened to a kind: it is looked at anew by those who follow it. */
  #look(kind: Kind): void {
    const keys = new Set(kind.versions.map(({ group, plural }) => `${group}/${plural}`));
    const looks = [...keys].flatMap((key) => [...(this.#byResource.get(key) ?? [])]);
    for (const look of looks) look();
    for (const look of [...this.#ofAll]) look(kind);
  }
}

/** What is made for a kind that is followed. */
export interface KindFollowing {
  /** Undefined: it is gone, and nothing comes after that. */
  turnTo(kind: Kind | undefined): void;
  /** Nothing is followed any more. */
  close(): void;
}

/** Follows one collection at a time. */
class Following implements KindFollowing {
  readonly #objects: Objects;
  readonly #onError: (error: unknown) => void;
  readonly #part: FollowedPart;
  readonly #listener: Partial<KindListener>;
  #kind: Kind | undefined;
  #subscription: Subscription | undefined;
  #isClosed = false;

  constructor({ objects, onError }: InformerParts, part: FollowedPart, listener: Partial<KindListener>) {
    this.#objects = objects;
    this.#onError = onError;
    this.#part = part;
    this.#listener = listener;
  }

  /** What is stored in the same place as before goes on. */
  turnTo(kind: Kind | undefined): void {
    if (this.#isClosed) return;
    const before = this.#kind;
    this.#kind = kind;
    if (before?.collection === kind?.collection) return;
    if (before?.collection !== undefined) this.#end(before);
    if (kind?.collection !== undefined) this.#begin(kind);
  }

  close(): void {
    this.#isClosed = true;
    this.#subscription?.close();
  }

  #begin(kind: Kind): void {
    const { storage } = kind;
    const { revision } = this.#objects;
    this.#tellPresent('onSet', kind);
    this.#subscription = this.#objects.subscribe(
      storage,
      { after: revision, scope: namespacePrefix(storage, this.#part.namespace ?? '') },
      {
        onVersions: (versions) => {
          for (const version of versions) this.#follow(version);
        },
      },
    );
  }

  /** What is in the log is what was told. */
  #end(kind: Kind): void {
    this.#subscription?.close();
    this.#tellPresent('onRemove', kind);
  }

  #follow(version: Version): void {
    const what = version.deleted ? 'onRemove' : 'onSet';
    if (this.#kind && this.#listener[what] && !this.#isOther(version)) {
      this.#tell(what, this.#objects.of(version), this.#kind);
    }
  }

  #tellPresent(what: 'onSet' | 'onRemove', kind: Kind): void {
    if (!this.#listener[what]) return;
    for (const version of this.#presentIn(kind.storage)) this.#tell(what, this.#objects.once(version), kind);
  }

  #tell(what: 'onSet' | 'onRemove', object: ApiObject, kind: Kind): void {
    try {
      this.#listener[what]?.(object, kind);
    } catch (error) {
      this.#onError(error);
    }
  }

  #presentIn(type: ResourceType): Version[] {
    return this.#objects.versionsIn(type, this.#part.namespace).filter((version) => !this.#isOther(version));
  }

  /** Of versions that are others by name alone the bytes are not even asked for. */
  #isOther(version: Version): boolean {
    const { name, mentions: text } = this.#part;
    if (name !== undefined && !version.key.endsWith(`/${name}`)) return true;
    return text !== undefined && !mentions(version, text);
  }
}
