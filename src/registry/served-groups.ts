import type { ResourceType } from './resource-type.ts';

/** A group with its versions in order of preference. */
export interface ServedGroup {
  readonly name: string;
  readonly versions: readonly string[];
}

/** The types of one version of a group. */
class GroupVersion {
  readonly version: string;
  /** Among those of its group; lower is preferred. */
  readonly rank: number;
  /** By plural. */
  readonly served = new Map<string, ResourceType>();
  /** How many types there are, served or not. */
  known = 0;
  #sorted: readonly ResourceType[] | undefined;

  constructor(version: string, rank: number) {
    this.version = version;
    this.rank = rank;
  }

  get types(): readonly ResourceType[] {
    this.#sorted ??= [...this.served.values()].sort((a, b) => (a.plural < b.plural ? -1 : 1));
    return this.#sorted;
  }

  enter(type: ResourceType, isServed: boolean): void {
    this.known++;
    if (isServed) this.served.set(type.plural, type);
    this.#sorted = undefined;
  }

  leave(type: ResourceType): void {
    this.known--;
    this.served.delete(type.plural);
    this.#sorted = undefined;
  }
}

/** One group. Versions are in order of preference: listed ones as they were listed, others as they came. */
class Group {
  readonly versions: Map<string, GroupVersion>;
  readonly #listed: ReadonlySet<string>;
  #nextRank: number;

  constructor(listed: readonly string[]) {
    this.#listed = new Set(listed);
    this.versions = new Map(listed.map((version, rank) => [version, new GroupVersion(version, rank)]));
    this.#nextRank = listed.length;
  }

  get isEmpty(): boolean {
    return this.versions.size === 0;
  }

  get served(): GroupVersion[] {
    return [...this.versions.values()].filter(({ served }) => served.size > 0);
  }

  enter(type: ResourceType, isServed: boolean): void {
    const version = this.versions.get(type.version) ?? new GroupVersion(type.version, this.#nextRank++);
    this.versions.set(type.version, version);
    version.enter(type, isServed);
  }

  leave(type: ResourceType): void {
    this.versions.get(type.version)?.leave(type);
  }

  forgetIfEmpty(version: string): void {
    if (this.versions.get(version)?.known === 0 && !this.#listed.has(version)) this.versions.delete(version);
  }
}

/** Types by group and version, as discovery lists them. What was sorted is kept until something in it changes. */
export class ServedGroups {
  readonly #groups: Map<string, Group>;
  #all: readonly ServedGroup[] | undefined;

  constructor(order: readonly ServedGroup[]) {
    this.#groups = new Map(order.map(({ name, versions }) => [name, new Group(versions)]));
  }

  enter(type: ResourceType, isServed: boolean): void {
    const group = this.#groups.get(type.group) ?? new Group([]);
    this.#groups.set(type.group, group);
    group.enter(type, isServed);
    this.#all = undefined;
  }

  leave(type: ResourceType): void {
    this.#groups.get(type.group)?.leave(type);
    this.#all = undefined;
  }

  /** Groups and versions that are empty keep their place until this is said, so that what is replaced stays in it. */
  forgetEmpty(types: readonly ResourceType[]): void {
    for (const { group: name, version } of types) {
      const group = this.#groups.get(name);
      group?.forgetIfEmpty(version);
      if (group?.isEmpty) this.#groups.delete(name);
    }
  }

  has(group: string): boolean {
    return (this.#groups.get(group)?.served.length ?? 0) > 0;
  }

  /** Of a type's version; lower is preferred. */
  rank({ group, version }: ResourceType): number {
    return this.#groups.get(group)?.versions.get(version)?.rank ?? Number.POSITIVE_INFINITY;
  }

  typesOf(group: string, version: string): readonly ResourceType[] {
    return this.#groups.get(group)?.versions.get(version)?.types ?? [];
  }

  all(): readonly ServedGroup[] {
    this.#all ??= [...this.#groups]
      .map(([name, group]) => ({ name, versions: group.served.map(({ version }) => version) }))
      .filter(({ versions }) => versions.length > 0);
    return this.#all;
  }
}
