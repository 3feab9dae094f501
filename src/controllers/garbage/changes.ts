import { type DeletionOptions, isRefusal, type PlaneClient, unless } from '../../client/plane-client.ts';
import type { Target } from '../../client/served-kind.ts';
import type { ObjectMeta, OwnerReference } from '../../meta/object-meta.ts';
import { NotYet } from '../work-queue.ts';

/**
 * What the collector does to objects. Each is meant for the very version that it was decided on: when that is no longer the
 * newest, it is looked at again. That an object is gone is as good.
 */
export class Changes {
  readonly #client: PlaneClient;

  constructor(client: PlaneClient) {
    this.#client = client;
  }

  delete(target: Target, seen: ObjectMeta, propagationPolicy: DeletionOptions['propagationPolicy']): Promise<void> {
    const { uid = '', resourceVersion = '' } = seen;
    const options = { preconditions: { uid, resourceVersion }, ...(propagationPolicy && { propagationPolicy }) };
    return this.#unlessOutdated(this.#client.delete(target, options));
  }

  setOwners(target: Target, seen: ObjectMeta, ownerReferences: readonly OwnerReference[]): Promise<void> {
    return this.#patch(target, seen, { ownerReferences });
  }

  /** Has no owner wait for the object. */
  unblockOwners(target: Target, seen: ObjectMeta): Promise<void> {
    const owners = (seen.ownerReferences ?? []).map((owner) =>
      owner.blockOwnerDeletion ? { ...owner, blockOwnerDeletion: false } : owner,
    );
    return this.setOwners(target, seen, owners);
  }

  removeFinalizer(target: Target, seen: ObjectMeta, finalizer: string): Promise<void> {
    const finalizers = (seen.finalizers ?? []).filter((one) => one !== finalizer);
    return this.#patch(target, seen, { finalizers });
  }

  #patch(target: Target, { uid, resourceVersion }: ObjectMeta, changed: Partial<ObjectMeta>): Promise<void> {
    return this.#unlessOutdated(
      this.#client.mergePatch(target, { metadata: { uid, resourceVersion, ...changed } }).then(() => undefined),
    );
  }

  #unlessOutdated(change: Promise<void>): Promise<void> {
    return change.catch((error: unknown) => {
      if (isRefusal(error, 'Conflict')) throw new NotYet('it has changed since it was read');
      return unless('NotFound')(error);
    });
  }
}
