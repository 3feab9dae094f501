import type { Catalogue, ServedGroup } from '../../registry/catalogue.ts';
import { compareVersions } from '../../registry/version-order.ts';
import type { ApiServices, Priorities } from './api-services.ts';

/** Custom kinds come after whatever has a place of its own. */
export const CUSTOM_PRIORITIES: Priorities = { group: 1000, version: 100 };

export interface GroupDirectoryParts {
  readonly catalogue: Catalogue;
  readonly services: ApiServices;
  /** Of the versions that the server has by itself, where no APIService says otherwise. */
  builtIn(group: string, version: string): Priorities | undefined;
  /** Always listed first, in this order. */
  readonly first: readonly string[];
  /** Groups that are listed at all; undefined: all. */
  readonly only: ReadonlySet<string> | undefined;
}

/** All groups and versions that clients can ask for, whoever answers, in the order of their priorities. */
export class GroupDirectory {
  readonly #parts: GroupDirectoryParts;
  #groups: readonly ServedGroup[] = [];
  #known = -1;

  constructor(parts: GroupDirectoryParts) {
    this.#parts = parts;
  }

  /** Grows with every change. */
  get revision(): number {
    return this.#parts.catalogue.revision + this.#parts.services.revision;
  }

  groups(): readonly ServedGroup[] {
    if (this.#known !== this.revision) {
      this.#known = this.revision;
      this.#groups = this.#sorted();
    }
    return this.#groups;
  }

  #sorted(): readonly ServedGroup[] {
    const versions = new Map<string, Map<string, Priorities>>();
    const add = (group: string, version: string): void => {
      if (this.#parts.only && !this.#parts.only.has(group)) return;
      const known = versions.get(group) ?? new Map<string, Priorities>();
      versions.set(group, known.set(version, this.#prioritiesOf(group, version)));
    };
    for (const group of this.#parts.catalogue.groups()) for (const one of group.versions) add(group.name, one);
    for (const { group, version } of this.#parts.services.remotes()) add(group, version);
    return [...versions]
      .map(([name, all]) => ({ name, all, priority: Math.max(...[...all.values()].map(({ group }) => group)) }))
      .sort((a, b) => this.#rank(a.name) - this.#rank(b.name) || b.priority - a.priority || (a.name < b.name ? -1 : 1))
      .map(({ name, all }) => ({ name, versions: [...all].sort(byPriority).map(([version]) => version) }));
  }

  #prioritiesOf(group: string, version: string): Priorities {
    const { services, builtIn } = this.#parts;
    return services.priorities(group, version) ?? builtIn(group, version) ?? CUSTOM_PRIORITIES;
  }

  #rank(group: string): number {
    const at = this.#parts.first.indexOf(group);
    return at < 0 ? this.#parts.first.length : at;
  }
}

type Ranked = readonly [version: string, priorities: Priorities];

const byPriority = ([a, one]: Ranked, [b, other]: Ranked): number =>
  other.version - one.version || compareVersions(a, b);
