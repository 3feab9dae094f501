import { ApiError, alreadyExists, badRequest, generatedNamesTaken } from '../errors.ts';
import { ownText } from '../own-memory.ts';
import { type Rest, restEveryTurn } from '../pacing.ts';
import type { Runtime } from '../runtime.ts';
import { formatTime } from '../schema/time.ts';
import type { Guard } from '../storage/backend.ts';
import type { UserInfo } from '../user.ts';
import { parseObject } from './encoding.ts';
import { facetsIn } from './facets.ts';
import { readObject } from './incoming.ts';
import { objectKey } from './keys.ts';
import { noteLastApplied } from './last-applied.ts';
import { dropRepeatedOwners } from './owner-references.ts';
import { clearFields } from './resets.ts';
import type { ApiObject, ResourceType } from './resource-type.ts';
import { recordOfNew, setRecord } from './tracking.ts';
import { hubOf, toHub } from './versions.ts';
import {
  admissionRequest,
  commit,
  problemsOf,
  refuse,
  reserve,
  silent,
  type WriteOptions,
  type WriteParts,
  type Written,
} from './write.ts';

/** Letters that cannot spell words. */
const SUFFIX_LETTERS = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
const LONGEST_PREFIX = 63 - SUFFIX_LENGTH;

/** So many names are tried before a prefix counts as used up. */
const MOST_NAMES = 8;

/**
 * Makes a new object of a parsed document. Without a name it gets one from metadata.generateName, and another one when
 * that is taken.
 */
export async function create(
  parts: WriteParts,
  type: ResourceType,
  namespace: string,
  document: unknown,
  options: WriteOptions,
): Promise<Written> {
  const rest = restEveryTurn(parts.runtime);
  for (let tries = 1; ; tries++) {
    const object = readObject(type, document, options);
    settleNamespace(type, object, namespace);
    const { name, generateName } = object.metadata;
    try {
      return await createObject(parts, type, toHub(type, object), options, rest);
    } catch (error) {
      if (name || !generateName || !isTaken(error)) throw error;
      if (tries === MOST_NAMES) throw generatedNamesTaken(error);
    }
  }
}

const isTaken = (error: unknown): error is ApiError => error instanceof ApiError && error.reason === 'AlreadyExists';

/**
 * The rest of a create, for an object of the stored version; `served` is the version it was sent in. What is done with a
 * large object takes turns with others between the steps.
 */
export async function createObject(
  parts: WriteParts,
  served: ResourceType,
  incoming: ApiObject,
  options: WriteOptions,
  rest: Rest,
): Promise<Written> {
  let pause = rest();
  if (pause) await pause;
  const type = hubOf(served);
  if (incoming.metadata.resourceVersion && !options.dryRun) {
    throw badRequest('resourceVersion should not be set on objects to be created');
  }
  dropRepeatedOwners(incoming, options.warn ?? silent);
  type.complete?.(incoming, parts);
  const request = admissionRequest(
    {
      operation: 'CREATE',
      type,
      requestedAs: served,
      subresource: '',
      namespace: incoming.metadata.namespace ?? '',
      name: incoming.metadata.name ?? '',
      object: incoming,
      oldObject: undefined,
    },
    options,
  );
  const record = recordOfNew(parts, served, incoming, options);
  setRecord(incoming, record);
  if (options.apply) noteLastApplied(served, incoming, options.apply, parts.vocabulary);
  pause = rest();
  if (pause) await pause;
  await parts.admission.mutate(request);
  const prepared = request.object ?? incoming;
  prepare(parts, type, prepared, options.user);
  const wanted = parts.encoder.finish(type, prepared);
  setRecord(wanted, record);
  pause = rest();
  if (pause) await pause;
  const { object, reservation, guard } = reserve(parts, type, wanted, undefined, options);
  try {
    request.object = object;
    refuse(
      type,
      object,
      problemsOf(type, object, parts, (problems) => type.validateCreate?.(object, problems, parts)),
    );
    pause = rest();
    if (pause) await pause;
    await parts.admission.validate(request);
    pause = rest();
    if (pause) await pause;
    const written = await store(parts, type, object, guard, options);
    request.over?.(undefined);
    return written;
  } catch (error) {
    request.over?.(error);
    throw error;
  } finally {
    reservation?.end();
  }
}

async function store(
  parts: WriteParts,
  type: ResourceType,
  object: ApiObject,
  guard: Guard | undefined,
  options: WriteOptions,
): Promise<Written> {
  const { namespace = '', name = '' } = object.metadata;
  const key = objectKey(type, namespace, name);
  if (options.dryRun) {
    if (parts.log.get(key)) throw taken(parts, type, key, name);
    delete object.metadata.resourceVersion;
    return { object, bytes: Buffer.from(JSON.stringify(object)), created: true };
  }
  const value = parts.encoder.encode(object);
  const facets = facetsIn(type, object);
  const version = await commit(parts.log, { key, expected: 0, value, facets, ...(guard && { guard }) }, options);
  if (!version) throw taken(parts, type, key, name);
  object.metadata.resourceVersion = String(version.revision);
  return { object, bytes: version.bytes, version, created: true };
}

/** Who has the name may be on its way out: then it helps to wait. */
function taken({ log }: WriteParts, { group, plural }: ResourceType, key: string, name: string): ApiError {
  const present = log.get(key);
  const isLeaving = present !== undefined && parseObject(present.bytes).metadata.deletionTimestamp !== undefined;
  return alreadyExists({ group, resource: plural }, name, isLeaving);
}

/** The path says the namespace; a body may repeat it but not contradict it. */
export function settleNamespace(type: ResourceType, object: ApiObject, namespace: string): void {
  const { metadata } = object;
  if (!type.namespaced) {
    if (metadata.namespace)
      throw badRequest('the namespace of the provided object does not match the request: there is none');
    return;
  }
  metadata.namespace ||= ownText(namespace);
  if (metadata.namespace !== namespace) {
    throw badRequest(
      `the namespace of the provided object does not match the namespace sent on the request (${metadata.namespace}, ${namespace})`,
    );
  }
}

/** Fields the server owns, whatever the client sent; then what the kind prepares. */
function prepare(parts: WriteParts, type: ResourceType, object: ApiObject, requester: UserInfo): void {
  const { metadata } = object;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.selfLink;
  delete metadata.resourceVersion;
  metadata.uid = parts.runtime.uuid();
  metadata.creationTimestamp = formatTime(parts.runtime.now());
  if (type.strategy.generation) metadata.generation = 1;
  clearFields(object, type.createResets ?? type.rules.resets);
  if (!metadata.name && metadata.generateName) metadata.name = generateName(metadata.generateName, parts.runtime);
  type.complete?.(object, parts);
  type.prepareCreate?.(object, parts, requester);
}

export function generateName(prefix: string, runtime: Runtime): string {
  let name = prefix.slice(0, LONGEST_PREFIX);
  for (let at = 0; at < SUFFIX_LENGTH; at++) {
    name += SUFFIX_LETTERS.charAt(Math.floor(runtime.random() * SUFFIX_LETTERS.length));
  }
  return name;
}
