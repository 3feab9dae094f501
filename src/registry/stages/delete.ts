import { conflict } from '../../api/errors.ts';
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER, type Propagation, propagationIn } from '../../meta/dependents.ts';
import { type Draft, draftOf } from '../../schema/draft.ts';
import { formatTime } from '../../schema/time.ts';
import type { OperationOptions } from '../admission.ts';
import type { ApiObject, ResourceType } from '../resource-type.ts';
import { admissionRequest, type DeleteOptions, type Deletion, type WriteParts } from '../write.ts';

/** Finalizers by which the garbage collector learns what is to become of dependents. */
const FINALIZER_OF: Partial<Record<Propagation, string>> = {
  Orphan: ORPHAN_FINALIZER,
  Foreground: FOREGROUND_FINALIZER,
};

/** Whoever deletes may say which object, or which version of it, is meant. */
export function checkPreconditions({ type, live, options: { preconditions } }: Deletion): void {
  const { name = '', uid = '', resourceVersion = '' } = live.object.metadata;
  const fail = (what: string, wanted: string, real: string, why: string) =>
    conflict(
      { group: type.group, resource: type.kind },
      name,
      `the ${what} in the precondition (${wanted}) does not match the ${what} in record (${real}). ${why}`,
    );
  if (preconditions?.uid !== undefined && preconditions.uid !== uid) {
    throw fail('UID', preconditions.uid, uid, 'The object might have been deleted and then recreated');
  }
  if (preconditions?.resourceVersion !== undefined && preconditions.resourceVersion !== resourceVersion) {
    const { resourceVersion: wanted } = preconditions;
    throw fail('ResourceVersion', wanted, resourceVersion, 'The object might have been modified');
  }
}

/** Both phases of admission see the object that is to go. */
export async function admitDeletion({ parts, ref, type, live, options, conversions }: Deletion): Promise<void> {
  const request = admissionRequest(
    {
      operation: 'DELETE',
      type,
      requestedAs: ref.type,
      subresource: '',
      namespace: ref.namespace,
      name: ref.name,
      object: undefined,
      oldObject: live.object,
      conversions,
      options: operationOptions(options),
    },
    options,
  );
  await parts.admission.mutate(request);
  await parts.admission.validate(request);
}

const operationOptions = ({
  gracePeriodSeconds,
  propagationPolicy,
  preconditions,
}: DeleteOptions): OperationOptions => ({
  ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
  ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
  ...(preconditions === undefined ? {} : { preconditions }),
});

/** Finds out whether the object goes at once, and marks it as going if it does not. Its record of owners stays. */
export function markForDeletion(write: Deletion): void {
  const { parts, type, live, options } = write;
  const draft = draftOf(live.object);
  const grace = type.gracePeriod?.(draft, options.gracePeriodSeconds) ?? 0;
  const finalizers = withOwn(type, draft, finalizersOf(parts, type, draft, options));
  write.draft = draft;
  write.record = live.object.metadata.managedFields;
  write.goesAtOnce = finalizers.length === 0 && grace === 0 && !type.isHeld?.(draft);
  // Nobody is shown what has become of it, but for kinds that know grace: they show that there was none.
  if (write.goesAtOnce && !type.gracePeriod) return;
  if (finalizers.length === 0) delete draft.metadata.finalizers;
  else draft.metadata.finalizers = [...finalizers];
  mark(write, draft, grace);
}

function withOwn({ deletionFinalizer: own }: ResourceType, { metadata }: ApiObject, finalizers: readonly string[]) {
  if (own === undefined || metadata.deletionTimestamp || finalizers.includes(own)) return finalizers;
  return [...finalizers, own];
}

/** Those that the object has, with one for its dependents if they are waited for. */
function finalizersOf(
  { collectsGarbage = true }: WriteParts,
  type: ResourceType,
  { metadata: { finalizers = [] } }: ApiObject,
  options: DeleteOptions,
): readonly string[] {
  if (!collectsGarbage) return finalizers;
  const wanted = propagationOf(type, finalizers, options);
  const added = wanted && FINALIZER_OF[wanted];
  const others = finalizers.filter((one) => !Object.values(FINALIZER_OF).includes(one));
  return added ? [...others, added] : others;
}

/** Without a word from the client, an object that already carries such a finalizer keeps it. */
function propagationOf(
  { strategy }: ResourceType,
  finalizers: readonly string[],
  { propagationPolicy }: DeleteOptions,
): Propagation | undefined {
  if (strategy.defaultPropagation === 'none') return undefined;
  if (propagationPolicy !== undefined) return propagationPolicy;
  const kept = propagationIn({ finalizers });
  return kept === 'Background' ? strategy.defaultPropagation : kept;
}

/** The first delete sets the time; a later one may only shorten the grace. */
function mark({ parts, type }: Deletion, draft: Draft<ApiObject>, grace: number): void {
  const { metadata } = draft;
  const shortens = grace < (metadata.deletionGracePeriodSeconds ?? 0);
  if (metadata.deletionTimestamp && !shortens) return;
  if (!metadata.deletionTimestamp && type.strategy.generation) metadata.generation = (metadata.generation ?? 0) + 1;
  metadata.deletionTimestamp = formatTime(parts.runtime.now() + grace * 1000);
  metadata.deletionGracePeriodSeconds = grace;
  type.beginDeletion?.(draft, parts);
}
