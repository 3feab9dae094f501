import { FieldSet } from './field-set.ts';
import { type Owner, sameWriter, type Writer } from './owners.ts';
import type { Sharing } from './sharing.ts';
import { compare, type Difference, fieldsOf, mergeValues, removePlaces } from './values.ts';

/** The two states of an object that a write lies between, in one version of its kind. */
export interface Change {
  readonly sharing: Sharing;
  readonly before: unknown;
  readonly after: unknown;
}

/** The change as another version of the kind sees it; undefined when that version is not served any more. */
export type InVersion = (apiVersion: string) => Change | undefined;

/** Places that belong to nobody, because the server sets them or the endpoint cannot change them. */
export type Ignored = FieldSet;

/** An applier wants what others own. */
export class OwnershipConflict extends Error {
  override readonly name = 'OwnershipConflict';
  readonly conflicts: readonly { readonly owner: Owner; readonly path: readonly string[] }[];

  constructor(conflicts: OwnershipConflict['conflicts']) {
    super(`${conflicts.length} conflicts`);
    this.conflicts = conflicts;
  }
}

const touchedBy = ({ added, modified }: Difference): FieldSet => added.union(modified);

/** A writer owns what it changed, and what it owned before and is still there. Others lose what it changed or removed. */
export function afterUpdate(
  owners: readonly Owner[],
  writer: Writer,
  inVersion: InVersion,
  ignored: Ignored,
  now: string,
): Owner[] {
  const change = inVersion(writer.apiVersion);
  if (!change) return [...owners];
  const difference = compare(change.sharing, change.before, change.after);
  const previous = owners.find((owner) => sameWriter(owner, writer));
  const kept = (previous?.set ?? FieldSet.EMPTY).difference(difference.removed);
  const set = kept.union(touchedBy(difference)).without(ignored);
  const others = owners.filter((owner) => owner !== previous);
  return [...withoutLost(others, inVersion, writer.apiVersion, difference), ownerOf(writer, previous, set, now)];
}

/** Time tells when a set changed, not when it was last written. */
const ownerOf = (writer: Writer, previous: Owner | undefined, set: FieldSet, now: string): Owner =>
  previous?.set.equals(set) ? previous : { ...writer, set, time: now };

function withoutLost(owners: readonly Owner[], inVersion: InVersion, apiVersion: string, own: Difference): Owner[] {
  return owners.flatMap((owner) => {
    const difference = owner.apiVersion === apiVersion ? own : differenceIn(inVersion(owner.apiVersion));
    // Nothing can be said about places of a version that is gone.
    if (!difference) return [];
    const set = owner.set.difference(difference.removed).difference(touchedBy(difference));
    return [set.equals(owner.set) ? owner : { ...owner, set }];
  });
}

const differenceIn = (change: Change | undefined): Difference | undefined =>
  change && compare(change.sharing, change.before, change.after);

/** What an applied document makes of a live object: its values, less what its manager gave up and nobody else owns. */
export function applyDocument(
  sharing: Sharing,
  live: unknown,
  document: unknown,
  owners: readonly Owner[],
  applier: Writer,
): unknown {
  const merged = mergeValues(sharing, live, document);
  const last = owners.find((owner) => sameApplier(owner, applier));
  if (!last) return merged;
  let managed = named(fieldsOf(sharing, document));
  for (const owner of owners)
    if (owner !== last && owner.apiVersion === applier.apiVersion) managed = managed.union(named(owner.set));
  return removePlaces(sharing, merged, last.set.difference(managed));
}

/** An applier stays itself when it goes on in another version of the kind. */
const sameApplier = (owner: Owner, applier: Writer): boolean =>
  sameWriter({ ...owner, apiVersion: applier.apiVersion }, applier);

/** The set with every container that holds one of its places: none of them can be removed as a whole. */
function named(set: FieldSet): FieldSet {
  const children = new Map([...set.children].map(([element, below]) => [element, named(below)]));
  return new FieldSet(new Set([...set.members, ...children.keys()]), children);
}

/** The applier owns what its document says. Throws OwnershipConflict when others own what changed, unless forced. */
export function afterApply(
  owners: readonly Owner[],
  applier: Writer,
  document: unknown,
  inVersion: InVersion,
  ignored: Ignored,
  force: boolean,
  now: string,
): Owner[] {
  const change = inVersion(applier.apiVersion);
  if (!change) return [...owners];
  const difference = compare(change.sharing, change.before, change.after);
  const previous = owners.find((owner) => sameApplier(owner, applier));
  const others = owners.filter((owner) => owner !== previous);
  if (!force) refuseConflicts(others, inVersion, applier.apiVersion, difference);
  const set = fieldsOf(change.sharing, document).without(ignored);
  return [...withoutLost(others, inVersion, applier.apiVersion, difference), ownerOf(applier, previous, set, now)];
}

function refuseConflicts(others: readonly Owner[], inVersion: InVersion, apiVersion: string, own: Difference): void {
  const conflicts = others.flatMap((owner) => {
    const difference = owner.apiVersion === apiVersion ? own : differenceIn(inVersion(owner.apiVersion));
    const wanted = difference ? owner.set.intersection(touchedBy(difference)) : FieldSet.EMPTY;
    return [...wanted.paths()].map((path) => ({ owner, path }));
  });
  if (conflicts.length > 0) throw new OwnershipConflict(conflicts);
}
