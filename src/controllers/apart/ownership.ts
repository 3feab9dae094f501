import type { ResourceName } from '../../client/served-kind.ts';
import type { ObjectMeta, OwnerReference } from '../../meta/object-meta.ts';

/** An object with its owners, and what is to become of its dependents when it is going. */
export interface OwnedObject extends ResourceName {
  /** '' where there is none. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly owners: readonly OwnerReference[];
  readonly isGoing: boolean;
  /** It is going, and stays until its dependents have lost it as their owner. */
  readonly orphansDependents: boolean;
  /** It is going, and stays until the dependents that block it are gone. */
  readonly awaitsDependents: boolean;
}

/** Told of owners and dependents of all kinds. */
export interface OwnershipListener {
  /** Objects of other kinds are left out. */
  concerns(resource: ResourceName): boolean;
  /**
   * An object that has owners or does something about its dependents, or a new version of one; and once more when neither
   * is so any longer.
   */
  onSet(object: OwnedObject): void;
  /** Any object is gone, also one that was never told. */
  onRemove(object: RemovedObject): void;
}

/** An object that is gone. Its kind may go with it, so it says what it was called. */
export interface RemovedObject {
  readonly uid: string;
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** What the metadata of an object says about its owners and dependents. */
export function ownershipIn({ group, plural }: ResourceName, metadata: ObjectMeta): OwnedObject {
  const { namespace = '', name = '', uid = '', ownerReferences = [], finalizers = [], deletionTimestamp } = metadata;
  const isGoing = Boolean(deletionTimestamp);
  return {
    group,
    plural,
    namespace,
    name,
    uid,
    owners: ownerReferences,
    isGoing,
    orphansDependents: isGoing && finalizers.includes('orphan'),
    awaitsDependents: isGoing && finalizers.includes('foregroundDeletion'),
  };
}

/** Whether others have to know of it. */
export const isOwned = ({ owners, orphansDependents, awaitsDependents }: OwnedObject): boolean =>
  owners.length > 0 || orphansDependents || awaitsDependents;
