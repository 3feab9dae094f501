import type { APIService } from '../../kinds/apiregistration/api-service.ts';
import type { ObjectSource } from '../../registry/informer.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { type RemoteVersion, remoteVersionOf } from './remote-version.ts';

/** The place of a group among groups, and of a version among those of its group; higher comes first. */
export interface Priorities {
  readonly group: number;
  readonly version: number;
}

/** What a request asks for, as far as it decides who answers. */
interface Asked {
  readonly resourceRequest: boolean;
  readonly group: string;
  readonly version: string;
  readonly path: string;
}

const NAMED_GROUPS = '/apis/';

/**
 * The stored APIServices: which versions of which groups other servers answer for, and how all of them are ordered. Every
 * server follows them by itself, so that servers over one store agree.
 */
export class ApiServices {
  readonly #subscription: { close(): void };
  readonly #fixed: ReadonlySet<string>;
  /** By `<group>/<version>`. */
  readonly #remotes = new Map<string, RemoteVersion>();
  readonly #priorities = new Map<string, Priorities>();
  #revision = 0;

  constructor(informer: ObjectSource, { groups }: Vocabulary) {
    // Whoever took these over could never be removed again.
    this.#fixed = new Set(['', groups.apiregistration]);
    this.#subscription = informer.follow(
      { group: groups.apiregistration, plural: 'apiservices' },
      { onSet: (service: APIService) => this.#set(service), onRemove: (service: APIService) => this.#remove(service) },
    );
  }

  /** Grows with every change of what `find`, `remotes` and `priorities` give. */
  get revision(): number {
    return this.#revision;
  }

  get hasRemotes(): boolean {
    return this.#remotes.size > 0;
  }

  /** Undefined: this server answers itself. */
  find(group: string, version: string): RemoteVersion | undefined {
    return this.#remotes.size === 0 ? undefined : this.#remotes.get(keyOf(group, version));
  }

  /** Who answers a request that may or may not be for a resource. While there are no remote versions this costs nothing. */
  answering(asked: Asked): RemoteVersion | undefined {
    if (this.#remotes.size === 0) return undefined;
    if (asked.resourceRequest) return this.find(asked.group, asked.version);
    if (!asked.path.startsWith(NAMED_GROUPS)) return undefined;
    const [group = '', version = ''] = asked.path.slice(NAMED_GROUPS.length).split('/', 2);
    return this.find(group, version);
  }

  remotes(): Iterable<RemoteVersion> {
    return this.#remotes.values();
  }

  /** Undefined where no APIService says. */
  priorities(group: string, version: string): Priorities | undefined {
    return this.#priorities.get(keyOf(group, version));
  }

  close(): void {
    this.#subscription.close();
  }

  #set(service: APIService): void {
    const { group = '', version = '', groupPriorityMinimum, versionPriority } = service.spec;
    const key = keyOf(group, version);
    const remote = this.#fixed.has(group) ? undefined : remoteVersionOf(service);
    if (remote) this.#remotes.set(key, remote);
    else this.#remotes.delete(key);
    this.#priorities.set(key, { group: groupPriorityMinimum, version: versionPriority });
    this.#revision++;
  }

  #remove({ spec: { group = '', version = '' } }: APIService): void {
    const key = keyOf(group, version);
    this.#remotes.delete(key);
    this.#priorities.delete(key);
    this.#revision++;
  }
}

const keyOf = (group: string, version: string): string => `${group}/${version}`;
