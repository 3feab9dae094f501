import { FieldSetBuilder, placeText } from '../../apply/field-set.ts';
import type { Namespace } from '../../kinds/core/namespace/namespace.ts';
import type { VersionDescriptions } from '../history/described-version.ts';
import type { PastState } from '../history/past-states.ts';
import { fieldHistory } from '../ownership/field-history.ts';
import { ownedBelow, ownersAt, ownersOf } from '../ownership/field-owners.ts';
import type { Search } from './blockers.ts';
import { knownFinalizers, UNKNOWN_FINALIZER } from './known-finalizers.ts';

const [METADATA, FINALIZERS] = ['f:metadata', 'f:finalizers'];
const elementOf = (finalizer: string): string => `v:${JSON.stringify(finalizer)}`;

/** Every finalizer, who set it and when, and what usually takes it away. */
export async function findFinalizers(
  { call, asked, object, found, rest }: Search,
  state: PastState,
  descriptions: VersionDescriptions,
): Promise<void> {
  const known = knownFinalizers(call.context.vocabulary);
  const finalizers = object.metadata.finalizers ?? [];
  if (finalizers.length > 0) {
    const builder = new FieldSetBuilder();
    for (const finalizer of finalizers) builder.below(METADATA).below(FINALIZERS).add(elementOf(finalizer));
    const { settings } = await fieldHistory(call, asked, state, builder.build(), descriptions);
    const owned = ownedBelow(ownedBelow(await ownersOf(asked.type, object, rest), METADATA), FINALIZERS);
    for (const finalizer of finalizers) {
      const setBy = settings.get(placeText([METADATA, FINALIZERS, elementOf(finalizer)]))?.setBy;
      found.add({
        type: 'Finalizer',
        name: finalizer,
        message: known.get(finalizer) ?? UNKNOWN_FINALIZER,
        owners: ownersAt(owned, elementOf(finalizer)),
        ...(setBy && { setBy }),
        certain: true,
      });
    }
  }
  for (const finalizer of namespaceFinalizers(object)) {
    found.add({
      type: 'Finalizer',
      name: finalizer,
      message: known.get(finalizer) ?? UNKNOWN_FINALIZER,
      certain: true,
    });
  }
}

/** Namespaces have a second list of them. */
const namespaceFinalizers = (object: { readonly kind?: string }): readonly string[] =>
  object.kind === 'Namespace' ? ((object as Namespace).spec.finalizers ?? []) : [];
