import type { HookContext } from '../../registry/resource-type.ts';
import type { Namespace } from './namespace.ts';

export function prepareNamespace(namespace: Namespace, context: HookContext): void {
  const { namespace: ours } = context.vocabulary.finalizers;
  const finalizers = namespace.spec.finalizers ?? [];
  namespace.spec.finalizers = finalizers.includes(ours) ? finalizers : [...finalizers, ours];
  namespace.status = { phase: 'Active' };
  labelWithName(namespace, context);
}

/** What holds a namespace is taken from it through `finalize` only. */
export function prepareNamespaceUpdate(namespace: Namespace, old: Namespace, context: HookContext): void {
  namespace.spec = old.spec;
  labelWithName(namespace, context);
}

/** Selectors can name a namespace, because each has its name as a label. */
export function labelWithName({ metadata }: Namespace, { vocabulary }: HookContext): void {
  metadata.labels = { ...metadata.labels, [vocabulary.labels.metadataName]: metadata.name ?? '' };
}

/** A namespace goes once everything in it has gone, which those who hold it attest by letting go. */
export const isHeldNamespace = ({ spec }: Namespace): boolean => (spec.finalizers?.length ?? 0) > 0;

export function beginNamespaceDeletion({ status }: Namespace): void {
  status.phase = 'Terminating';
}
