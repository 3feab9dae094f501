import type { KeyQueue } from '../client/controlling/reconciler.ts';
import type { AnyObject, PlaneClient } from '../client/plane-client.ts';
import type { ResourceName, ServedKind } from '../client/served-kind.ts';
import type { OwnershipListener } from '../meta/dependents.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

export { fromKey, keyOf } from '../client/controlling/keys.ts';

/** Which objects of a kind to follow. */
export interface FollowedObjects extends ResourceName {
  /** Only objects of this name. */
  readonly name?: string;
  /** Only objects of this namespace. */
  readonly namespace?: string;
  /** Objects that do not have this text in them somewhere may be left out. */
  readonly mentions?: string;
}

/**
 * Told of objects in order. They are values that others hold too: nobody may change one. What is absent here is not even
 * looked at.
 */
export interface Follower<T extends AnyObject = AnyObject> {
  /** An object that is there, or a new version of one. */
  onSet?(object: T): void;
  /** The last version of an object that is gone. */
  onRemove?(object: T): void;
}

/** What is known of owners and dependents. It may be behind: what matters is to be asked of the plane. */
export interface KnownOwnership {
  /** Settles when everything there was has been told, also of kinds that came since; undefined when it has. */
  whenComplete(): Promise<void> | undefined;
  /** Undefined when no such object is known. */
  uidOf(resource: ResourceName, namespace: string, name: string): string | undefined;
  /** In which namespace there is an object of this name with this uid; undefined when none is known. */
  namespaceOf(resource: ResourceName, name: string, uid: string): string | undefined;
  close(): void;
}

/** Objects that are being followed. */
export interface Following {
  /** Resolves when everything has been told that was there; where it is not given that is the case already. */
  readonly listed?: Promise<void>;
  close(): void;
}

/**
 * What is known of a plane without asking it, kept up to date: inside of a server what is stored, beside one what its
 * watches tell. Only what a loop watches is known.
 */
export interface KnownObjects {
  /** `namespace`: '' for objects that have none. */
  get<T extends AnyObject>(resource: ResourceName, namespace: string, name: string): T | undefined;
  /** By name; of all namespaces when none is given. `mentions` as in `FollowedObjects`. */
  each<T extends AnyObject>(resource: ResourceName, namespace?: string, mentions?: string): Iterable<T>;
  follow(followed: FollowedObjects, follower: Follower): Following;
  /** What is there is told over some time. */
  followOwnership(listener: OwnershipListener): KnownOwnership;
}

/** What a plane serves, kept up to date. Each kind that is stored is there once, in the version that is preferred. */
export interface KnownKinds {
  all(): Iterable<ServedKind>;
  find(resource: ResourceName): ServedKind | undefined;
  /** By what objects say they are, in whatever version; `apiVersion` such as `apps/v1`. */
  named(apiVersion: string, kind: string): ServedKind | undefined;
  /** Groups with versions that could not be asked what they serve, and why; none where nobody has to be asked. */
  undiscovered?(): ReadonlyMap<string, string>;
  /** Calls back when one has come or gone, or is served otherwise. */
  follow(onChange: () => void): { close(): void };
}

/** A plane as a control loop sees it, whether it runs inside of a server or beside one. */
export interface LoopPlane {
  readonly runtime: Runtime;
  readonly vocabulary: Vocabulary;
  readonly known: KnownObjects;
  readonly kinds: KnownKinds;
  /** Reads and writes as the service account of the loop: roles, audit and field owners see it like anyone else. */
  readonly client: PlaneClient;
}

/** Where a loop says what there is to do. */
export type LoopQueue = KeyQueue;

/** Objects that a loop watches, and the keys that have to be looked at because of one. */
export interface Watched<T extends AnyObject = AnyObject> extends FollowedObjects {
  onSet?(object: T): Iterable<string>;
  onRemove?(object: T): Iterable<string>;
}

/** A loop at work in one plane. */
export interface LoopWork {
  /** Everything that it looks at, also what no key follows from. */
  readonly watches: readonly Watched[];
  /**
   * Makes true what should be for a key: looks at how things are now, whatever has happened. Keys are looked at one at a
   * time each. When it throws it is called again later; `NotYet` says so without a word in the log.
   */
  handle(key: string): Promise<void>;
  close?(): void;
}

/** A control loop, as a value: what it watches, how keys follow from objects, and what to do for a key. */
export interface Loop {
  /** As the setting `controllers`, metrics and the log call it. */
  readonly name: string;
  /** The service account of the system namespace that it acts as; undefined: as the process that runs the loops. */
  readonly account: string | undefined;
  /** So many keys at the same time; one unless given. */
  readonly workers?: number;
  begin(plane: LoopPlane, queue: LoopQueue): LoopWork;
}

/** A kind that a loop cannot work without. */
export function servedKind({ kinds }: LoopPlane, resource: ResourceName): ServedKind {
  const kind = kinds.find(resource);
  if (!kind) throw new Error(`${resource.plural} are not served`);
  return kind;
}
