import { type FieldSet, fieldSetOf, placeText } from '../apply/field-set.ts';
import { MalformedFields } from '../apply/fields-v1.ts';
import {
  asksForReset,
  decodeOwners,
  encodeOwners,
  type Owner,
  type RecordedOwner,
  type Writer,
} from '../apply/owners.ts';
import { afterApply, afterUpdate, type InVersion, OwnershipConflict } from '../apply/ownership.ts';
import { sharingOf } from '../apply/sharing.ts';
import { compare } from '../apply/values.ts';
import { ApiError } from '../errors.ts';
import { canonicalise } from '../schema/derive/canonical.ts';
import { formatTime } from '../schema/time.ts';
import { apiVersionOf } from './incoming.ts';
import type { ApiObject, ResourceType } from './resource-type.ts';
import { fromHub, hubOf } from './versions.ts';
import type { WriteOptions, WriteParts } from './write.ts';

/** What the server sets, and therefore nobody owns. */
const SERVER_OWNED = [
  'apiVersion',
  'kind',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'metadata.resourceVersion',
  'metadata.generation',
  'metadata.creationTimestamp',
  'metadata.deletionTimestamp',
  'metadata.deletionGracePeriodSeconds',
  'metadata.selfLink',
  'metadata.managedFields',
];

/** Owns what was live before anything was recorded. */
const BEFORE_FIRST_APPLY = 'before-first-apply';

const ignoredSets = new Map<string, FieldSet>();

/** What a write through an endpoint cannot own: the server's fields, and those the endpoint cannot change. */
function ignoredBy(type: ResourceType, subresource: string): FieldSet {
  const hub = hubOf(type);
  const resets = (subresource === '' ? hub.rules.resets : hub.subresources[subresource]?.rules?.resets) ?? [];
  const key = resets.join(' ');
  const known = ignoredSets.get(key);
  if (known) return known;
  const made = fieldSetOf(...SERVER_OWNED, ...resets.filter((path) => path !== 'metadata'));
  ignoredSets.set(key, made);
  return made;
}

interface Tracked {
  readonly type: ResourceType;
  readonly subresource: string;
}

const writerOf = (parts: WriteParts, { type, subresource }: Tracked, options: WriteOptions): Writer => ({
  manager: options.fieldManager ?? parts.vocabulary.components.apiserver,
  operation: options.apply ? 'Apply' : 'Update',
  apiVersion: apiVersionOf(type),
  subresource,
});

/** Both states of the object in whatever version an owner's places are told. */
function inVersions(parts: WriteParts, hub: ResourceType, before: ApiObject | undefined, after: ApiObject): InVersion {
  return (apiVersion) => {
    const type = parts.servedAs(hub, apiVersion);
    if (!type) return undefined;
    return {
      sharing: sharingOf(type.schema),
      before: before ? fromHub(type, before) : nothingOf(type),
      after: fromHub(type, after),
    };
  };
}

const nothings = new WeakMap<ResourceType, unknown>();

/** The object before anything was said about it; never changed. */
function nothingOf(type: ResourceType): unknown {
  const known = nothings.get(type);
  if (known) return known;
  const made: unknown = canonicalise(type.schema, {}).value;
  nothings.set(type, made);
  return made;
}

/** Records who owns the fields of a new, finished object. */
export function trackCreate(parts: WriteParts, type: ResourceType, object: ApiObject, options: WriteOptions): void {
  const at = { type, subresource: '' };
  record(parts, at, [], undefined, object, options);
}

/** Records what a write changed hands. An object that was never tracked stays so until it is applied to. */
export function trackUpdate(
  parts: WriteParts,
  at: Tracked,
  old: ApiObject,
  object: ApiObject,
  sent: readonly RecordedOwner[] | undefined,
  options: WriteOptions,
): void {
  const reset = !options.apply && asksForReset(sent);
  const recorded = reset ? [] : (sentOwners(at, sent) ?? readOwners(old.metadata.managedFields));
  if (recorded.length > 0 || reset) record(parts, at, recorded, old, object, options);
  else if (options.apply) record(parts, at, [firstOwner(parts, at, old)], old, object, options);
  else delete object.metadata.managedFields;
}

/** A writer of the object itself may edit the record; one that cannot be read, or none, leaves it as it is. */
function sentOwners({ subresource }: Tracked, sent: readonly RecordedOwner[] | undefined): Owner[] | undefined {
  if (subresource !== '' || !sent?.length || !sent.every(isReadable)) return undefined;
  const owners = readOwners(sent);
  return owners.length > 0 ? owners : undefined;
}

const isReadable = ({ operation, fieldsType }: RecordedOwner): boolean =>
  (operation === 'Apply' || operation === 'Update') && fieldsType === 'FieldsV1';

function readOwners(entries: readonly RecordedOwner[] | undefined): Owner[] {
  try {
    return decodeOwners(entries ?? []);
  } catch (error) {
    // A record that cannot be read says nothing: it is as if there were none.
    if (error instanceof MalformedFields) return [];
    throw error;
  }
}

function firstOwner(parts: WriteParts, { type, subresource }: Tracked, old: ApiObject): Owner {
  const { added, modified } = compare(sharingOf(type.schema), nothingOf(type), fromHub(type, old));
  const set = added.union(modified).without(ignoredBy(type, subresource));
  const time = formatTime(parts.runtime.now());
  return {
    manager: BEFORE_FIRST_APPLY,
    operation: 'Update',
    apiVersion: apiVersionOf(type),
    subresource: '',
    time,
    set,
  };
}

function record(
  parts: WriteParts,
  at: Tracked,
  owners: readonly Owner[],
  old: ApiObject | undefined,
  object: ApiObject,
  options: WriteOptions,
): void {
  const writer = writerOf(parts, at, options);
  const change = inVersions(parts, hubOf(at.type), old, object);
  const ignored = ignoredBy(at.type, at.subresource);
  const now = formatTime(parts.runtime.now());
  const { apply } = options;
  try {
    const next = apply
      ? afterApply(owners, writer, apply.document, change, ignored, apply.force, now)
      : afterUpdate(owners, writer, change, ignored, now);
    const entries = encodeOwners(next);
    if (entries.length === 0) delete object.metadata.managedFields;
    else object.metadata.managedFields = entries;
  } catch (error) {
    if (error instanceof OwnershipConflict) throw conflictOf(error);
    throw error;
  }
}

/** 409 with one cause for each field, naming who owns it. */
function conflictOf({ conflicts }: OwnershipConflict): ApiError {
  const causes = conflicts.map(({ owner: { manager, apiVersion, subresource }, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with "${manager}"${subresource === '' ? '' : ` with subresource "${subresource}"`} using ${apiVersion}`,
    field: placeText(path),
  }));
  const texts = causes.map(({ message, field }) => `${message}: ${field}`).join('; ');
  const count = `${causes.length} conflict${causes.length === 1 ? '' : 's'}`;
  return new ApiError('Conflict', `Apply failed with ${count}: ${texts}`, { causes });
}
