import {
  AUTHENTICATED_GROUP,
  serviceAccountGroups,
  serviceAccountUser,
  type UserInfo,
  userNamed,
} from '../api/user.ts';
import { type AnyObject, PlaneClient, type Send } from '../client/plane-client.ts';
import type { ResourceName, ServedKind } from '../client/served-kind.ts';
import type { OwnershipListener } from '../meta/dependents.ts';
import type { Catalogue } from '../registry/catalogue.ts';
import type { Informer } from '../registry/informer.ts';
import type { Kind } from '../registry/kind.ts';
import type { Objects } from '../registry/objects.ts';
import { OwnershipFeed } from '../registry/ownership-feed.ts';
import { storedUid } from '../registry/stored-ownership.ts';
import type { Deadline } from '../runtime/deadline.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { mentions } from '../storage/log/dormant-version.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { FollowedObjects, Follower, KnownKinds, KnownObjects, KnownOwnership, LoopPlane } from './loop.ts';

export interface StoredPlaneParts {
  readonly objects: Objects;
  readonly catalogue: Catalogue;
  readonly informer: Informer;
  readonly runtime: Runtime;
  readonly vocabulary: Vocabulary;
  readonly term?: Deadline;
  /** What other servers serve behind this one. */
  readonly remoteKinds: RemoteKinds;
  /** Has requests answered that someone inside of the server makes, until the term is over. */
  sendAs(user: UserInfo, term: Deadline | undefined): Send;
}

/** Kinds whose objects other servers have. */
export interface RemoteKinds {
  kinds(): Iterable<ServedKind>;
  /** Versions that could not be asked what they serve, and why. */
  undiscovered(): ReadonlyMap<string, string>;
}

/** The plane around the loops of a server, as the loop with this service account sees it, or the process without one. */
export function storedPlane(parts: StoredPlaneParts, account: string | undefined): LoopPlane {
  const { runtime, vocabulary } = parts;
  const user = account === undefined ? processUser(vocabulary) : accountUser(vocabulary, account);
  return {
    runtime,
    vocabulary,
    known: new StoredObjects(parts),
    kinds: new CatalogueKinds(parts.catalogue, parts.remoteKinds),
    client: new PlaneClient(parts.sendAs(user, parts.term), vocabulary.groups.meta),
  };
}

function accountUser({ namespaces: { system } }: Vocabulary, account: string): UserInfo {
  return userNamed(serviceAccountUser(system, account), [...serviceAccountGroups(system), AUTHENTICATED_GROUP]);
}

const processUser = ({ systemNames }: Vocabulary): UserInfo =>
  userNamed(systemNames.controllerManager, [AUTHENTICATED_GROUP]);

/** Everything that is stored is known. */
class StoredObjects implements KnownObjects {
  readonly #parts: StoredPlaneParts;
  readonly #objects: Objects;
  readonly #informer: Informer;

  constructor(parts: StoredPlaneParts) {
    this.#parts = parts;
    this.#objects = parts.objects;
    this.#informer = parts.informer;
  }

  get<T extends AnyObject>(resource: ResourceName, namespace: string, name: string): T | undefined {
    return this.#objects.get<T>(resource, namespace, name);
  }

  *each<T extends AnyObject>(resource: ResourceName, namespace = '', text = ''): Iterable<T> {
    for (const version of this.#objects.versions(resource, namespace)) {
      if (text === '' || mentions(version, text)) yield this.#objects.once<T>(version);
    }
  }

  follow(followed: FollowedObjects, follower: Follower): { close(): void } {
    return this.#informer.follow(followed, follower);
  }

  followOwnership(listener: OwnershipListener): KnownOwnership {
    return new StoredOwnership(this.#parts, listener);
  }
}

const NAMESPACES = { group: '', plural: 'namespaces' };

/** Owners and dependents among what is stored. */
class StoredOwnership extends OwnershipFeed implements KnownOwnership {
  readonly #objects: Objects;

  constructor(parts: StoredPlaneParts, listener: OwnershipListener) {
    super(parts, listener);
    this.#objects = parts.objects;
  }

  uidOf(resource: ResourceName, namespace: string, name: string): string | undefined {
    const version = this.#objects.find(resource, namespace, name);
    return version && storedUid(version.bytes);
  }

  namespaceOf(resource: ResourceName, name: string, uid: string): string | undefined {
    const namespaces = this.#objects.versions(NAMESPACES).map(({ key }) => key.slice(key.lastIndexOf('/') + 1));
    return namespaces.find((namespace) => this.uidOf(resource, namespace, name) === uid);
  }
}

/** The catalogue, and what other servers serve, each kind in its preferred version. */
class CatalogueKinds implements KnownKinds {
  readonly #catalogue: Catalogue;
  readonly #remote: RemoteKinds;

  constructor(catalogue: Catalogue, remote: RemoteKinds) {
    this.#catalogue = catalogue;
    this.#remote = remote;
  }

  *all(): Iterable<ServedKind> {
    for (const kind of this.#catalogue.kinds()) {
      const served = this.#preferred(kind);
      if (served && kind.collection !== undefined) yield served;
    }
    yield* this.#remote.kinds();
  }

  undiscovered(): ReadonlyMap<string, string> {
    return this.#remote.undiscovered();
  }

  find(resource: ResourceName): ServedKind | undefined {
    return this.#catalogue.preferred(resource.group, resource.plural);
  }

  named(apiVersion: string, kind: string): ServedKind | undefined {
    const [type] = this.#catalogue.named(apiVersion, kind);
    return type && this.find(type);
  }

  follow(onChange: () => void): { close(): void } {
    return this.#catalogue.follow({ onAdd: onChange, onRemove: onChange, onReplace: onChange });
  }

  #preferred({ group, plural }: Kind): ServedKind | undefined {
    const type = this.find({ group, plural });
    return type && this.#catalogue.find(type.group, type.version, type.plural) ? type : undefined;
  }
}
