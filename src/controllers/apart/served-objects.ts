import { Informer } from '../../client/informer.ts';
import type { AnyObject } from '../../client/plane-client.ts';
import type { ReflectedPlane } from '../../client/reflector.ts';
import type { ResourceName } from '../../client/served-kind.ts';
import type { FollowedObjects, Follower, Following, KnownKinds, KnownObjects } from '../loop.ts';

/** What is known of a plane from its lists and watches. A resource may be followed that is not served yet. */
export class ServedObjects implements KnownObjects {
  readonly #plane: ReflectedPlane;
  readonly #kinds: KnownKinds;
  readonly #informers = new Map<string, { readonly resource: ResourceName; readonly informer: Informer }>();
  readonly #subscription: { close(): void };

  constructor(plane: ReflectedPlane, kinds: KnownKinds) {
    this.#plane = plane;
    this.#kinds = kinds;
    this.#subscription = kinds.follow(() => {
      for (const { resource, informer } of this.#informers.values()) informer.turnTo(kinds.find(resource));
    });
  }

  get<T extends AnyObject>(resource: ResourceName, namespace: string, name: string): T | undefined {
    return this.#informers.get(keyOf(resource))?.informer.get<T>(namespace, name);
  }

  each<T extends AnyObject>(resource: ResourceName, namespace = '', mentions = ''): Iterable<T> {
    return this.#informers.get(keyOf(resource))?.informer.each<T>(namespace, mentions) ?? [];
  }

  follow({ group, plural, ...part }: FollowedObjects, follower: Follower): Following {
    const resource = { group, plural };
    const key = keyOf(resource);
    const { informer } = this.#informers.get(key) ?? { informer: new Informer(this.#plane, resource) };
    this.#informers.set(key, { resource, informer });
    informer.turnTo(this.#kinds.find(resource));
    return informer.follow(part, follower);
  }

  close(): void {
    this.#subscription.close();
    for (const { informer } of this.#informers.values()) informer.close();
  }
}

const keyOf = ({ group, plural }: ResourceName): string => `${group}/${plural}`;
