import { badRequest } from '../../api/errors.ts';
import { findChangedValues, valuesIn } from '../../apply/changed-values.ts';
import { sharingOf } from '../../apply/derive-sharing.ts';
import { FieldSet, FieldSetBuilder, placeText } from '../../apply/field-set.ts';
import { MalformedFields } from '../../apply/fields-v1.ts';
import type { Writer } from '../../apply/owners.ts';
import { sameApplier } from '../../apply/ownership.ts';
import { readRecord } from '../../apply/record.ts';
import { jsonInSteps } from '../../codec/json-writing.ts';
import type { Action, ActionCall } from '../../handlers/actions/action.ts';
import { applicationOf, type SentApplication } from '../../handlers/write/apply.ts';
import { type AbandonedField, type ApplyConflict, ApplyPreview } from '../../kinds/explain/apply-preview.ts';
import type { FieldChange } from '../../kinds/explain/field-change.ts';
import { apiVersionOf } from '../../registry/incoming.ts';
import { OwnershipRefusal } from '../../registry/ownership-conflict.ts';
import type { ApiObject } from '../../registry/resource-type.ts';
import { fromHub } from '../../registry/versions.ts';
import type { Written } from '../../registry/write.ts';
import { inSteps, type Rest, restEveryTurn } from '../../runtime/pacing.ts';
import { AnswerRoom, BoundedList } from '../answer-room.ts';
import { type AskedObject, askedObject, demandAccess } from '../asked-object.ts';
import { VersionDescriptions } from '../history/described-version.ts';
import { BOOKKEEPING, fieldChange } from '../history/object-diff.ts';
import { type PastState, stateOf } from '../history/past-states.ts';
import { answered, type QuestionSources, question } from '../history/question.ts';
import { fieldHistory } from './field-history.ts';
import { shownOwner } from './field-owners.ts';

const LONGEST_MANAGER = 128;

/** What applying a document would do, found out by applying it in a dry run, as whoever asks. */
export const applyPreview = ({ group, authorizer, attributions }: QuestionSources): Action<ApplyPreview> =>
  question(group, 'ApplyPreview', 'applypreviews', ApplyPreview, async (call) => {
    const { object, objects, options } = call;
    const { fieldManager } = object.spec;
    if (fieldManager === '' || Buffer.byteLength(fieldManager) > LONGEST_MANAGER) {
      throw badRequest(`spec.fieldManager must have 1 to ${LONGEST_MANAGER} bytes`);
    }
    const asked = await askedObject(authorizer, call, object.spec.object);
    await demandAccess(authorizer, options.user, 'patch', asked);
    const { type, namespace, name } = asked;
    const version = objects.find(type, namespace, name);
    const before = version && (await stateOf(objects, asked, version));
    const trial = new Trial(call, asked, () => demandAccess(authorizer, options.user, 'create', asked));
    const { written, conflicts } = await trial.run();
    const descriptions = new VersionDescriptions(objects, attributions, asked.type);
    const rest = restEveryTurn(call.context.runtime);
    const room = new AnswerRoom();
    const changes = await changesBetween(asked, before, written, room, rest);
    await rest();
    const taken = await conflictsWith(call, asked, before, conflicts, { descriptions, room, rest });
    await rest();
    const abandoned = await abandonedBy(trial, asked, before, written, { room, rest });
    const status = {
      creates: written.created ?? false,
      changes: changes.entries,
      conflicts: taken.entries,
      abandoned: abandoned.entries,
      remaining: changes.remaining + taken.remaining + abandoned.remaining,
    };
    return answered(ApplyPreview, object, status, rest);
  });

type Conflicts = OwnershipRefusal['conflicts'];

/** The dry runs: one as the server would answer it, and where that is a conflict one by force. */
class Trial {
  /** What the document fills in. */
  owned: FieldSet | undefined;
  readonly #call: ActionCall<ApplyPreview>;
  readonly #asked: AskedObject;
  readonly #beforeCreate: () => Promise<void>;

  constructor(call: ActionCall<ApplyPreview>, asked: AskedObject, beforeCreate: () => Promise<void>) {
    this.#call = call;
    this.#asked = asked;
    this.#beforeCreate = beforeCreate;
  }

  get applier(): Writer {
    const manager = this.#call.object.spec.fieldManager;
    return { manager, operation: 'Apply', apiVersion: apiVersionOf(this.#asked.type), subresource: '' };
  }

  async run(): Promise<{ readonly written: Written; readonly conflicts: Conflicts }> {
    const rest = restEveryTurn(this.#call.context.runtime);
    const { length: bytes } = await inSteps(jsonInSteps(this.#call.object.spec.document ?? {}), rest);
    try {
      return { written: await this.#apply({ bytes, force: false }, rest), conflicts: [] };
    } catch (error) {
      if (!(error instanceof OwnershipRefusal)) throw error;
      return { written: await this.#apply({ bytes, force: true }, rest), conflicts: error.conflicts };
    }
  }

  async #apply(how: Pick<SentApplication, 'bytes' | 'force'>, rest: Rest): Promise<Written> {
    const { catalogue, registry, options, object } = this.#call;
    const { type, namespace, name } = this.#asked;
    const { document: value, fieldManager: manager } = object.spec;
    const sent = { manager, subresource: '', target: type, name, value, ...how };
    const { application, change } = applicationOf(catalogue, type, sent, rest);
    const written = await registry.update({ type, namespace, name, subresource: '' }, change, {
      ...options,
      dryRun: true,
      patched: true,
      verb: 'patch',
      fieldManager: manager,
      apply: application,
      beforeCreate: this.#beforeCreate,
    });
    this.owned = application.document.fields;
    return written;
  }
}

const shown = ({ type }: AskedObject, { object }: Written): ApiObject => fromHub(type, object);

async function changesBetween(
  asked: AskedObject,
  before: PastState | undefined,
  written: Written,
  room: AnswerRoom,
  rest: Rest,
): Promise<BoundedList<FieldChange>> {
  const changes = new BoundedList<FieldChange>(room);
  const after = shown(asked, written);
  const values = [sharingOf(asked.type.schema), before?.object, after, BOOKKEEPING] as const;
  await findChangedValues(values, rest, (change) => changes.add(fieldChange(change.path, change.before, change.after)));
  return changes;
}

async function conflictsWith(
  call: ActionCall<ApplyPreview>,
  asked: AskedObject,
  before: PastState | undefined,
  conflicts: Conflicts,
  { descriptions, room, rest }: { descriptions: VersionDescriptions; room: AnswerRoom; rest: Rest },
): Promise<BoundedList<ApplyConflict>> {
  const told = new BoundedList<ApplyConflict>(room);
  if (!before || conflicts.length === 0) return told;
  const places = placesOf(conflicts);
  const sharing = sharingOf(asked.type.schema);
  await rest();
  const theirs = await valuesByText(rest, places, sharing, before.object);
  const yours = await valuesByText(rest, places, sharing, call.object.spec.document);
  const { settings } = await fieldHistory(call, asked, before, places, descriptions);
  for (const { owner, path } of conflicts) {
    const place = placeText(path);
    const [their, your, setBy] = [theirs.get(place), yours.get(place), settings.get(place)?.setBy];
    const conflict = {
      path: place,
      owner: shownOwner(owner),
      ...(their !== undefined && { theirs: their }),
      ...(your !== undefined && { yours: your }),
      ...(setBy && { setBy }),
    };
    told.add(conflict);
    const pause = rest();
    if (pause) await pause;
  }
  return told;
}

function placesOf(conflicts: Conflicts): FieldSet {
  const builder = new FieldSetBuilder();
  for (const { path } of conflicts) {
    let at = builder;
    for (const element of path.slice(0, -1)) at = at.below(element);
    const last = path.at(-1);
    if (last !== undefined) at.add(last);
  }
  return builder.build();
}

async function valuesByText(rest: Rest, ...where: Parameters<typeof valuesIn>): Promise<ReadonlyMap<string, unknown>> {
  const values = new Map<string, unknown>();
  for (const { path, value } of valuesIn(...where)) {
    values.set(placeText(path), value);
    const pause = rest();
    if (pause) await pause;
  }
  return values;
}

/** What the manager owns, and the document does not fill in. What goes as a whole is told as a whole. */
async function abandonedBy(
  { applier, owned }: Trial,
  asked: AskedObject,
  before: PastState | undefined,
  written: Written,
  { room, rest }: { room: AnswerRoom; rest: Rest },
): Promise<BoundedList<AbandonedField>> {
  const told = new BoundedList<AbandonedField>(room);
  if (!before || !owned) return told;
  const sharing = sharingOf(asked.type.schema);
  const given = lastApplied(before.object, applier).difference(owned);
  await rest();
  const left = await valuesByText(rest, given, sharing, shown(asked, written));
  let gone: string | undefined;
  for (const { path, value, isLeaf } of valuesIn(given, sharing, before.object)) {
    const place = placeText(path);
    if (gone !== undefined && isBelow(place, gone)) continue;
    const removed = !left.has(place);
    if (removed) gone = place;
    told.add({ path: place, removed, ...((removed || isLeaf) && { value }) });
    const pause = rest();
    if (pause) await pause;
  }
  return told;
}

const isBelow = (place: string, above: string): boolean =>
  place.startsWith(above) && (place[above.length] === '.' || place[above.length] === '[');

function lastApplied({ metadata }: ApiObject, applier: Writer): FieldSet {
  try {
    const last = readRecord(metadata.managedFields).find((owner) => sameApplier(owner, applier));
    return last?.set ?? FieldSet.EMPTY;
  } catch (error) {
    if (error instanceof MalformedFields) return FieldSet.EMPTY;
    throw error;
  }
}
