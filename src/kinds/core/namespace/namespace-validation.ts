import { qualifiedName } from '../../../meta/formats.ts';
import { isStandardOrQualified, UNQUALIFIED_FINALIZER } from '../../../registry/metadata-validation.ts';
import type { HookContext } from '../../../registry/resource-type.ts';
import { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import type { Namespace } from './namespace.ts';

const FINALIZERS = Path.of('spec', 'finalizers');
/** Clients know the path of the phase with this capital. */
const PHASE = Path.of('status', 'Phase');

function validateFinalizer(finalizer: string, path: Path, problems: Problems, { vocabulary }: HookContext): void {
  const problem = qualifiedName(finalizer);
  if (problem !== undefined) problems.invalid(path, finalizer, problem);
  if (!isStandardOrQualified(finalizer, vocabulary)) problems.invalid(path, finalizer, UNQUALIFIED_FINALIZER);
}

export function validateNamespace({ spec }: Namespace, problems: Problems, context: HookContext): void {
  for (const finalizer of spec.finalizers ?? []) validateFinalizer(finalizer, FINALIZERS, problems, context);
}

/** Whoever is done with a namespace removes its finalizer through a door of its own. */
export function validateNamespaceFinalizeUpdate(
  { spec }: Namespace,
  _old: Namespace,
  problems: Problems,
  context: HookContext,
): void {
  spec.finalizers?.forEach((finalizer, at) => {
    validateFinalizer(finalizer, FINALIZERS.index(at), problems, context);
  });
}

/** The phase says whether the namespace is being deleted, and nothing else. */
export function validateNamespaceStatusUpdate(
  { metadata, status }: Namespace,
  _old: Namespace,
  problems: Problems,
): void {
  const { phase = '' } = status;
  if (!metadata.deletionTimestamp && phase !== 'Active') {
    problems.invalid(PHASE, phase, "may only be 'Active' if `deletionTimestamp` is empty");
  }
  if (metadata.deletionTimestamp && phase !== 'Terminating') {
    problems.invalid(PHASE, phase, "may only be 'Terminating' if `deletionTimestamp` is not empty");
  }
}
