import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { type AnyObject, isRefusal, type PlaneClient } from '../plane-client.ts';
import type { ServedKind } from '../served-kind.ts';
import type { LeaseObject, LeaseStore } from './lease.ts';

/** So often others may be faster in a row: they write once in some seconds. */
const MOST_ATTEMPTS = 4;

/** A Lease that a plane serves. It is not watched: whoever stands by looks every few seconds. */
export class ServedLease implements LeaseStore {
  readonly name: string;
  readonly namespace: string;
  readonly #client: PlaneClient;
  readonly #kind: ServedKind;

  constructor(
    client: PlaneClient,
    { groups }: Pick<Vocabulary, 'groups'>,
    { name, namespace }: Pick<LeaseStore, 'name' | 'namespace'>,
  ) {
    this.#client = client;
    this.name = name;
    this.namespace = namespace;
    this.#kind = {
      group: groups.coordination,
      version: 'v1',
      plural: 'leases',
      kind: 'Lease',
      namespaced: true,
      verbs: ['get', 'create', 'update'],
    };
  }

  async update(change: (current: LeaseObject | undefined) => object): Promise<void> {
    const { name, namespace } = this;
    const target = { kind: this.#kind, namespace, name };
    for (let attempt = 1; ; attempt++) {
      const current = await this.#client.find<LeaseObject & AnyObject>(target);
      const next = change(current);
      try {
        if (current) await this.#client.replace(target, next);
        else await this.#client.create(this.#kind, namespace, next);
        return;
      } catch (error) {
        if (attempt === MOST_ATTEMPTS || !isRefusal(error, 'Conflict', 'AlreadyExists')) throw error;
      }
    }
  }

  follow(): { close(): void } {
    return { close() {} };
  }
}
