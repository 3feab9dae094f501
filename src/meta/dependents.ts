import type { ObjectMeta } from './object-meta.ts';

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
