import { sharingOf } from '../../apply/derive-sharing.ts';
import type { FieldSet } from '../../apply/field-set.ts';
import { MalformedFields } from '../../apply/fields-v1.ts';
import type { Owner } from '../../apply/owners.ts';
import { readRecord } from '../../apply/record.ts';
import type { FieldOwner } from '../../kinds/explain/ownership-review.ts';
import type { ApiObject, ResourceType } from '../../registry/resource-type.ts';
import { inSteps, type Rest } from '../../runtime/pacing.ts';

/** An owner with the part of what it owns that is below some place. */
export interface OwnedPlaces {
  readonly owner: FieldOwner;
  readonly set: FieldSet;
}

/** Who owns what of an object. A record that cannot be read says nothing, as for those who write. */
export async function ownersOf(type: ResourceType, { metadata }: ApiObject, rest: Rest): Promise<OwnedPlaces[]> {
  try {
    const sharing = sharingOf(type.schema);
    const owned: OwnedPlaces[] = [];
    for (const owner of readRecord(metadata.managedFields)) {
      await inSteps(owner.read(), rest);
      owned.push({ owner: shownOwner(owner), set: owner.fitted(sharing).set });
      await rest();
    }
    return owned;
  } catch (error) {
    if (error instanceof MalformedFields) return [];
    throw error;
  }
}

export const shownOwner = ({ manager, operation, subresource, apiVersion, time }: Owner): FieldOwner => ({
  manager,
  operation,
  apiVersion,
  ...(subresource !== '' && { subresource }),
  ...(time !== '' && { time }),
});

/** The owners of a place that is right below the one they are given for. */
export const ownersAt = (owned: readonly OwnedPlaces[], element: string): FieldOwner[] =>
  owned.filter(({ set }) => set.members.has(element)).map(({ owner }) => owner);

/** What they own below it. */
export const ownedBelow = (owned: readonly OwnedPlaces[], element: string): OwnedPlaces[] =>
  owned.flatMap(({ owner, set }) => {
    const below = set.below(element);
    return below.isEmpty ? [] : { owner, set: below };
  });
