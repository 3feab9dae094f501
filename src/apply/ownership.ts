import type { Steps } from '../runtime/pacing.ts';
import type { AppliedDocument } from './applied-document.ts';
import { compareInSteps, type Difference } from './difference.ts';
import { FieldSet } from './field-set.ts';
import { Owner, sameWriter, type Writer } from './owners.ts';
import type { Sharing } from './sharing.ts';

/** The two states of an object that a write lies between, in one version of its kind. */
export interface Transition {
  readonly sharing: Sharing;
  readonly before: unknown;
  readonly after: unknown;
}

/** The change as a version of the kind sees it; undefined when that version is not served any more. */
export type InVersion = (apiVersion: string) => Transition | undefined;

/** A write, as far as ownership is concerned. */
export interface TrackedWrite {
  readonly writer: Writer;
  readonly inVersion: InVersion;
  /** Places that belong to nobody, because the server sets them or the endpoint cannot change them. */
  readonly ignored: FieldSet;
  readonly now: string;
}

/** What is applied, and whether what it fills in is taken from others. */
export interface Application {
  readonly document: AppliedDocument;
  readonly force: boolean;
  /** Places that may be taken from others without force. Only asked for when others own something that is wanted. */
  readonly excused?: () => FieldSet;
}

/** An applier wants what others own. */
export class OwnershipConflict extends Error {
  override readonly name = 'OwnershipConflict';
  readonly conflicts: readonly { readonly owner: Owner; readonly path: readonly string[] }[];

  constructor(conflicts: OwnershipConflict['conflicts']) {
    super(`${conflicts.length} conflicts`);
    this.conflicts = conflicts;
  }
}

/**
 * A writer owns what it changed, and what it owned before and is still there, since now if it changed anything. Others
 * lose what it changed or removed.
 */
export function* afterUpdate(owners: readonly Owner[], write: TrackedWrite): Steps<readonly Owner[]> {
  const { writer, ignored } = write;
  const differences = new Differences(write.inVersion);
  const seen = yield* differences.in(writer.apiVersion);
  if (!seen) return owners;
  const { sharing, difference: own } = seen;
  const previous = owners.find((owner) => sameWriter(owner, writer));
  const others = owners.filter((owner) => owner !== previous);
  yield;
  const left = yield* lessLost(others, differences);
  if (own.all.isEmpty) return previous ? [...left, previous] : left;
  if (previous) yield* previous.read();
  const kept = previous?.fitted(sharing).without(own.removed);
  yield;
  const taken = own.touched.without(ignored);
  if (taken.isEmpty) return kept ? [...left, kept] : left;
  const set = (kept?.set ?? FieldSet.EMPTY).union(taken).without(ignored);
  yield;
  return [...left, kept?.ownsExactly(set) ? kept.since(write.now) : Owner.of(writer, set, write.now)];
}

/** The applier owns what its document says. Throws OwnershipConflict when others own what changed, unless forced. */
export function* afterApply(
  owners: readonly Owner[],
  write: TrackedWrite,
  application: Application,
): Steps<readonly Owner[]> {
  const { writer, ignored } = write;
  const { document } = application;
  const differences = new Differences(write.inVersion);
  const previous = owners.find((owner) => sameApplier(owner, writer));
  const others = owners.filter((owner) => owner !== previous);
  if (!application.force) yield* refuseConflicts(others, differences, application);
  const left = yield* lessLost(others, differences);
  const isAgain =
    previous?.apiVersion === writer.apiVersion &&
    (previous.ownsWhatIsIn(document) || previous.ownsExactly(document.fields));
  if (!isAgain) return [...left, Owner.of(writer, document.fields, write.now)];
  const seen = yield* differences.in(writer.apiVersion);
  const changed = seen?.difference.all.without(ignored);
  return [...left, changed?.isEmpty === false ? previous.since(write.now) : previous];
}

/** An applier stays itself when it goes on in another version of the kind. */
export const sameApplier = (owner: Owner, applier: Writer): boolean =>
  sameWriter({ ...applier, apiVersion: owner.apiVersion }, owner);

/** What a write changed, as one version of the kind sees it. */
interface Seen {
  readonly sharing: Sharing;
  readonly difference: Difference;
}

/** What a write changed, as each version of the kind sees it. */
class Differences {
  readonly #inVersion: InVersion;
  readonly #known = new Map<string, Seen | undefined>();

  constructor(inVersion: InVersion) {
    this.#inVersion = inVersion;
  }

  *in(apiVersion: string): Steps<Seen | undefined> {
    if (!this.#known.has(apiVersion)) this.#known.set(apiVersion, yield* this.#seenIn(apiVersion));
    return this.#known.get(apiVersion);
  }

  *#seenIn(apiVersion: string): Steps<Seen | undefined> {
    const change = this.#inVersion(apiVersion);
    if (!change) return undefined;
    const { sharing, before, after } = change;
    return { sharing, difference: yield* compareInSteps(sharing, before, after) };
  }
}

/** Owners without what was changed or removed. Nothing can be said about places of a version that is gone: neither are they. */
function* lessLost(owners: readonly Owner[], differences: Differences): Steps<Owner[]> {
  const left: Owner[] = [];
  for (const owner of owners) {
    const seen = yield* differences.in(owner.apiVersion);
    if (!seen) continue;
    const { sharing, difference } = seen;
    if (owner.mayOwnAnyOf(difference.all)) {
      yield* owner.read();
      left.push(owner.fitted(sharing).without(difference.all));
    } else left.push(owner);
    yield;
  }
  return left;
}

/** A document that empties a field wants it too, although nothing of it is left. */
function* refuseConflicts(
  others: readonly Owner[],
  differences: Differences,
  { document, excused }: Application,
): Steps<void> {
  const conflicts: { owner: Owner; path: readonly string[] }[] = [];
  for (const owner of others) {
    const seen = yield* differences.in(owner.apiVersion);
    yield;
    if (!seen || !owner.mayOwnAnyOf(seen.difference.all)) continue;
    const { touched, removed } = seen.difference;
    const wanted = touched.union(removed.intersection(yield* document.readFields()));
    yield;
    yield* owner.read();
    const owned = owner.fitted(seen.sharing).set;
    yield;
    for (const path of owned.intersection(wanted).paths()) conflicts.push({ owner, path });
  }
  if (conflicts.length === 0) return;
  const allowed = excused?.();
  const left = allowed ? conflicts.filter(({ path }) => !allowed.has(path)) : conflicts;
  if (left.length > 0) throw new OwnershipConflict(left);
}
