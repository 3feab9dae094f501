import type { AnyObject } from '../plane-client.ts';
import type { WriteOptions } from '../request-options.ts';
import type { Input } from './input.ts';
import type { KindReference } from './object-kind.ts';
import type { PlaneAccess, Scope } from './plane-access.ts';
import { SingleObjectClient } from './single-object-client.ts';

/** The same part of each object of a kind, such as `status`, or something that is done with it, such as `eviction`. */
export class SubresourceClient<T extends AnyObject> extends SingleObjectClient<T> {
  readonly #access: PlaneAccess;

  constructor(access: PlaneAccess, scope: Scope, subresource: string, documents?: KindReference) {
    super(access, scope, subresource, documents);
    this.#access = access;
  }

  /** Sends a document to the subresource of an object; gives what the plane made of it. */
  async create(name: string, document: Input<T>, options?: WriteOptions): Promise<T> {
    const target = await this.target(name);
    return this.#access.plane.post<T>(target, this.complete(target.kind, document), this.writing(options));
  }
}
