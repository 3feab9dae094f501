import { within } from '../deadline.ts';
import { conflict, forbidden, notFound } from '../errors.ts';
import { formatTime } from '../schema/time.ts';
import { stamp } from '../storage/backend.ts';
import type { Version } from '../storage/version.ts';
import type { OperationOptions } from './admission.ts';
import { parseObject } from './encoding.ts';
import { facetsIn } from './facets.ts';
import { objectKey } from './keys.ts';
import type { ApiObject, ResourceType } from './resource-type.ts';
import { hubOf } from './versions.ts';
import { admissionRequest, commit, type WriteOptions, type WriteParts, type Written } from './write.ts';

export type Propagation = 'Orphan' | 'Background' | 'Foreground';

export interface DeleteOptions extends WriteOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: Propagation;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** The outcome of a delete. `removed` false: the object stays until its finalizers or its grace period are through. */
export interface Deleted extends Written {
  readonly removed: boolean;
}

const MOST_TRIES = 1000;

/** Finalizers by which the garbage collector learns what is to become of dependents. */
const FINALIZER_OF: Partial<Record<Propagation, string>> = { Orphan: 'orphan', Foreground: 'foregroundDeletion' };

export function remove(
  parts: WriteParts,
  type: ResourceType,
  namespace: string,
  name: string,
  options: DeleteOptions,
): Promise<Deleted> {
  const { propagationWarning } = hubOf(type);
  if (propagationWarning && options.propagationPolicy === undefined) options.warn?.(propagationWarning);
  const key = objectKey(type, namespace, name);
  const work = () => removeInTurn(parts, type, key, { namespace, name }, options);
  return parts.log.inTurn(key, work, options.deadline);
}

async function removeInTurn(
  parts: WriteParts,
  requestedAs: ResourceType,
  key: string,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  options: DeleteOptions,
): Promise<Deleted> {
  const type = hubOf(requestedAs);
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    await within(options.deadline, parts.log.settled(key));
    const current = parts.log.get(key);
    if (!current) throw notFound({ group: type.group, resource: type.plural }, name);
    const refused = type.refusesDelete?.(name);
    if (refused) throw forbidden({ group: type.group, resource: type.plural }, name, refused);
    const object = parseObject(current.bytes);
    checkPreconditions(type, object, options);
    const request = admissionRequest(
      {
        operation: 'DELETE',
        type,
        requestedAs,
        subresource: '',
        namespace,
        name,
        object: undefined,
        oldObject: object,
        options: operationOptions(options),
      },
      options,
    );
    await parts.admission.mutate(request);
    await parts.admission.validate(request);
    const done = await attemptRemoval(parts, type, current, object, options);
    if (done) return done;
  }
  throw conflict({ group: type.group, resource: type.plural }, name, 'other writers were faster each time');
}

const operationOptions = ({
  gracePeriodSeconds,
  propagationPolicy,
  preconditions,
}: DeleteOptions): OperationOptions => ({
  ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
  ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
  ...(preconditions === undefined ? {} : { preconditions }),
});

function checkPreconditions(type: ResourceType, object: ApiObject, { preconditions }: DeleteOptions): void {
  const { name = '', uid = '', resourceVersion = '' } = object.metadata;
  const fail = (what: string, wanted: string, real: string, why: string) =>
    conflict(
      { group: type.group, resource: type.kind },
      name,
      `the ${what} in the precondition (${wanted}) does not match the ${what} in record (${real}). ${why}`,
    );
  if (preconditions?.uid !== undefined && preconditions.uid !== uid) {
    throw fail('UID', preconditions.uid, uid, 'The object might have been deleted and then recreated');
  }
  if (preconditions?.resourceVersion !== undefined && preconditions.resourceVersion !== resourceVersion) {
    const { resourceVersion: wanted } = preconditions;
    throw fail('ResourceVersion', wanted, resourceVersion, 'The object might have been modified');
  }
}

/** Undefined: another writer was faster. */
async function attemptRemoval(
  parts: WriteParts,
  type: ResourceType,
  current: Version,
  last: ApiObject,
  options: DeleteOptions,
): Promise<Deleted | undefined> {
  const object = structuredClone(last);
  const grace = type.gracePeriod?.(object, options.gracePeriodSeconds) ?? 0;
  settleFinalizers(type, object, options);
  const held = Boolean(object.metadata.finalizers?.length) || (type.isHeld?.(object) ?? false);
  if (!held && grace === 0) {
    // Kinds that know grace show who deletes that there was none.
    if (type.gracePeriod) markForDeletion(parts, type, object, 0);
    const removed = await removeFinally(parts, type, current, last, type.gracePeriod ? object : last, options);
    return removed && { ...removed, removed: true };
  }
  markForDeletion(parts, type, object, grace);
  const value = parts.encoder.encode(parts.encoder.finish(type, object));
  const same = stamp(value, current.revision);
  if (same.equals(current.bytes)) return { object, bytes: current.bytes, version: current, removed: false };
  if (options.dryRun) return { object, bytes: same, removed: false };
  const write = { key: current.key, expected: current.revision, value, facets: facetsIn(type, object) };
  const version = await commit(parts.log, write, options);
  return version && { object: parseObject(version.bytes), bytes: version.bytes, version, removed: false };
}

function settleFinalizers(type: ResourceType, object: ApiObject, options: DeleteOptions): void {
  const wanted = FINALIZER_OF[options.propagationPolicy ?? defaultPropagation(type, object)];
  const others = (object.metadata.finalizers ?? []).filter((one) => !Object.values(FINALIZER_OF).includes(one));
  const finalizers = wanted ? [...others, wanted] : others;
  if (finalizers.length === 0) delete object.metadata.finalizers;
  else object.metadata.finalizers = finalizers;
}

/** Without a word from the client, an object that already carries such a finalizer keeps it. */
function defaultPropagation(type: ResourceType, { metadata: { finalizers = [] } }: ApiObject): Propagation {
  if (finalizers.includes('orphan')) return 'Orphan';
  return finalizers.includes('foregroundDeletion') ? 'Foreground' : type.strategy.defaultPropagation;
}

/** The first delete sets the time; a later one may only shorten the grace. */
function markForDeletion(parts: WriteParts, type: ResourceType, object: ApiObject, grace: number): void {
  const { metadata } = object;
  const shortens = grace < (metadata.deletionGracePeriodSeconds ?? 0);
  if (metadata.deletionTimestamp && !shortens) return;
  if (!metadata.deletionTimestamp && type.strategy.generation) metadata.generation = (metadata.generation ?? 0) + 1;
  metadata.deletionTimestamp = formatTime(parts.runtime.now() + grace * 1000);
  metadata.deletionGracePeriodSeconds = grace;
  type.beginDeletion?.(object);
}

/**
 * Takes an object out of the store. Watchers are told the last state that was stored, finalizers included; who deletes it
 * is answered `object`, what has become of it. Undefined: another writer was faster.
 */
export async function removeFinally(
  parts: WriteParts,
  type: ResourceType,
  current: Version,
  last: ApiObject,
  object: ApiObject,
  options: WriteOptions,
): Promise<Written | undefined> {
  // A copy, because what is stored is a value that others hold.
  const value = parts.encoder.encode({ ...last, metadata: { ...last.metadata } });
  const answer = object === last ? value : parts.encoder.encode(parts.encoder.finish(type, object));
  if (options.dryRun) return { object, bytes: stamp(answer, current.revision) };
  const facets = facetsIn(type, last);
  const write = { key: current.key, expected: current.revision, value, delete: true, facets };
  const version = await commit(parts.log, write, options);
  if (!version) return undefined;
  return object === last
    ? { object, bytes: version.bytes, version }
    : { object, bytes: stamp(answer, version.revision) };
}
