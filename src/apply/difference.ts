import { Later } from '../runtime/later.ts';
import { atOnce, type Steps } from '../runtime/pacing.ts';
import { FieldSet, FieldSetBuilder } from './field-set.ts';
import { ChangeNotes, type OnRepeat, type Sharing } from './sharing.ts';

/** What happened between two values. */
export interface Difference {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
  /** What is another value than before, or a new one. */
  readonly touched: FieldSet;
  /** All of it. */
  readonly all: FieldSet;
}

const NONE: Difference = {
  added: FieldSet.EMPTY,
  modified: FieldSet.EMPTY,
  removed: FieldSet.EMPTY,
  touched: FieldSet.EMPTY,
  all: FieldSet.EMPTY,
};

/** What was added, modified and removed, down to the last place. A container that comes or goes is noted itself too. */
export const compare = (sharing: Sharing, before: unknown, after: unknown): Difference =>
  atOnce(compareInSteps(sharing, before, after));

/** As `compare`, for values of any size. */
export function* compareInSteps(sharing: Sharing, before: unknown, after: unknown): Steps<Difference> {
  const [added, modified, removed] = [new FieldSetBuilder(), new FieldSetBuilder(), new FieldSetBuilder()];
  const changes = new ChangeNotes(added, modified, removed);
  sharing.compare(before, after, changes);
  yield* changes.later.all();
  return differenceOf(added.build(), modified.build(), removed.build());
}

function differenceOf(added: FieldSet, modified: FieldSet, removed: FieldSet): Difference {
  const touched = added.union(modified);
  const all = touched.union(removed);
  return all.isEmpty ? NONE : { added, modified, removed, touched, all };
}

/** A list of an applied document has the same element twice. */
export class DuplicateElement extends Error {
  override readonly name = 'DuplicateElement';
}

/** The places that a document fills in. Throws DuplicateElement. */
export const documentFields = (sharing: Sharing, document: unknown): FieldSet =>
  atOnce(documentFieldsInSteps(sharing, document));

/** As `documentFields`, for documents of any size. */
export const documentFieldsInSteps = (sharing: Sharing, document: unknown): Steps<FieldSet> =>
  ownedFieldsInSteps(sharing, document, (element) => {
    throw new DuplicateElement(`duplicate entries for key ${element.slice(2)}`);
  });

/** The places that an object fills in. What a list has more than once is one place, whatever is in it. */
export const ownedFields = (sharing: Sharing, object: unknown): FieldSet => atOnce(ownedFieldsInSteps(sharing, object));

/** As `ownedFields`, for objects of any size. */
export function* ownedFieldsInSteps(sharing: Sharing, object: unknown, onRepeat: OnRepeat = () => {}): Steps<FieldSet> {
  const [builder, later] = [new FieldSetBuilder(), new Later()];
  sharing.addOwned(object, builder, onRepeat, later);
  yield* later.all();
  return builder.build();
}
