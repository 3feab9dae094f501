import type { Steps } from '../runtime/pacing.ts';
import type { AppliedDocument } from './applied-document.ts';
import { ownedFieldsInSteps } from './difference.ts';
import { FieldSet } from './field-set.ts';
import type { Owner, Writer } from './owners.ts';
import { sameApplier } from './ownership.ts';
import { LEAF, type Sharing } from './sharing.ts';

/** How objects look in another version of their kind than the applier's, and back. */
export interface View {
  readonly sharing: Sharing;
  show(object: unknown): unknown;
  restore(shown: unknown): unknown;
}

/** The view of a version; undefined when it is not served any more. */
export type ViewOf = (apiVersion: string) => View | undefined;

/**
 * What a document makes of a live object: its values, less what its applier gave up and nobody else owns. Throws
 * DuplicateElement.
 */
export function* applyDocument(
  live: { readonly [name: string]: unknown },
  applied: AppliedDocument,
  owners: readonly Owner[],
  viewOf: ViewOf,
): Steps<unknown> {
  const { applier, document } = applied;
  const view = viewOf(applier.apiVersion);
  if (!view) return document;
  const last = owners.find((owner) => sameApplier(owner, applier));
  const isSameVersion = last?.apiVersion === applier.apiVersion;
  const isAgain = isSameVersion && last.ownsWhatIsIn(applied);
  // Told also where nothing comes of it: a document must not say anything twice.
  const fields = isAgain ? undefined : yield* applied.readFields();
  yield;
  const keepsAll = isAgain || (isSameVersion && fields && last.ownsOnly(fields));
  const merged = yield* applied.mergeInto(live);
  if (!last || keepsAll) return merged;
  yield;
  for (const owner of owners) yield* owner.read();
  const others = owners.filter((owner) => owner !== last);
  const left = yield* pruned(merged, last, setsByVersion(others, applier, applied.fields, viewOf), viewOf);
  // A struct that lost everything inside is gone, unless the document says that it is there.
  return view.sharing.merge(left, document);
}

/** What is owned, in each version that owners tell it in. */
function setsByVersion(
  others: readonly Owner[],
  applier: Writer,
  fields: FieldSet,
  viewOf: ViewOf,
): ReadonlyMap<string, FieldSet> {
  const sets = new Map([[applier.apiVersion, fields]]);
  for (const owner of others) {
    const { apiVersion } = owner;
    const { set } = owner.fitted(viewOf(apiVersion)?.sharing ?? LEAF);
    sets.set(apiVersion, (sets.get(apiVersion) ?? FieldSet.EMPTY).union(set));
  }
  return sets;
}

/**
 * The merged object without what its applier owned alone. First everything that it owned is taken out; then, version by
 * version, what someone owns now is put back; in the end only places of its own old set are gone.
 */
function* pruned(merged: unknown, last: Owner, owned: ReadonlyMap<string, FieldSet>, viewOf: ViewOf): Steps<unknown> {
  const view = viewOf(last.apiVersion);
  if (!view) return merged;
  const given = view.sharing.withHolders(last.fitted(view.sharing).set);
  let left = view.restore(view.sharing.remove(view.show(merged), given));
  for (const [apiVersion, set] of owned) {
    yield;
    const other = viewOf(apiVersion);
    if (!other) continue;
    const places = yield* missing(merged, left, other);
    left = without(merged, other, places.difference(other.sharing.withHolders(set)));
  }
  yield;
  const places = yield* missing(merged, left, view);
  return without(merged, view, places.intersection(given));
}

const without = (object: unknown, { sharing, show, restore }: View, places: FieldSet): unknown =>
  restore(sharing.remove(show(object), places));

/** The places of the whole that are not in what is left of it. */
function* missing(whole: unknown, left: unknown, view: View): Steps<FieldSet> {
  const places = yield* placesIn(whole, view);
  return places.difference(yield* placesIn(left, view));
}

function* placesIn(object: unknown, { sharing, show }: View): Steps<FieldSet> {
  const fields = yield* ownedFieldsInSteps(sharing, show(object));
  yield;
  return sharing.withHolders(fields);
}
