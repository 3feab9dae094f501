import { within } from '../deadline.ts';
import { badRequest, conflict, invalid, MODIFIED_MEANWHILE, notFound } from '../errors.ts';
import { restEveryTurn } from '../pacing.ts';
import { Problems } from '../schema/problems.ts';
import { sameJson } from '../schema/same-json.ts';
import { type Guard, stamp } from '../storage/backend.ts';
import type { Version } from '../storage/version.ts';
import { createObject, settleNamespace } from './create.ts';
import { removeFinally } from './delete.ts';
import { facetsIn } from './facets.ts';
import { readObject } from './incoming.ts';
import { objectKey } from './keys.ts';
import { noteLastApplied } from './last-applied.ts';
import { validateMetadata, validateMetadataUpdate } from './metadata-validation.ts';
import { dropRepeatedOwners } from './owner-references.ts';
import { restoreFields } from './resets.ts';
import type { ApiObject, ResourceType, WriteRules } from './resource-type.ts';
import { StoredObject, sameText } from './stored-object.ts';
import { recordOfChange, sameOwners, setRecord } from './tracking.ts';
import { fromHub, hubOf, toHub } from './versions.ts';
import {
  admissionRequest,
  commit,
  invalidObject,
  problemsOf,
  refuse,
  reserve,
  silent,
  unreserved,
  type WriteOptions,
  type WriteParts,
  type Written,
} from './write.ts';

/** The object a write is about. */
export interface ObjectRef {
  readonly type: ResourceType;
  readonly namespace: string;
  readonly name: string;
  /** '' for the object itself. */
  readonly subresource: string;
}

/** Another writer was faster this often before we give up; patches without a version are tried again and again. */
const MOST_TRIES = 1000;

/**
 * Builds the new object from the current one (undefined: there is none), which it must not change. Called again when
 * another writer was faster.
 */
export type Change = (current: ApiObject | undefined, stored?: StoredObject) => unknown | Promise<unknown>;

/**
 * Read, change, write back, once more if someone else wrote meanwhile. Serves PUT, every patch and the controllers.
 * A result equal to what is stored changes nothing, the version included.
 */
export function update(parts: WriteParts, ref: ObjectRef, change: Change, options: WriteOptions): Promise<Written> {
  const key = objectKey(ref.type, ref.namespace, ref.name);
  return parts.log.inTurn(key, () => updateInTurn(parts, ref, key, change, options), options.deadline);
}

async function updateInTurn(
  parts: WriteParts,
  ref: ObjectRef,
  key: string,
  change: Change,
  options: WriteOptions,
): Promise<Written> {
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    await within(options.deadline, parts.log.settled(key));
    const current = parts.log.get(key);
    if (!current) return createInstead(parts, ref, await change(undefined), options);
    const written = await attemptUpdate(parts, ref, current, change, options);
    if (written) return written;
  }
  throw conflict({ group: ref.type.group, resource: ref.type.plural }, ref.name, MODIFIED_MEANWHILE);
}

/** PUT of something that is not there: some kinds are made by it, unless a certain object was meant. */
async function createInstead(
  parts: WriteParts,
  ref: ObjectRef,
  document: unknown,
  options: WriteOptions,
): Promise<Written> {
  const { type, namespace, name, subresource } = ref;
  const rest = restEveryTurn(parts.runtime);
  if (document === undefined) throw notFound({ group: type.group, resource: type.plural }, name);
  const object = readObject(type, document, options);
  checkName(object, name);
  settleNamespace(type, object, namespace);
  if (object.metadata.uid) throw uidDiffers(ref, object.metadata.uid, '');
  if (subresource !== '' || !(type.strategy.createOnUpdate || options.apply)) {
    throw notFound({ group: type.group, resource: type.plural }, name);
  }
  await options.beforeCreate?.();
  delete object.metadata.resourceVersion;
  return createObject(parts, type, toHub(type, object), options, rest);
}

/** Undefined when another writer was faster and the change may be tried again. */
async function attemptUpdate(
  parts: WriteParts,
  ref: ObjectRef,
  current: Version,
  change: Change,
  options: WriteOptions,
): Promise<Written | undefined> {
  const { name, subresource } = ref;
  const stored = parts.recent.of(current);
  const old = stored.object;
  // Metadata is different each time, and has records of owners in it that are better shared than copied.
  const known = ref.type.conversion ? {} : { known: { ...old, metadata: { creationTimestamp: null } } };
  const rest = restEveryTurn(parts.runtime);
  const document = await change(fromHub(ref.type, old), stored);
  let pause = rest();
  if (pause) await pause;
  const sent = readObject(ref.type, document, { ...options, ...known });
  pause = rest();
  if (pause) await pause;
  checkName(sent, name);
  settleNamespace(ref.type, sent, ref.namespace);
  const type = hubOf(ref.type);
  const edited = sent.metadata.managedFields;
  const incoming = toHub(ref.type, sent, old);
  const wantsVersion = checkVersion(ref, incoming, old, options);
  dropRepeatedOwners(incoming, options.warn ?? silent);
  type.complete?.(incoming, parts);
  const rules = rulesOf(type, subresource);
  const request = admissionRequest(
    {
      operation: 'UPDATE',
      type,
      requestedAs: ref.type,
      subresource,
      namespace: ref.namespace,
      name,
      object: incoming,
      oldObject: old,
    },
    options,
  );
  const record = recordOfChange(parts, ref, old, incoming, edited, options);
  setRecord(incoming, record);
  if (options.apply) noteLastApplied(ref.type, incoming, options.apply, parts.vocabulary);
  pause = rest();
  if (pause) await pause;
  await parts.admission.mutate(request);
  const prepared = request.object ?? incoming;
  prepare(parts, type, rules, prepared, old);
  // What is reserved is filled in later, in place.
  const wanted = parts.encoder.finish(type, prepared, type.reserve ? undefined : stored);
  setRecord(wanted, record);
  pause = rest();
  if (pause) await pause;
  const reserved = subresource === '' ? reserve(parts, type, wanted, old, options) : unreserved(wanted);
  const { object, reservation, guard } = reserved;
  try {
    countGeneration(type, object, old);
    object.metadata.resourceVersion = old.metadata.resourceVersion ?? '';
    request.object = object;
    refuse(type, object, updateProblems(parts, type, rules, object, old));
    pause = rest();
    if (pause) await pause;
    await parts.admission.validate(request);
    pause = rest();
    if (pause) await pause;
    const written = await store(parts, type, current, stored, object, guard, options);
    const lost = written ? undefined : conflict({ group: type.group, resource: type.plural }, name, MODIFIED_MEANWHILE);
    if (lost && wantsVersion) throw lost;
    request.over?.(lost);
    return written;
  } catch (error) {
    request.over?.(error);
    throw error;
  } finally {
    reservation?.end();
  }
}

const rulesOf = (type: ResourceType, subresource: string): WriteRules<ApiObject> =>
  subresource === '' ? type.rules : (type.subresources[subresource]?.rules ?? {});

/** The path says the name; a body must repeat it. */
export function checkName(object: ApiObject, name: string): void {
  const { metadata } = object;
  if (!metadata.name)
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  if (metadata.name !== name) {
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
  }
}

const uidDiffers = ({ type, name }: ObjectRef, wanted: string, real: string) =>
  conflict(
    { group: type.group, resource: type.plural },
    name,
    `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${real}`,
  );

/** True when the client named the version it wants to replace. A patched object carries the version it was made from. */
function checkVersion(ref: ObjectRef, object: ApiObject, old: ApiObject, { patched }: WriteOptions): boolean {
  const { type, name } = ref;
  const { resourceVersion = '', uid } = object.metadata;
  if (!patched && uid && uid !== old.metadata.uid) throw uidDiffers(ref, uid, old.metadata.uid ?? '');
  if (resourceVersion === '' || resourceVersion === '0') {
    if (type.strategy.unconditionalUpdate) return false;
    const problems = new Problems();
    problems.add(
      'metadata.resourceVersion',
      'FieldValueInvalid',
      'Invalid value: 0x0: must be specified for an update',
    );
    throw invalid(type.group, type.plural, name, problems.found);
  }
  if (!/^\d+$/.test(resourceVersion)) {
    const problems = new Problems();
    problems.invalid(
      'metadata.resourceVersion',
      resourceVersion,
      'must be a resource version the server has given out',
    );
    throw invalidObject(type, name, problems);
  }
  if (resourceVersion !== old.metadata.resourceVersion) {
    throw conflict({ group: type.group, resource: type.plural }, name, MODIFIED_MEANWHILE);
  }
  return !patched;
}

function prepare(
  parts: WriteParts,
  type: ResourceType,
  rules: WriteRules<ApiObject>,
  object: ApiObject,
  old: ApiObject,
): void {
  const { metadata } = object;
  if (!metadata.uid) keep(metadata, old.metadata, 'uid');
  keep(metadata, old.metadata, 'generation');
  metadata.creationTimestamp = old.metadata.creationTimestamp;
  delete metadata.selfLink;
  if (metadata.deletionTimestamp === undefined) keep(metadata, old.metadata, 'deletionTimestamp');
  if (metadata.deletionGracePeriodSeconds === undefined) keep(metadata, old.metadata, 'deletionGracePeriodSeconds');
  restoreFields(object, old, rules.resets);
  type.complete?.(object, parts);
  rules.prepareUpdate?.(object, old, parts);
}

function keep<T extends object, K extends keyof T>(target: T, source: T, key: K): void {
  if (source[key] === undefined) delete target[key];
  else target[key] = source[key];
}

const NOT_DESIRED = new Set(['kind', 'apiVersion', 'metadata', 'status']);

/** Counts a change of desired state: everything but metadata and status, unless the kind says otherwise. */
function countGeneration(type: ResourceType, object: ApiObject, old: ApiObject): void {
  if (!type.strategy.generation) return;
  const bumps = type.bumpsGeneration ? type.bumpsGeneration(object, old) : isDesiredOtherwise(object, old);
  if (bumps) object.metadata.generation = (old.metadata.generation ?? 0) + 1;
}

function isDesiredOtherwise(object: ApiObject, old: ApiObject): boolean {
  const [now, before]: { [key: string]: unknown }[] = [{ ...object }, { ...old }];
  const keys = new Set([...Object.keys(object), ...Object.keys(old)]);
  for (const key of keys) {
    if (!NOT_DESIRED.has(key) && !sameJson(now?.[key], before?.[key])) return true;
  }
  return false;
}

function updateProblems(
  parts: WriteParts,
  type: ResourceType,
  rules: WriteRules<ApiObject>,
  object: ApiObject,
  old: ApiObject,
): Problems {
  const change = (problems: Problems): void => {
    validateMetadataUpdate(object.metadata, old.metadata, problems);
    rules.validateUpdate?.(object, old, problems, parts);
  };
  if (rules.whole !== false) return problemsOf(type, object, parts, change);
  const problems = new Problems({ hidesValues: type.sensitive });
  validateMetadata(object.metadata, type, problems, parts);
  change(problems);
  return problems;
}

async function store(
  parts: WriteParts,
  type: ResourceType,
  current: Version,
  before: StoredObject,
  object: ApiObject,
  guard: Guard | undefined,
  options: WriteOptions,
): Promise<Written | undefined> {
  const { text: value, encoded } = parts.encoder.encodeAgain(object, before);
  object.metadata.resourceVersion = String(current.revision);
  const isSame = before.encoded
    ? sameText(encoded, before.encoded)
    : stamp(value, current.revision).equals(current.bytes);
  if (options.apply) {
    before.noteApplied(options.apply.document);
    parts.recent.keep(current, before);
  }
  if (isSame || isSameButForTimes(object, before.object)) return { object, bytes: current.bytes, version: current };
  if (isFinished(type, object)) return removeFinally(parts, type, current, before.object, object, options);
  if (options.dryRun) return { object, bytes: stamp(value, current.revision) };
  const facets = facetsIn(type, object);
  const write = { key: current.key, expected: current.revision, value, facets, ...(guard && { guard }) };
  const version = await commit(parts.log, write, options);
  if (!version) {
    object.metadata.resourceVersion = before.object.metadata.resourceVersion ?? '';
    return undefined;
  }
  object.metadata.resourceVersion = String(version.revision);
  parts.recent.replace(current, version, new StoredObject(object, encoded, before));
  return { object, bytes: version.bytes, version };
}

/** Whether only the times at which owners changed something are others: admission or preparation took the change back. */
function isSameButForTimes(object: ApiObject, old: ApiObject): boolean {
  const { managedFields, ...metadata } = object.metadata;
  const { managedFields: owners, ...before } = old.metadata;
  return sameOwners(managedFields, owners) && sameJson({ ...object, metadata }, { ...old, metadata: before });
}

/** A terminating object goes with its last finalizer, once its grace is over. */
function isFinished(type: ResourceType, object: ApiObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = object.metadata;
  if (!deletionTimestamp || finalizers?.length || deletionGracePeriodSeconds) return false;
  return !type.isHeld?.(object);
}
