import type { ObjectMeta } from './object-meta.ts';

/** Finalizer of an object that is going without its dependents: they are to lose it as their owner first. */
export const ORPHAN_FINALIZER = 'orphan';
/** Finalizer of an object that waits for its dependents to go first. */
export const FOREGROUND_FINALIZER = 'foregroundDeletion';

type Going = Pick<ObjectMeta, 'deletionTimestamp' | 'finalizers'>;

/** Whether an object is going, and stays until its dependents have lost it as their owner. */
export const orphansDependents = ({ deletionTimestamp, finalizers = [] }: Going): boolean =>
  Boolean(deletionTimestamp) && finalizers.includes(ORPHAN_FINALIZER);

/** Whether an object is going, and stays until the dependents that block it are gone. */
export const awaitsDependents = ({ deletionTimestamp, finalizers = [] }: Going): boolean =>
  Boolean(deletionTimestamp) && finalizers.includes(FOREGROUND_FINALIZER);
