import { type Reflection, Reflector } from '../../client/informing/reflector.ts';
import type { AnyObject } from '../../client/plane-client.ts';
import { apiVersionOfKind, type ResourceName, type ServedKind } from '../../client/served-kind.ts';
import type { OwnershipListener } from '../../meta/dependents.ts';
import type { KnownKinds, KnownOwnership } from '../loop.ts';
import { isOwned, ownershipIn } from './ownership.ts';
import type { ServedPlane } from './served-plane.ts';

/** Of every object, which one it is; of those that own something or are owned, that others know of it. */
interface KnownObject {
  readonly uid: string;
  readonly isTold: boolean;
}

/** Owners and dependents of all kinds that can be followed, from their metadata alone. */
export class ServedOwnership implements KnownOwnership {
  readonly #plane: ServedPlane;
  readonly #kinds: KnownKinds;
  readonly #listener: OwnershipListener;
  readonly #ofKinds = new Map<string, KindOwnership>();
  readonly #subscription: { close(): void };
  #onceComplete: (() => void)[] = [];

  constructor(plane: ServedPlane, kinds: KnownKinds, listener: OwnershipListener) {
    this.#plane = plane;
    this.#kinds = kinds;
    this.#listener = listener;
    this.#subscription = kinds.follow(() => this.#look());
    this.#look();
  }

  /** Settles when everything there was has been told, also of kinds that came since; undefined when it has. */
  whenComplete(): Promise<void> | undefined {
    if (this.#isComplete()) return undefined;
    return new Promise((resolve) => this.#onceComplete.push(resolve));
  }

  /** Undefined when no such object is known. */
  uidOf(resource: ResourceName, namespace: string, name: string): string | undefined {
    return this.#ofKinds.get(keyOf(resource))?.uidOf(namespace, name);
  }

  /** In which namespace there is an object of this name with this uid; undefined when none is known. */
  namespaceOf(resource: ResourceName, name: string, uid: string): string | undefined {
    return this.#ofKinds.get(keyOf(resource))?.namespaceOf(name, uid);
  }

  close(): void {
    this.#subscription.close();
    for (const ofKind of this.#ofKinds.values()) ofKind.close();
    this.#resolveAll();
  }

  /** Kinds come and go; one that is served in another version is listed anew. */
  #look(): void {
    const wanted = new Map(
      [...this.#kinds.all()].filter((kind) => this.#concerns(kind)).map((kind) => [keyOf(kind), kind]),
    );
    for (const [key, ofKind] of this.#ofKinds) {
      if (wanted.has(key)) continue;
      this.#ofKinds.delete(key);
      ofKind.end();
    }
    for (const [key, kind] of wanted) {
      const before = this.#ofKinds.get(key);
      if (before?.apiVersion === apiVersionOfKind(kind)) continue;
      before?.close();
      this.#ofKinds.set(key, this.#begin(kind, before?.objects));
    }
    if (this.#isComplete()) this.#resolveAll();
  }

  #begin(kind: ServedKind, objects = new ObjectUids()): KindOwnership {
    const whenListed = (): void => {
      if (this.#isComplete()) this.#resolveAll();
    };
    return new KindOwnership(this.#plane, kind, { listener: this.#listener, objects, whenListed });
  }

  #concerns(kind: ServedKind): boolean {
    const { verbs } = kind;
    return ['list', 'watch', 'delete'].every((verb) => verbs.includes(verb)) && this.#listener.concerns(kind);
  }

  #isComplete(): boolean {
    return [...this.#ofKinds.values()].every(({ isListed }) => isListed);
  }

  #resolveAll(): void {
    for (const resolve of this.#onceComplete.splice(0)) resolve();
  }
}

/** The objects of a kind by their places, and the other way round. */
class ObjectUids {
  readonly #byPlace = new Map<string, KnownObject>();
  readonly #placeOf = new Map<string, string>();

  get(place: string): KnownObject | undefined {
    return this.#byPlace.get(place);
  }

  placeOf(uid: string): string | undefined {
    return this.#placeOf.get(uid);
  }

  places(): string[] {
    return [...this.#byPlace.keys()];
  }

  set(place: string, known: KnownObject): void {
    this.remove(place);
    this.#byPlace.set(place, known);
    this.#placeOf.set(known.uid, place);
  }

  /** What was there. */
  remove(place: string): KnownObject | undefined {
    const known = this.#byPlace.get(place);
    this.#byPlace.delete(place);
    if (known) this.#placeOf.delete(known.uid);
    return known;
  }
}

interface KindOwnershipParts {
  readonly listener: OwnershipListener;
  /** What is known of the kind already. */
  readonly objects: ObjectUids;
  whenListed(): void;
}

/** Owners and dependents among the objects of one kind. */
class KindOwnership implements Reflection {
  readonly apiVersion: string;
  readonly objects: ObjectUids;
  isListed = false;
  readonly #kind: ServedKind;
  readonly #plane: ServedPlane;
  readonly #parts: KindOwnershipParts;
  readonly #reflector: Reflector;
  #listing: Set<string> | undefined;

  constructor(plane: ServedPlane, kind: ServedKind, parts: KindOwnershipParts) {
    this.apiVersion = apiVersionOfKind(kind);
    this.objects = parts.objects;
    this.#kind = kind;
    this.#plane = plane;
    this.#parts = parts;
    this.#reflector = new Reflector(plane, { kind, metadataOnly: true }, this);
  }

  uidOf(namespace: string, name: string): string | undefined {
    return this.objects.get(`${namespace}/${name}`)?.uid;
  }

  namespaceOf(name: string, uid: string): string | undefined {
    const place = this.objects.placeOf(uid);
    return place?.endsWith(`/${name}`) ? place.slice(0, place.indexOf('/')) : undefined;
  }

  onListing(): void {
    this.#listing = new Set();
  }

  onListed(): void {
    for (const place of this.objects.places()) if (!this.#listing?.has(place)) this.#forget(place);
    this.#listing = undefined;
    this.isListed = true;
    this.#parts.whenListed();
  }

  onSet({ metadata }: AnyObject): void {
    const owned = ownershipIn(this.#kind, metadata);
    const place = `${owned.namespace}/${owned.name}`;
    const before = this.objects.get(place);
    this.#listing?.add(place);
    if (before && before.uid !== owned.uid) this.#forget(place);
    const isTold = isOwned(owned);
    this.objects.set(place, { uid: owned.uid, isTold });
    if (isTold || before?.isTold) this.#parts.listener.onSet(owned);
  }

  onRemove({ metadata }: AnyObject): void {
    const place = `${metadata.namespace ?? ''}/${metadata.name}`;
    this.#listing?.delete(place);
    this.#forget(place);
  }

  onError(error: unknown): void {
    this.#plane.onError(this.#kind.plural, error);
  }

  /** The kind is gone, and its objects with it. */
  end(): void {
    this.close();
    for (const place of this.objects.places()) this.#forget(place);
  }

  close(): void {
    this.#reflector.close();
  }

  #forget(place: string): void {
    const known = this.objects.remove(place);
    if (!known) return;
    const { group, kind } = this.#kind;
    const slash = place.indexOf('/');
    const [namespace, name] = [place.slice(0, slash), place.slice(slash + 1)];
    this.#parts.listener.onRemove({ uid: known.uid, group, kind, namespace, name });
  }
}

const keyOf = ({ group, plural }: ResourceName): string => `${group}/${plural}`;
