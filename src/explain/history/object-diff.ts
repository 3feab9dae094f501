import { findChangedValues } from '../../apply/changed-values.ts';
import { sharingOf } from '../../apply/derive-sharing.ts';
import { FieldSet, fieldSetOf, placeText } from '../../apply/field-set.ts';
import type { Action, ActionCall } from '../../handlers/actions/action.ts';
import type { FieldChange } from '../../kinds/explain/field-change.ts';
import { ObjectDiff, type ObjectDiffStatus } from '../../kinds/explain/object-diff.ts';
import { type Rest, restEveryTurn } from '../../runtime/pacing.ts';
import { BoundedList } from '../answer-room.ts';
import { type AskedObject, askedObject } from '../asked-object.ts';
import { VersionDescriptions } from './described-version.ts';
import { namedRevision, type PastState, stateOf, unknownObject, versionAsOf } from './past-states.ts';
import { answered, type QuestionSources, question } from './question.ts';

/** What the server writes down of an object beside what it says. */
export const BOOKKEEPING = fieldSetOf('metadata.managedFields', 'metadata.resourceVersion');

/** What is different between an object as of two revisions. */
export const objectDiff = ({ group, authorizer, attributions }: QuestionSources): Action<ObjectDiff> =>
  question(group, 'ObjectDiff', 'objectdiffs', ObjectDiff, async (call) => {
    const { object, objects, context } = call;
    const rest = restEveryTurn(context.runtime);
    const asked = await askedObject(authorizer, call, object.spec.object);
    const { fromRevision, toRevision } = object.spec;
    const from = await stateAsOf(call, asked, 'spec.fromRevision', fromRevision);
    const to = toRevision
      ? await stateAsOf(call, asked, 'spec.toRevision', toRevision)
      : await stateAsOf(call, asked, 'spec.toRevision', String(objects.revision));
    if (!from && !to) throw unknownObject(asked);
    const descriptions = new VersionDescriptions(objects, attributions, asked.type);
    const status = {
      ...(from && { from: descriptions.of(from) }),
      ...(to && { to: descriptions.of(to) }),
      ...(await differences(asked, from, to, object.spec.includeBookkeeping ? FieldSet.EMPTY : BOOKKEEPING, rest)),
    };
    return answered(ObjectDiff, object, status, rest);
  });

/** Undefined when the object was not there; a deletion has no object. */
async function stateAsOf(
  { objects, context }: ActionCall,
  asked: AskedObject,
  field: string,
  resourceVersion: string,
): Promise<PastState | undefined> {
  const revision = await namedRevision(objects, field, resourceVersion);
  const version = await versionAsOf(objects, asked, revision, restEveryTurn(context.runtime));
  return version && stateOf(objects, asked, version);
}

const objectIn = (state: PastState | undefined): unknown => (state?.version.deleted ? undefined : state?.object);

async function differences(
  { type }: AskedObject,
  from: PastState | undefined,
  to: PastState | undefined,
  ignored: FieldSet,
  rest: Rest,
): Promise<Pick<ObjectDiffStatus, 'changes' | 'remainingChanges'>> {
  const changes = new BoundedList<FieldChange>();
  const values = [sharingOf(type.schema), objectIn(from), objectIn(to), ignored] as const;
  await findChangedValues(values, rest, ({ path, before, after }) => changes.add(fieldChange(path, before, after)));
  return { changes: changes.entries, remainingChanges: changes.remaining };
}

export const fieldChange = (path: readonly string[], before: unknown, after: unknown): FieldChange => ({
  path: placeText(path),
  ...(before !== undefined && { before }),
  ...(after !== undefined && { after }),
});
