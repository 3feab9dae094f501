import type { ResourceType } from './resource-type.ts';

/** A group with its versions in order of preference. */
export interface ServedGroup {
  readonly name: string;
  readonly versions: readonly string[];
}

const keyOf = (group: string, version: string, plural: string): string => `${group}/${version}/${plural}`;

/**
 * Everything the server serves, as values. Adding a kind, a version or a custom type is a change to this catalogue and
 * nothing else. `revision` grows with every change, so that documents derived from it know when they are stale.
 */
export class Catalogue {
  revision = 0;
  private readonly types = new Map<string, ResourceType>();
  private readonly unserved = new Map<string, ResourceType>();
  private readonly order: Map<string, string[]>;

  /** `order`: groups, and versions within them, by preference. Unlisted ones come last. */
  constructor(order: readonly ServedGroup[] = []) {
    this.order = new Map(order.map(({ name, versions }) => [name, [...versions]]));
  }

  add(...types: readonly ResourceType[]): void {
    for (const type of types) this.enter(type, this.types);
    this.revision++;
  }

  /** What nobody can ask for, though the server may hold objects of it and work with them. */
  addUnserved(...types: readonly ResourceType[]): void {
    for (const type of types) this.enter(type, this.unserved);
  }

  private enter(type: ResourceType, into: Map<string, ResourceType>): void {
    into.set(keyOf(type.group, type.version, type.plural), type);
    const versions = this.order.get(type.group) ?? [];
    if (!versions.includes(type.version)) versions.push(type.version);
    this.order.set(type.group, versions);
  }

  remove({ group, version, plural }: ResourceType): void {
    this.types.delete(keyOf(group, version, plural));
    this.revision++;
  }

  find(group: string, version: string, plural: string): ResourceType | undefined {
    return this.types.get(keyOf(group, version, plural));
  }

  /** The type in the preferred version of its group: one that is served, if there is any. */
  preferred(group: string, plural: string): ResourceType | undefined {
    for (const types of [this.types, this.unserved]) {
      for (const version of this.order.get(group) ?? []) {
        const type = types.get(keyOf(group, version, plural));
        if (type) return type;
      }
    }
    return undefined;
  }

  /** The type that serves a stored kind in the version so named. */
  servedAs(hub: ResourceType, apiVersion: string): ResourceType | undefined {
    const own = hub.group === '' ? hub.version : `${hub.group}/${hub.version}`;
    if (own === apiVersion) return hub;
    for (const type of this.known()) {
      const isSame = type.conversion !== undefined && type.collection === hub.collection;
      if (isSame && `${type.group}/${type.version}` === apiVersion) return type;
    }
    return undefined;
  }

  all(): IterableIterator<ResourceType> {
    return this.types.values();
  }

  /** Everything that there may be objects of. */
  known(): ResourceType[] {
    return [...this.types.values(), ...this.unserved.values()];
  }

  /** Resource types of one version, by name. */
  typesOf(group: string, version: string): ResourceType[] {
    return [...this.types.values()]
      .filter((type) => type.group === group && type.version === version)
      .sort((a, b) => (a.plural < b.plural ? -1 : 1));
  }

  /** The groups that serve anything, with only the versions that do. */
  groups(): ServedGroup[] {
    const served = new Set([...this.types.values()].map(({ group, version }) => `${group}/${version}`));
    return [...this.order]
      .map(([name, versions]) => ({ name, versions: versions.filter((version) => served.has(`${name}/${version}`)) }))
      .filter(({ versions }) => versions.length > 0);
  }

  hasGroup(group: string): boolean {
    return [...this.types.values()].some((type) => type.group === group);
  }
}
