import { NotYet } from '../../client/controlling/work-queue.ts';
import { isRefusal, type PlaneClient, unless } from '../../client/plane-client.ts';
import type { Target } from '../../client/served-kind.ts';
import type { Propagation } from '../../meta/dependents.ts';
import type { ObjectMeta, OwnerReference } from '../../meta/object-meta.ts';

/** The version of an object that a change was decided on. */
export type Decided = Pick<ObjectMeta, 'uid' | 'resourceVersion'>;

/**
 * What the collector does to objects. Each change is for the very version that it was decided on: when that is not the
 * newest, what was known was behind, and the object is looked at again. That an object is gone is as good.
 */
export class Changes {
  readonly #client: PlaneClient;

  constructor(client: PlaneClient) {
    this.#client = client;
  }

  delete(target: Target, { uid = '', resourceVersion = '' }: Decided, propagationPolicy: Propagation): Promise<void> {
    const preconditions = { uid, resourceVersion };
    return unlessOutdated(this.#client.delete(target, { preconditions, propagationPolicy }));
  }

  setOwners(target: Target, decided: Decided, ownerReferences: readonly OwnerReference[]): Promise<void> {
    return this.#patch(target, decided, { ownerReferences });
  }

  removeFinalizer(target: Target, seen: ObjectMeta, finalizer: string): Promise<void> {
    const finalizers = (seen.finalizers ?? []).filter((one) => one !== finalizer);
    return this.#patch(target, seen, { finalizers });
  }

  #patch(target: Target, { uid, resourceVersion }: Decided, changed: Partial<ObjectMeta>): Promise<void> {
    const patch = { metadata: { uid, resourceVersion, ...changed } };
    return unlessOutdated(this.#client.mergePatch(target, patch).then(() => undefined));
  }
}

const unlessOutdated = (change: Promise<void>): Promise<void> =>
  change.catch((error: unknown) => {
    if (isRefusal(error, 'Conflict')) throw new NotYet('it is another version by now');
    return unless('NotFound')(error);
  });
