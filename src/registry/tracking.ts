import { sharingOf } from '../apply/derive-sharing.ts';
import { compare } from '../apply/difference.ts';
import { MalformedFields } from '../apply/fields-v1.ts';
import { asksForReset, entryOf, Owner, type RecordedOwner, type Writer } from '../apply/owners.ts';
import { type Application, afterApply, afterUpdate, type InVersion, OwnershipConflict } from '../apply/ownership.ts';
import { readRecord, writeRecord } from '../apply/record.ts';
import type { Steps } from '../runtime/pacing.ts';
import { borrowed, type Draft } from '../schema/draft.ts';
import { sameJson } from '../schema/same-json.ts';
import { formatTime } from '../schema/time.ts';
import type { Conversions } from './conversions.ts';
import { nothingOf } from './fields-of-new.ts';
import { ignoredBy } from './ignored-fields.ts';
import { apiVersionOf } from './incoming.ts';
import { excusing } from './last-applied.ts';
import { ownershipConflict } from './ownership-conflict.ts';
import type { ApiObject, ResourceType } from './resource-type.ts';
import { fromHub, hubOf } from './versions.ts';
import type { WriteOptions, WriteParts } from './write.ts';

/** Owns what was live before anything was recorded. */
const BEFORE_FIRST_APPLY = 'before-first-apply';

interface Tracked {
  readonly type: ResourceType;
  readonly subresource: string;
  /** Of kinds that have to be asked for other versions of an object. */
  readonly conversions?: Conversions | undefined;
}

const writerOf = (parts: WriteParts, { type, subresource }: Tracked, options: WriteOptions): Writer => ({
  manager: options.fieldManager ?? parts.vocabulary.components.apiserver,
  operation: options.apply ? 'Apply' : 'Update',
  apiVersion: apiVersionOf(type),
  subresource,
});

/** Both states of the object in whatever version an owner's places are told. */
function inVersions(parts: WriteParts, at: Tracked, before: ApiObject | undefined, after: ApiObject): InVersion {
  const hub = hubOf(at.type);
  return (apiVersion) => {
    const type = parts.servedAs(hub, apiVersion);
    if (!type) return undefined;
    const shown = (object: ApiObject): ApiObject =>
      at.conversions ? at.conversions.in(object, hub, type) : fromHub(type, object);
    return {
      sharing: sharingOf(type.schema),
      before: before ? shown(before) : nothingOf(type),
      after: shown(after),
    };
  };
}

/**
 * The record of a new object: whoever makes it owns what it says as it is sent, defaults included, but nothing that
 * admission or the server add; whoever applies it owns what the document says. Undefined when that is nothing.
 */
export function* recordOfNew(
  parts: WriteParts,
  type: ResourceType,
  sent: ApiObject,
  options: WriteOptions,
  isLarge: boolean,
): Steps<readonly RecordedOwner[] | undefined> {
  const at = { type, subresource: '' };
  if (options.apply) return yield* recordOf(parts, at, [], undefined, sent, options);
  const fields = yield* parts.fieldsOfNew.of(type, fromHub(type, sent), isLarge);
  if (Object.keys(fields).length === 0) return undefined;
  return [entryOf(writerOf(parts, at, options), formatTime(parts.runtime.now()), fields)];
}

/**
 * The record of an object after a write: what changed hands between what is stored and what was sent, before admission
 * changes any of it. An object that was never tracked stays so until it is applied to.
 */
export function* recordOfChange(
  parts: WriteParts,
  at: Tracked,
  old: ApiObject,
  sent: ApiObject,
  edited: readonly RecordedOwner[] | undefined,
  options: WriteOptions,
): Steps<readonly RecordedOwner[] | undefined> {
  const stored = old.metadata.managedFields;
  const reset = !options.apply && asksForReset(edited);
  const owners = reset ? [] : (editedOwners(at, edited, stored) ?? readRecord(stored));
  if (owners.length > 0 || reset) return yield* recordOf(parts, at, owners, old, sent, options);
  if (!options.apply) return undefined;
  return yield* recordOf(parts, at, [firstOwner(parts, at, old)], old, sent, options);
}

/** Gives an object its record, whatever it had. */
export function setRecord({ metadata }: Draft<ApiObject>, record: readonly RecordedOwner[] | undefined): void {
  if (record) metadata.managedFields = borrowed(record);
  else delete metadata.managedFields;
}

/** Whether two records say the same but for when. What a write left alone is the very same entry. */
export function sameOwners(a: readonly RecordedOwner[] = [], b: readonly RecordedOwner[] = []): boolean {
  return a.length === b.length && a.every((entry, at) => entry === b[at] || sameOwner(entry, b[at]));
}

const sameOwner = ({ time: _a, ...entry }: RecordedOwner, { time: _b, ...other }: RecordedOwner = {}): boolean =>
  sameJson(entry, other);

/** A writer of the object itself may edit the record; an entry that cannot be read, or none, leaves it as it is. */
function editedOwners(
  { subresource }: Tracked,
  sent: readonly RecordedOwner[] | undefined,
  stored: readonly RecordedOwner[] | undefined,
): Owner[] | undefined {
  if (subresource !== '' || !sent?.length || !sent.every(isReadable) || sameJson(sent, stored)) return undefined;
  try {
    // Read at once, so that it is recorded in our own spelling.
    const owners = readRecord(sent).map((owner) => Owner.of(owner, owner.set, owner.time));
    return owners.some(({ set }) => !set.isEmpty) ? owners : undefined;
  } catch (error) {
    if (error instanceof MalformedFields) return undefined;
    throw error;
  }
}

const isReadable = ({ operation, fieldsType }: RecordedOwner): boolean =>
  (operation === 'Apply' || operation === 'Update') && fieldsType === 'FieldsV1';

function firstOwner(parts: WriteParts, { type, subresource }: Tracked, old: ApiObject): Owner {
  const { touched } = compare(sharingOf(type.schema), nothingOf(type), fromHub(type, old));
  return Owner.of(
    { manager: BEFORE_FIRST_APPLY, operation: 'Update', apiVersion: apiVersionOf(type), subresource: '' },
    touched.without(ignoredBy(type, subresource)),
    formatTime(parts.runtime.now()),
  );
}

/** What is written, or what was there before where nothing came of it. */
function unlessSame(entries: RecordedOwner[], before: readonly RecordedOwner[] | undefined): readonly RecordedOwner[] {
  const same = entries.length === before?.length && entries.every((entry, at) => entry === before[at]);
  return same ? before : entries;
}

const excusedApplication = (parts: WriteParts, { type }: Tracked, old: ApiObject, apply: Application): Application =>
  excusing(type, old, () => fromHub(type, old), apply, parts.vocabulary);

function* recordOf(
  parts: WriteParts,
  at: Tracked,
  owners: readonly Owner[],
  old: ApiObject | undefined,
  sent: ApiObject,
  options: WriteOptions,
): Steps<readonly RecordedOwner[] | undefined> {
  const write = {
    writer: writerOf(parts, at, options),
    inVersion: inVersions(parts, at, old, sent),
    ignored: ignoredBy(at.type, at.subresource),
    now: formatTime(parts.runtime.now()),
  };
  const { apply } = options;
  try {
    const next = apply
      ? yield* afterApply(owners, write, old ? excusedApplication(parts, at, old, apply) : apply)
      : yield* afterUpdate(owners, write);
    for (const owner of next) yield* owner.write();
    yield;
    const entries = writeRecord(next);
    return entries.length === 0 ? undefined : unlessSame(entries, old?.metadata.managedFields);
  } catch (error) {
    if (error instanceof OwnershipConflict) throw ownershipConflict(error);
    // A record that cannot be read says nothing: it is as if there were none.
    if (error instanceof MalformedFields) return yield* recordOf(parts, at, [], old, sent, options);
    throw error;
  }
}
