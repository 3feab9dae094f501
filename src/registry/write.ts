import type { Application } from '../apply/ownership.ts';
import type { Deadline } from '../deadline.ts';
import type { ApiError } from '../errors.ts';
import { internalBecause, invalid, timeout, unavailable } from '../errors.ts';
import type { Runtime } from '../runtime.ts';
import { runChecks } from '../schema/derive/checks.ts';
import { Problems } from '../schema/problems.ts';
import { type Guard, OutcomeUnknown, StorageFull, StorageUnavailable, type Write } from '../storage/backend.ts';
import type { Version } from '../storage/version.ts';
import type { VersionLog } from '../storage/version-log.ts';
import type { UserInfo } from '../user.ts';
import type { Vocabulary } from '../vocabulary.ts';
import type { Admission, AdmissionRequest, OperationOptions } from './admission.ts';
import type { Encoder } from './encoding.ts';
import type { ReadingOptions } from './incoming.ts';
import { validateMetadata } from './metadata-validation.ts';
import type { RecentObjects } from './recent-objects.ts';
import type { Reservation } from './reservation.ts';
import type { ApiObject, HookContext, ResourceType } from './resource-type.ts';

/** What every write needs of the server. */
export interface WriteParts extends HookContext {
  readonly log: VersionLog;
  readonly runtime: Runtime;
  readonly vocabulary: Vocabulary;
  readonly admission: Admission;
  readonly encoder: Encoder;
  readonly recent: RecentObjects;
  /** The type that serves a stored kind in another version, if there is one. */
  servedAs(hub: ResourceType, apiVersion: string): ResourceType | undefined;
}

/** Who writes, and how. */
export interface WriteOptions extends ReadingOptions {
  readonly user: UserInfo;
  /** Everything happens but the commit. */
  readonly dryRun?: boolean;
  /** Under which name the fields that change are owned; the server's own when absent. */
  readonly fieldManager?: string;
  /** What the client itself said of all this. */
  readonly said?: OperationOptions;
  /** The write applies a document rather than replacing or patching. */
  readonly apply?: Application;
  /** Made by a control loop: gives way to the writes that clients wait for. */
  readonly background?: boolean;
  /** Awaited before a change of something that is not there makes it; throws when the user may change, but not create. */
  readonly beforeCreate?: () => Promise<void>;
  /** Nothing is begun any more once it is over. None: it takes as long as it takes. */
  readonly deadline?: Deadline | undefined;
  readonly warn?: (text: string) => void;
  readonly annotate?: AdmissionRequest['annotate'];
  readonly waited?: AdmissionRequest['waited'];
}

/** The outcome of a write: the object as it is now, and the bytes that say so. */
export interface Written {
  readonly object: ApiObject;
  readonly bytes: Buffer;
  /** The stored version whose bytes these are; absent when they are those of none, as after a dry run. */
  readonly version?: Version;
  /** The write made the object, rather than changing one. */
  readonly created?: boolean;
}

/** For writers who do not want to be told. */
export const silent = (): void => {};

export const admissionRequest = (
  asked: Omit<AdmissionRequest, 'user' | 'dryRun' | 'deadline' | 'warn' | 'annotate' | 'waited'>,
  { user, dryRun = false, said, deadline, warn = silent, annotate = silent, waited = silent }: WriteOptions,
): AdmissionRequest => {
  // Field by field, because spreading costs more than all the rest of a chain that has nothing to say.
  const { operation, type, requestedAs, posted, subresource, namespace, name, object, oldObject } = asked;
  return {
    operation,
    type,
    requestedAs,
    posted,
    subresource,
    namespace,
    name,
    object,
    oldObject,
    user,
    dryRun,
    options: asked.options ?? said,
    deadline,
    warn,
    annotate,
    waited,
    over: undefined,
  };
};

/** All that is wrong with an object by itself. `more` adds the rules of the occasion. */
export function problemsOf(
  type: ResourceType,
  object: ApiObject,
  context: HookContext,
  more: (problems: Problems) => void,
): Problems {
  const problems = new Problems({ hidesValues: type.sensitive });
  validateMetadata(object.metadata, type, problems, context);
  runChecks(type.schema, object, problems);
  type.validate?.(object, problems, context);
  more(problems);
  return problems;
}

/** A finished object, and what is kept for it. */
interface Reserved {
  readonly object: ApiObject;
  readonly reservation: Reservation | undefined;
  /** For the commit: nobody on another server must have taken anything meanwhile. */
  readonly guard: Guard | undefined;
}

export const unreserved = (object: ApiObject): Reserved => ({ object, reservation: undefined, guard: undefined });

/** Someone on another server took what this write wanted to take, or might have: it is to be made anew. */
export class Outrun extends Error {
  override readonly name = 'Outrun';
}

/**
 * Keeps for a finished object what only one may hold. Whoever calls this ends the reservation, whatever happens next. It
 * comes after ownership is recorded: what the server gives belongs to no writer.
 */
export function reserve(
  parts: WriteParts,
  type: ResourceType,
  object: ApiObject,
  old: ApiObject | undefined,
  { dryRun = false }: WriteOptions,
): Reserved {
  if (!type.reserve) return unreserved(object);
  const problems = new Problems({ hidesValues: type.sensitive });
  const guard = parts.log.isShared ? { name: type.collection, seen: parts.log.revision } : undefined;
  const reservation = type.reserve(object, old, problems, { ...parts, dryRun });
  refuse(type, object, problems);
  return { object: parts.encoder.finish(type, object), reservation, guard };
}

/** Throws one `invalid` that names every problem, if there is any. */
export function refuse(type: ResourceType, object: ApiObject, problems: Problems): void {
  if (problems.found.length > 0) throw invalidObject(type, object.metadata.name ?? '', problems);
}

export const invalidObject = (type: ResourceType, name: string, problems: Problems): ApiError =>
  invalid(type.group, type.kind, name, problems.found);

/**
 * Commits; undefined when another writer of the object was faster. An unavailable store is the client's 503; a write that
 * may or may not have been made is a 504. What was handed to the store is waited for, deadline or not: only then is it
 * known what may be let go of.
 */
export async function commit(
  log: VersionLog,
  write: Write,
  { user, background = false, deadline }: WriteOptions,
): Promise<Version | undefined> {
  deadline?.beginChange();
  try {
    const outcome = await log.commit({ ...write, caller: user.name, background });
    if (outcome.conflict && outcome.outrun) throw new Outrun('another server was faster');
    return outcome.conflict ? undefined : outcome.version;
  } catch (error) {
    if (error instanceof OutcomeUnknown) throw timeout(`it is not known whether the change was made: ${error.message}`);
    if (error instanceof StorageFull) {
      throw internalBecause(`${error.message}; nothing that makes it grow is taken until objects are deleted`);
    }
    if (error instanceof StorageUnavailable) throw unavailable(`the store is not available: ${error.message}`);
    throw error;
  }
}
