import type { AnyObject } from '../../client/plane-client.ts';
import type { ResourceName } from '../../client/served-kind.ts';
import type { OwnershipListener } from '../../meta/dependents.ts';
import type { FollowedObjects, Follower, Following, KnownKinds, KnownObjects } from '../loop.ts';
import { type FollowedCollection, FollowedResource } from './followed-resource.ts';
import { ServedOwnership } from './served-ownership.ts';
import type { ServedPlane } from './served-plane.ts';

interface Entry {
  readonly collection: FollowedCollection;
  readonly followed: FollowedResource;
}

/** What is known of a plane from its lists and watches. A resource may be followed that is not served yet. */
export class ServedObjects implements KnownObjects {
  readonly #plane: ServedPlane;
  readonly #kinds: KnownKinds;
  readonly #followed = new Map<string, Entry>();
  readonly #subscription: { close(): void };

  constructor(plane: ServedPlane, kinds: KnownKinds) {
    this.#plane = plane;
    this.#kinds = kinds;
    this.#subscription = kinds.follow(() => {
      for (const { collection, followed } of this.#followed.values()) followed.turnTo(kinds.find(collection));
    });
  }

  get<T extends AnyObject>(resource: ResourceName, namespace: string, name: string): T | undefined {
    return this.#knowing(resource, namespace)?.get<T>(namespace, name);
  }

  each<T extends AnyObject>(resource: ResourceName, namespace = '', mentions = ''): Iterable<T> {
    return this.#knowing(resource, namespace)?.each<T>(namespace, mentions) ?? [];
  }

  follow({ group, plural, ...part }: FollowedObjects, follower: Follower): Following {
    const everywhere = this.#followed.get(keyOf({ group, plural }));
    // What one namespace holds is followed by itself, unless all is known anyway.
    const isKnown = everywhere?.followed.covers(part) ?? false;
    const collection =
      isKnown || part.namespace === undefined ? { group, plural } : { group, plural, namespace: part.namespace };
    const key = keyOf(collection);
    const entry = this.#followed.get(key) ?? { collection, followed: new FollowedResource(this.#plane, collection) };
    this.#followed.set(key, entry);
    const { followed } = entry;
    followed.turnTo(this.#kinds.find(collection));
    const { close, ...following } = followed.follow(part, follower);
    return {
      ...following,
      close: () => {
        close();
        if (followed.isIdle && this.#followed.get(key) === entry) this.#followed.delete(key);
      },
    };
  }

  /** Owners and dependents of all kinds. What is there is told over some time. */
  followOwnership(listener: OwnershipListener): ServedOwnership {
    return new ServedOwnership(this.#plane, this.#kinds, listener);
  }

  close(): void {
    this.#subscription.close();
    for (const { followed } of this.#followed.values()) followed.close();
  }

  #knowing({ group, plural }: ResourceName, namespace: string): FollowedResource | undefined {
    const everywhere = this.#followed.get(keyOf({ group, plural }));
    return (everywhere ?? this.#followed.get(keyOf({ group, plural, namespace })))?.followed;
  }
}

const keyOf = ({ group, plural, namespace = '' }: FollowedCollection): string => `${group}/${plural}/${namespace}`;
