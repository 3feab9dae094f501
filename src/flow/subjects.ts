import { parseServiceAccountUser, serviceAccountUser, type UserInfo } from '../api/user.ts';
import type { Subject } from '../kinds/flowcontrol/v1beta2/subject.ts';

const ALL = '*';

/** The users that a set of rules is about. */
export class Subjects {
  readonly #users = new Set<string>();
  readonly #groups = new Set<string>();
  /** Those of which every service account is meant. */
  readonly #namespaces = new Set<string>();
  readonly #all: boolean;

  constructor(subjects: readonly Subject[]) {
    for (const { kind, user, group, serviceAccount } of subjects) {
      if (kind === 'User' && user) this.#users.add(user.name);
      if (kind === 'Group' && group) this.#groups.add(group.name);
      if (kind !== 'ServiceAccount' || !serviceAccount) continue;
      const { namespace, name } = serviceAccount;
      if (name === ALL) this.#namespaces.add(namespace);
      else this.#users.add(serviceAccountUser(namespace, name));
    }
    this.#all = this.#users.has(ALL);
  }

  /** `namespace`: of the service account that the user is, if it is one. */
  include({ name, groups }: UserInfo, namespace: string | undefined): boolean {
    if (this.#all || this.#users.has(name)) return true;
    if (namespace !== undefined && this.#namespaces.has(namespace)) return true;
    if (this.#groups.size === 0) return false;
    if (this.#groups.has(ALL)) return true;
    for (const group of groups) if (this.#groups.has(group)) return true;
    return false;
  }
}

/** The namespace of the service account that a user is; undefined for all others. */
export const accountNamespace = ({ name }: UserInfo): string | undefined => parseServiceAccountUser(name)?.namespace;
