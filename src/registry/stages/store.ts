import { type ApiError, alreadyExists, conflict, MODIFIED_MEANWHILE } from '../../api/errors.ts';
import { jsonInSteps } from '../../codec/json-writing.ts';
import { atRevision } from '../../objects/seal.ts';
import { inSteps } from '../../runtime/pacing.ts';
import { type Stampable, stamp } from '../../storage/backend.ts';
import { demandCreatable } from '../creatable.ts';
import { parseObject } from '../encoding.ts';
import { objectKey } from '../keys.ts';
import type { LiveObject } from '../live-objects.ts';
import { demandReadable } from '../readable.ts';
import type { ApiObject, ResourceType } from '../resource-type.ts';
import { sameOwners } from '../tracking.ts';
import type { Deleted, Deletion, Write, Written } from '../write.ts';
import { commit } from './commit.ts';
import { isStoredAsNow, shownTo, storedIn } from './convert.ts';

/** Stores an object that is new or changed. Undefined: another writer was faster. */
export async function store(write: Write): Promise<Written | undefined> {
  const { live } = write;
  if (!live) return storeNew(write);
  const written = await storeChange(write, live);
  if (!written && write.isConditional) throw conflictOf(write);
  return written;
}

const conflictOf = ({ type, ref }: Write): ApiError =>
  conflict({ group: type.group, resource: type.plural }, ref.name, MODIFIED_MEANWHILE);

async function storeNew(write: Write): Promise<Written> {
  const { parts, type, object, stored = object, options } = write;
  const { namespace = '', name = '' } = object.metadata;
  const key = objectKey(type, namespace, name);
  demandReadable(parts.log, type, namespace, name);
  if (options.dryRun) {
    if (parts.log.get(key)) throw taken(write, key, name);
    const { resourceVersion: _none, ...metadata } = object.metadata;
    const tried = { ...object, metadata };
    const text = write.hasRested ? await inSteps(jsonInSteps(tried), write.rest) : JSON.stringify(tried);
    return { object: tried, bytes: Buffer.from(text), created: true };
  }
  const coded = encoded(write, stored, false);
  const value = coded instanceof Promise ? await coded : coded;
  // The kind may be going since the write began.
  demandCreatable(parts, type);
  const version = await commit(write, { key, expected: 0, value }, stored);
  if (!version) throw taken(write, key, name);
  if (write.stored) return { ...(await shownTo(write, version)), created: true };
  return { object: atRevision(object, version.revision), bytes: version.bytes, version, created: true };
}

/** Who has the name may be on its way out: then it helps to wait. */
function taken({ parts: { log }, type: { group, plural } }: Write, key: string, name: string): ApiError {
  const present = log.get(key);
  const isLeaving = present !== undefined && parseObject(present.bytes).metadata.deletionTimestamp !== undefined;
  return alreadyExists({ group, resource: plural }, name, isLeaving);
}

async function storeChange(write: Write, live: LiveObject): Promise<Written | undefined> {
  const { parts, type, object, stored = object, options } = write;
  if (options.apply) {
    options.apply.noteIn(live.applied);
    parts.live.keep(live);
  }
  const isSame = object === live.object || isSameButForTimes(object, live.object);
  const isCurrent = isStoredAsNow(write, live) && !parts.log.isOutdated(live.version.key);
  if (isSame && isCurrent) {
    if (!options.dryRun) parts.commits?.unchanged?.(write);
    return unchanged(live);
  }
  if (isFinished(type, object)) return removeFinally(write, live, object);
  if (options.dryRun) return tried(write, live, object);
  const { version: current } = live;
  const coded = encoded(write, stored, write.stored === undefined);
  const value = coded instanceof Promise ? await coded : coded;
  const version = await commit(write, { key: current.key, expected: current.revision, value }, stored);
  if (!version) return undefined;
  if (write.stored) return shownTo(write, version);
  const written = atRevision(object, version.revision);
  parts.live.replace(live, version, written);
  return { object: written, bytes: version.bytes, version };
}

/** For the store; a large object with rests. */
function encoded(write: Write, object: ApiObject, isKept: boolean): Stampable | Promise<Stampable> {
  const { encoder } = write.parts;
  return write.hasRested ? inSteps(encoder.encodeInSteps(object), write.rest) : encoder.encode(object, isKept);
}

/** What a write would have come to. */
const tried = async (write: Write, { version }: LiveObject, object: ApiObject): Promise<Written> => ({
  object,
  bytes: stamp(await encoded(write, object, false), version.revision),
});

const unchanged = ({ object, version }: LiveObject): Written => ({ object, bytes: version.bytes, version });

/** Whether only the times at which owners changed something are others: admission or preparation took the change back. */
function isSameButForTimes(object: ApiObject, live: ApiObject): boolean {
  const [{ managedFields }, { managedFields: owners }] = [object.metadata, live.metadata];
  if (managedFields === owners || !sameParts(object, live, 'metadata')) return false;
  return sameParts(object.metadata, live.metadata, 'managedFields') && sameOwners(managedFields, owners);
}

/** Whether all parts but one are the very same. */
function sameParts<T extends object>(one: T, other: T, but: keyof T): boolean {
  let surplus = 0;
  for (const name in one) {
    if (name === but) continue;
    if (one[name] !== other[name]) return false;
    surplus++;
  }
  for (const name in other) if (name !== but) surplus--;
  return surplus === 0;
}

/** A terminating object goes with its last finalizer, once its grace is over. */
function isFinished(type: ResourceType, object: ApiObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = object.metadata;
  if (!deletionTimestamp || finalizers?.length || deletionGracePeriodSeconds) return false;
  return !type.isHeld?.(object);
}

/** Takes an object away, or stores that it is going. Undefined: another writer was faster. */
export async function remove(write: Deletion): Promise<Deleted | undefined> {
  const { parts, object, stored = object, live, options, goesAtOnce } = write;
  if (goesAtOnce) {
    const removed = await removeFinally(write, live, object);
    return removed && { ...removed, removed: true };
  }
  if (object === live.object) return { ...unchanged(live), removed: false };
  const { version: current } = live;
  if (options.dryRun) return { ...(await tried(write, live, object)), removed: false };
  const value = await encoded(write, stored, false);
  const version = await commit(write, { key: current.key, expected: current.revision, value }, stored);
  if (!version) return undefined;
  if (write.stored) return { ...(await shownTo(write, version)), removed: false };
  const written = atRevision(object, version.revision);
  parts.live.replace(live, version, written);
  return { object: written, bytes: version.bytes, version, removed: false };
}

/**
 * Takes an object out of the store. Watchers are told the last state that was stored, finalizers included; who deletes it
 * is answered `object`, what has become of it. Undefined: another writer was faster.
 */
async function removeFinally(write: Write, live: LiveObject, object: ApiObject): Promise<Written | undefined> {
  const { options } = write;
  const { version: current } = live;
  if (options.dryRun) return tried(write, live, object);
  const last = storedIn(write, live);
  const value = await encoded(write, last, false);
  const version = await commit(write, { key: current.key, expected: current.revision, value, delete: true }, last);
  if (!version) return undefined;
  return object === last
    ? { object, bytes: version.bytes, version }
    : { object, bytes: stamp(await encoded(write, object, false), version.revision) };
}
