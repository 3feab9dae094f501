import { type InformedResource, Informer } from '../../client/informer.ts';
import type { AnyObject } from '../../client/plane-client.ts';
import type { ReflectedPlane } from '../../client/reflector.ts';
import type { ResourceName } from '../../client/served-kind.ts';
import type { FollowedObjects, Follower, Following, KnownKinds, KnownObjects, OwnershipListener } from '../loop.ts';
import { ServedOwnership } from './served-ownership.ts';

interface Informed {
  readonly resource: InformedResource;
  readonly informer: Informer;
}

/** What is known of a plane from its lists and watches. A resource may be followed that is not served yet. */
export class ServedObjects implements KnownObjects {
  readonly #plane: ReflectedPlane;
  readonly #kinds: KnownKinds;
  readonly #informers = new Map<string, Informed>();
  readonly #subscription: { close(): void };

  constructor(plane: ReflectedPlane, kinds: KnownKinds) {
    this.#plane = plane;
    this.#kinds = kinds;
    this.#subscription = kinds.follow(() => {
      for (const { resource, informer } of this.#informers.values()) informer.turnTo(kinds.find(resource));
    });
  }

  get<T extends AnyObject>(resource: ResourceName, namespace: string, name: string): T | undefined {
    return this.#knowing(resource, namespace)?.get<T>(namespace, name);
  }

  each<T extends AnyObject>(resource: ResourceName, namespace = '', mentions = ''): Iterable<T> {
    return this.#knowing(resource, namespace)?.each<T>(namespace, mentions) ?? [];
  }

  follow({ group, plural, ...part }: FollowedObjects, follower: Follower): Following {
    const everywhere = this.#informers.get(keyOf({ group, plural }));
    // What one namespace holds is followed by itself, unless all is known anyway.
    const isKnown = everywhere?.informer.covers(part) ?? false;
    const resource =
      isKnown || part.namespace === undefined ? { group, plural } : { group, plural, namespace: part.namespace };
    const key = keyOf(resource);
    const informed = this.#informers.get(key) ?? { resource, informer: new Informer(this.#plane, resource) };
    this.#informers.set(key, informed);
    const { informer } = informed;
    informer.turnTo(this.#kinds.find(resource));
    const { listed, close } = informer.follow(part, follower);
    return {
      listed,
      close: () => {
        close();
        if (informer.isIdle && this.#informers.get(key) === informed) this.#informers.delete(key);
      },
    };
  }

  /** Owners and dependents of all kinds. What is there is told over some time. */
  followOwnership(listener: OwnershipListener): ServedOwnership {
    return new ServedOwnership(this.#plane, this.#kinds, listener);
  }

  close(): void {
    this.#subscription.close();
    for (const { informer } of this.#informers.values()) informer.close();
  }

  #knowing({ group, plural }: ResourceName, namespace: string): Informer | undefined {
    const everywhere = this.#informers.get(keyOf({ group, plural }));
    return (everywhere ?? this.#informers.get(keyOf({ group, plural, namespace })))?.informer;
  }
}

const keyOf = ({ group, plural, namespace = '' }: InformedResource): string => `${group}/${plural}/${namespace}`;
