import type { FeatureName } from '../features/feature-table.ts';
import type { Features } from '../features/features.ts';
import { asValue, type Draft } from '../schema/draft.ts';

/** A field, or some, that belong to a feature. */
export interface GatedField<T> {
  readonly feature: FeatureName;
  isUsed(object: T): boolean;
  drop(object: Draft<T>): void;
}

/**
 * Drops fields whose feature is off, as if they had not been sent. What an object has already, from when the feature was
 * on, stays until it is taken out: `old` is the object as it is, where there is one.
 */
export function dropGatedFields<T>(
  { gatedFields = [] }: { readonly gatedFields?: readonly GatedField<T>[] },
  object: Draft<T>,
  old: T | undefined,
  features: Features,
): void {
  for (const { feature, isUsed, drop } of gatedFields) {
    if (features.isOn(feature) || (old !== undefined && isUsed(old))) continue;
    // To take away what is not there takes time, too.
    if (isUsed(asValue(object))) drop(object);
  }
}

/** The fields of a part as fields of the whole. Both say where the part is: in a value, and in a draft. */
export const gatedWithin = <T, P>(
  partOf: (object: T) => P | undefined,
  draftOfPart: (object: Draft<T>) => Draft<P> | undefined,
  fields: readonly GatedField<P>[],
): readonly GatedField<T>[] =>
  fields.map(({ feature, isUsed, drop }) => ({
    feature,
    isUsed(object) {
      const part = partOf(object);
      return part !== undefined && isUsed(part);
    },
    drop(object) {
      const part = draftOfPart(object);
      if (part !== undefined) drop(part);
    },
  }));
