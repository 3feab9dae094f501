import type { ObjectMeta, OwnerReference } from './object-meta.ts';

/** Finalizer of an object that is to go without its dependents: they are to lose it as their owner first. */
export const ORPHAN_FINALIZER = 'orphan';
/** Finalizer of an object that is to wait for its dependents to go first. */
export const FOREGROUND_FINALIZER = 'foregroundDeletion';

/** What is to become of the dependents of an object when it is deleted. */
export type Propagation = 'Orphan' | 'Background' | 'Foreground';

/** What the finalizers of an object say of its dependents. */
export function propagationIn({ finalizers = [] }: Pick<ObjectMeta, 'finalizers'>): Propagation {
  if (finalizers.includes(ORPHAN_FINALIZER)) return 'Orphan';
  return finalizers.includes(FOREGROUND_FINALIZER) ? 'Foreground' : 'Background';
}

/** To whom an object belongs, and what is to become of its dependents. */
export interface Ownership {
  readonly uid: string;
  readonly owners: readonly OwnerReference[];
  readonly isGoing: boolean;
  /** What its finalizers say of its dependents. */
  readonly propagation: Propagation;
}

/** A stored object with its owners. */
export interface OwnedObject extends Ownership {
  readonly group: string;
  readonly plural: string;
  /** '' where there is none. */
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string;
}

/** An object that is gone. Its kind may go with it, so it says what it was called. */
export interface RemovedObject {
  readonly uid: string;
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** Told of owners and dependents among the objects of all kinds. */
export interface OwnershipListener {
  /** Objects of other kinds are left out. */
  concerns(resource: { readonly group: string; readonly plural: string }): boolean;
  /**
   * An object that has owners, or is going with a finalizer about its dependents, or a new version of one; and once more
   * when neither is so any longer.
   */
  onSet(object: OwnedObject): void;
  /** Any object is gone, also one that was never told. */
  onRemove(object: RemovedObject): void;
}
