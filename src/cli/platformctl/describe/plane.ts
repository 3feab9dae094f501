import type { AnyObject, PlaneClient } from '../../../client/plane-client.ts';
import type { ListingOptions } from '../../../client/request-options.ts';
import { apiVersionOfKind } from '../../../client/served-kind.ts';
import type { ServedResource, ServedResources } from '../resources/served-resources.ts';

/** Pages of lists are asked for in this size. */
const PAGE = 500;

/** Finds what belongs to an object. */
export class Plane {
  readonly #client: PlaneClient;
  readonly #resources: ServedResources;

  constructor(client: PlaneClient, resources: ServedResources) {
    this.#client = client;
    this.#resources = resources;
  }

  #resource(group: string, plural: string): ServedResource {
    return this.#resources.named(group === '' ? plural : `${plural}.${group}`);
  }

  /** Everything of a resource in a namespace, or in all of them ('') where it is not given. */
  async list<T extends AnyObject>(
    group: string,
    plural: string,
    namespace: string,
    options: Pick<ListingOptions, 'labelSelector' | 'fieldSelector'> = {},
  ): Promise<T[]> {
    const kind = this.#resource(group, plural);
    const items: T[] = [];
    let next = '';
    do {
      const page = await this.#client.list<T>(kind, namespace, { ...options, limit: PAGE, next });
      // Objects in lists do not say what they are.
      for (const item of page.items)
        items.push(Object.assign({ kind: kind.kind, apiVersion: apiVersionOfKind(kind) }, item));
      next = page.next;
    } while (next !== '');
    return items;
  }

  get<T extends AnyObject>(group: string, plural: string, namespace: string, name: string): Promise<T> {
    return this.#client.get<T>({ kind: this.#resource(group, plural), namespace, name });
  }
}
