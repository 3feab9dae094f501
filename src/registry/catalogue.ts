import { type CatalogueFollower, Followers } from './catalogue-followers.ts';
import { apiVersionOf } from './incoming.ts';
import type { Kind } from './kind.ts';
import type { ResourceType } from './resource-type.ts';
import { type ServedGroup, ServedGroups } from './served-groups.ts';

export type { CatalogueFollower } from './catalogue-followers.ts';
export type { ServedGroup } from './served-groups.ts';

/** A resource in whatever version. */
export interface Resource {
  readonly group: string;
  readonly plural: string;
}

const resourceKey = ({ group, plural }: Resource): string => `${group}/${plural}`;
const typeKey = (group: string, version: string, plural: string): string => `${group}/${version}/${plural}`;

/**
 * Everything the server serves, as values. Adding, replacing or removing a kind is a change to this catalogue and nothing
 * else, and costs the same however many kinds there are. A change is made as a whole, and then told to all who follow.
 */
export class Catalogue {
  /** By group and plural of their storage version. */
  readonly #kinds = new Map<string, Kind>();
  /** Also of types that are no longer here: a request under way stays with the kind that it began with. */
  readonly #kindOf = new WeakMap<ResourceType, Kind>();
  readonly #served = new Map<string, ResourceType>();
  /**
   * The type in the preferred version, by group and plural of any version of the kind. Whoever reads an object asks, so that
   * no key is put together for it.
   */
  readonly #preferred = new Map<string, Map<string, ResourceType>>();
  /** Types that are served, by apiVersion and kind; hardly ever more than one. */
  readonly #named = new Map<string, readonly ResourceType[]>();
  readonly #collections = new Map<string, Kind>();
  readonly #groups: ServedGroups;
  readonly #followers = new Followers();
  #revision = 0;

  /** `order`: groups, and versions within them, by preference. Others come last: groups by name, versions stable ones first. */
  constructor(order: readonly ServedGroup[] = []) {
    this.#groups = new ServedGroups(order);
  }

  /** Grows with every change, so that documents derived from the catalogue know when they are stale. */
  get revision(): number {
    return this.#revision;
  }

  /** Throws, and changes nothing, when something of a kind is here already. */
  add(...kinds: readonly Kind[]): void {
    for (const kind of kinds) this.#refuseTaken(kind, undefined);
    for (const kind of kinds) this.#enter(kind);
    this.#revision++;
    this.#followers.tell(kinds.map((kind) => (follower) => follower.onAdd(kind)));
  }

  /** Puts a kind in the place of the one with the same group and plural. Throws, and changes nothing, if it cannot. */
  replace(kind: Kind): void {
    const before = this.#kinds.get(resourceKey(kind));
    if (!before) throw new Error(`there is no ${kind.plural} in the group "${kind.group}" to be replaced`);
    this.#refuseTaken(kind, before);
    this.#leave(before);
    this.#enter(kind);
    this.#groups.forgetEmpty(before.versions);
    this.#revision++;
    this.#followers.tell([(follower) => follower.onReplace(before, kind)]);
  }

  /** Nothing happens when there is no such kind. */
  remove(resource: Resource): void {
    const kind = this.#kinds.get(resourceKey(resource));
    if (!kind) return;
    this.#leave(kind);
    this.#groups.forgetEmpty(kind.versions);
    this.#revision++;
    this.#followers.tell([(follower) => follower.onRemove(kind)]);
  }

  /** Tells of every change from now on, once it is made. */
  follow(follower: CatalogueFollower): { close(): void } {
    return this.#followers.add(follower);
  }

  /** The served type. */
  find(group: string, version: string, plural: string): ResourceType | undefined {
    return this.#served.get(typeKey(group, version, plural));
  }

  /** The type in the preferred version of its group: one that is served, if there is any. */
  preferred(group: string, plural: string): ResourceType | undefined {
    return this.#preferred.get(group)?.get(plural);
  }

  /** Served types by what objects say they are. */
  named(apiVersion: string, kind: string): readonly ResourceType[] {
    return this.#named.get(`${apiVersion}/${kind}`) ?? [];
  }

  /** The kind that has this resource in one of its versions. */
  kind(resource: Resource): Kind | undefined {
    const type = this.preferred(resource.group, resource.plural);
    return type && this.kindOf(type);
  }

  /** The kind that a type is a version of, also when the catalogue has another one in its place by now. */
  kindOf(type: ResourceType): Kind | undefined {
    return this.#kindOf.get(type);
  }

  /** The kind whose objects are stored in a collection. */
  storedIn(collection: string): Kind | undefined {
    return this.#collections.get(collection);
  }

  /** The type that shows objects of a kind in the version so named, served or not. */
  servedAs(type: ResourceType, apiVersion: string): ResourceType | undefined {
    return apiVersionOf(type) === apiVersion ? type : this.kindOf(type)?.in(apiVersion);
  }

  /** Everything that there may be objects of, served or not. */
  kinds(): IterableIterator<Kind> {
    return this.#kinds.values();
  }

  /** Every served type. */
  all(): IterableIterator<ResourceType> {
    return this.#served.values();
  }

  /** Served types of one version, by name. */
  typesOf(group: string, version: string): readonly ResourceType[] {
    return this.#groups.typesOf(group, version);
  }

  /** The groups that serve anything, with only the versions that do. */
  groups(): readonly ServedGroup[] {
    return this.#groups.all();
  }

  hasGroup(group: string): boolean {
    return this.#groups.has(group);
  }

  /** Whether something of a group is served that the catalogue was made with, rather than one that came later. */
  hasListed(group: string): boolean {
    return this.#groups.isListed(group) && this.#groups.has(group);
  }

  #refuseTaken(kind: Kind, before: Kind | undefined): void {
    for (const type of kind.versions) {
      const owner = this.kind(type);
      if (owner && owner !== before) throw new Error(`${type.plural} is in the group "${type.group}" already`);
    }
    const holder = kind.collection === undefined ? undefined : this.storedIn(kind.collection);
    if (holder && holder !== before) throw new Error(`objects of ${holder.plural} are stored in ${kind.collection}`);
  }

  #enter(kind: Kind): void {
    this.#kinds.set(resourceKey(kind), kind);
    if (kind.collection !== undefined) this.#collections.set(kind.collection, kind);
    for (const type of kind.versions) {
      this.#kindOf.set(type, kind);
      this.#groups.enter(type, kind.served.includes(type));
    }
    for (const type of kind.served) {
      this.#served.set(typeKey(type.group, type.version, type.plural), type);
      this.#named.set(nameOf(type), [...this.named(apiVersionOf(type), type.kind), type]);
    }
    for (const type of kind.versions) {
      const ofGroup = this.#preferred.get(type.group) ?? new Map<string, ResourceType>();
      this.#preferred.set(type.group, ofGroup.set(type.plural, this.#preferredOf(kind, type)));
    }
  }

  /** Of the versions of a kind that have the same group and plural. */
  #preferredOf(kind: Kind, { group, plural }: Resource): ResourceType {
    const candidates = kind.versions.filter((type) => type.group === group && type.plural === plural);
    const isServed = (type: ResourceType): boolean => kind.served.includes(type);
    const [best = kind.storage] = candidates.toSorted(
      (a, b) => Number(isServed(b)) - Number(isServed(a)) || this.#groups.compare(a, b),
    );
    return best;
  }

  #leave(kind: Kind): void {
    this.#kinds.delete(resourceKey(kind));
    if (kind.collection !== undefined) this.#collections.delete(kind.collection);
    for (const type of kind.versions) {
      const ofGroup = this.#preferred.get(type.group);
      if (ofGroup?.delete(type.plural) && ofGroup.size === 0) this.#preferred.delete(type.group);
      this.#groups.leave(type);
    }
    for (const type of kind.served) {
      this.#served.delete(typeKey(type.group, type.version, type.plural));
      const others = this.named(apiVersionOf(type), type.kind).filter((other) => other !== type);
      if (others.length > 0) this.#named.set(nameOf(type), others);
      else this.#named.delete(nameOf(type));
    }
  }
}

const nameOf = (type: ResourceType): string => `${apiVersionOf(type)}/${type.kind}`;
