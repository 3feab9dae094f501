import type { HookContext } from '../../../registry/resource-type.ts';
import { type Draft, draftOf } from '../../../schema/draft.ts';
import type { Namespace } from './namespace.ts';

export function prepareNamespace(namespace: Draft<Namespace>, { vocabulary }: HookContext): void {
  const { namespace: ours } = vocabulary.finalizers;
  const finalizers = namespace.spec.finalizers ?? [];
  namespace.spec.finalizers = finalizers.includes(ours) ? finalizers : [...finalizers, ours];
  namespace.status = { phase: 'Active' };
}

/** What holds a namespace is taken from it through `finalize` only. */
export function prepareNamespaceUpdate(namespace: Draft<Namespace>, old: Namespace): void {
  namespace.spec = draftOf(old.spec);
}

/** Selectors can name a namespace, because each has its name as a label. */
export function labelWithName({ metadata }: Draft<Namespace>, { vocabulary }: HookContext): void {
  const { name } = metadata;
  if (!name || metadata.labels?.[vocabulary.labels.metadataName] === name) return;
  metadata.labels = { ...metadata.labels, [vocabulary.labels.metadataName]: name };
}

/** A namespace goes once everything in it has gone, which those who hold it attest by letting go. */
export const isHeldNamespace = ({ spec }: Namespace): boolean => (spec.finalizers?.length ?? 0) > 0;

/** How long a namespace takes to go is up to what is in it. */
export function beginNamespaceDeletion({ metadata, status }: Draft<Namespace>): void {
  delete metadata.deletionGracePeriodSeconds;
  status.phase = 'Terminating';
}
