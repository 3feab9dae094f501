import type { ResourceType } from './resource-type.ts';
import { compareVersions } from './version-order.ts';

/** A group with its versions in order of preference. */
export interface ServedGroup {
  readonly name: string;
  readonly versions: readonly string[];
}

/** The types of one version of a group. */
class GroupVersion {
  readonly version: string;
  /** By plural. */
  readonly served = new Map<string, ResourceType>();
  /** How many types there are, served or not. */
  known = 0;
  #sorted: readonly ResourceType[] | undefined;

  constructor(version: string) {
    this.version = version;
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

/** One group. Versions are in order of preference: listed ones as they were listed, then others, stable ones first. */
class Group {
  readonly versions: Map<string, GroupVersion>;
  readonly #listed: readonly string[];

  constructor(listed: readonly string[]) {
    this.#listed = listed;
    this.versions = new Map(listed.map((version) => [version, new GroupVersion(version)]));
  }

  get isEmpty(): boolean {
    return this.versions.size === 0;
  }

  get served(): GroupVersion[] {
    return [...this.versions.values()]
      .filter(({ served }) => served.size > 0)
      .sort((a, b) => this.compare(a.version, b.version));
  }

  /** For sorting versions of this group. */
  compare(a: string, b: string): number {
    return this.#rank(a) - this.#rank(b) || compareVersions(a, b);
  }

  #rank(version: string): number {
    const at = this.#listed.indexOf(version);
    return at < 0 ? this.#listed.length : at;
  }

  enter(type: ResourceType, isServed: boolean): void {
    const version = this.versions.get(type.version) ?? new GroupVersion(type.version);
    this.versions.set(type.version, version);
    version.enter(type, isServed);
  }

  leave(type: ResourceType): void {
    this.versions.get(type.version)?.leave(type);
  }

  forgetIfEmpty(version: string): void {
    if (this.versions.get(version)?.known === 0 && !this.#listed.includes(version)) this.versions.delete(version);
  }
}

/** Types by group and version, as discovery lists them. What was sorted is kept until something in it changes. */
export class ServedGroups {
  readonly #groups: Map<string, Group>;
  /** Of the listed groups; lower comes first. */
  readonly #ranks: ReadonlyMap<string, number>;
  #all: readonly ServedGroup[] | undefined;

  constructor(order: readonly ServedGroup[]) {
    this.#groups = new Map(order.map(({ name, versions }) => [name, new Group(versions)]));
    this.#ranks = new Map(order.map(({ name }, rank) => [name, rank]));
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

  isListed(group: string): boolean {
    return this.#ranks.has(group);
  }

  #rank(group: string): number {
    return this.#ranks.get(group) ?? this.#ranks.size;
  }

  has(group: string): boolean {
    return (this.#groups.get(group)?.served.length ?? 0) > 0;
  }

  /** For sorting types of one group by the preference of their versions. */
  compare(a: ResourceType, b: ResourceType): number {
    return this.#groups.get(a.group)?.compare(a.version, b.version) ?? 0;
  }

  typesOf(group: string, version: string): readonly ResourceType[] {
    return this.#groups.get(group)?.versions.get(version)?.types ?? [];
  }

  /** Listed groups as they were listed, then others by name. */
  all(): readonly ServedGroup[] {
    this.#all ??= [...this.#groups]
      .sort(([a], [b]) => this.#rank(a) - this.#rank(b) || (a < b ? -1 : 1))
      .map(([name, group]) => ({ name, versions: group.served.map(({ version }) => version) }))
      .filter(({ versions }) => versions.length > 0);
    return this.#all;
  }
}
