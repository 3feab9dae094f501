import type { UserInfo } from '../api/user.ts';
import type { Propagation } from '../meta/dependents.ts';
import type { Deadline } from '../runtime/deadline.ts';
import { type Rest, restEveryTurn } from '../runtime/pacing.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { type Draft, draftOf } from '../schema/draft.ts';
import type { Guard } from '../storage/backend.ts';
import type { Version } from '../storage/log/version.ts';
import type { VersionLog } from '../storage/log/version-log.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { Admission, AdmissionRequest, MutatingRequest, OperationOptions } from './admission.ts';
import type { Application } from './application.ts';
import { Conversions } from './conversions.ts';
import type { Encoder } from './encoding.ts';
import type { FieldsOfNew } from './fields-of-new.ts';
import type { ReadingOptions } from './incoming.ts';
import type { Kind } from './kind.ts';
import type { LiveObject, LiveObjects } from './live-objects.ts';
import type { Premise } from './premise.ts';
import type { Reservation } from './reservation.ts';
import type { ApiObject, HookContext, ResourceType } from './resource-type.ts';
import { hubOf } from './versions.ts';

/** Told of every write of this server as soon as it is stored; must be quick, and must not throw. */
export interface CommitObserver {
  committed(revision: number, write: Write): void;
  /** A write has come to its end that changed nothing. */
  unchanged?(write: Write): void;
}

/** What every write needs of the server. */
export interface WriteParts extends HookContext {
  readonly log: VersionLog;
  readonly runtime: Runtime;
  readonly vocabulary: Vocabulary;
  readonly admission: Admission;
  readonly encoder: Encoder;
  readonly fieldsOfNew: FieldsOfNew;
  readonly live: LiveObjects;
  /** Whether someone takes away the finalizers by which dependents are waited for; true unless given. */
  readonly collectsGarbage?: boolean;
  readonly commits?: CommitObserver;
  /** The type that serves a stored kind in another version, if there is one. */
  servedAs(hub: ResourceType, apiVersion: string): ResourceType | undefined;
  kindOf(type: ResourceType): Kind | undefined;
}

/** Who writes, and how. */
export interface WriteOptions extends ReadingOptions {
  readonly user: UserInfo;
  /** The request that the write is made for; absent where it is made for none. */
  readonly auditId?: string;
  /** What that request does, in the words of authorization. */
  readonly verb?: string;
  /** Everything happens but the commit. */
  readonly dryRun?: boolean;
  /** Under which name the fields that change are owned; the server's own when absent. */
  readonly fieldManager?: string;
  /** What the client itself said of all this. */
  readonly said?: OperationOptions | undefined;
  /** The write applies a document rather than replacing or patching. */
  readonly apply?: Application | undefined;
  /** Made by a control loop: gives way to the writes that clients wait for. */
  readonly background?: boolean;
  /** Awaited before a change of something that is not there makes it; throws when the user may change, but not create. */
  readonly beforeCreate?: (() => Promise<void>) | undefined;
  /** What a change is decided by that did not ask first what is current. */
  readonly premise?: Premise | undefined;
  /** Nothing is begun any more once it is over. None: it takes as long as it takes. */
  readonly deadline?: Deadline | undefined;
  readonly warn?: (text: string) => void;
  readonly annotate?: AdmissionRequest['annotate'];
  readonly waited?: AdmissionRequest['waited'];
  readonly called?: AdmissionRequest['called'];
  readonly steps?: AdmissionRequest['steps'];
}

/** The object a write is about. */
export interface ObjectRef {
  /** The version of the kind that the writer speaks. */
  readonly type: ResourceType;
  readonly namespace: string;
  readonly name: string;
  /** '' for the object itself. */
  readonly subresource: string;
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

/** What a draft is until the first stage has read one. */
const NOTHING: ApiObject = Object.freeze({
  kind: '',
  apiVersion: '',
  metadata: Object.freeze({ creationTimestamp: null }),
});

export interface DeleteOptions extends WriteOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: Propagation;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** The outcome of a delete. `removed` false: the object stays until its finalizers or its grace period are through. */
export interface Deleted extends Written {
  readonly removed: boolean;
}

/** What all stages of a write work on, and add to. */
export class Write {
  readonly parts: WriteParts;
  readonly ref: ObjectRef;
  /** The version in which the write is judged: the stored one, or, of a kind that keeps several, the writer's own. */
  readonly type: ResourceType;
  /** The kind, where its objects have to be converted before they are stored. */
  readonly converting: Kind | undefined;
  /** What the write needs of the object in other versions; of such kinds only. */
  readonly conversions: Conversions | undefined;
  readonly options: WriteOptions;
  /** Asked now and then, so that a large object lets others have a turn. */
  readonly rest: Rest;
  /** It has rested, so its object is large. */
  hasRested = false;
  /** What is stored. Undefined: the write makes the object. */
  readonly live: LiveObject | undefined;
  /** What was sent, or what a change made of the live object: anything. */
  readonly document: unknown;
  /** The object on its way: of the stored version, with defaults, changed by admission and preparation. */
  draft: Draft<ApiObject> = draftOf(NOTHING);
  /** The record of owners as it was sent, if the writer touched it. */
  sentRecord: ApiObject['metadata']['managedFields'] | undefined;
  /** Who owns what once the write is made. Undefined: nobody is recorded. */
  record: ApiObject['metadata']['managedFields'] | undefined;
  /** Whether the writer named the version it wants to replace, so that it must not be replaced in another. */
  isConditional = false;
  /** Whether the name was made up here, so that another can be tried when it is taken. */
  isNamedHere = false;
  /** What was last asked of admission. */
  request: AdmissionRequest | undefined;
  /** Kept for the object while the write is under way. */
  reservation: Reservation | undefined;
  /** For the commit: nobody on another server must have taken anything meanwhile. */
  guard: Guard | undefined;
  /** What has become of the draft: canonical, and never changed any more. */
  object: ApiObject = NOTHING;
  /** The same in the version that is stored. Undefined: it is the very same. */
  stored: ApiObject | undefined;

  constructor(
    parts: WriteParts,
    ref: ObjectRef,
    options: WriteOptions,
    live: LiveObject | undefined = undefined,
    document: unknown = undefined,
  ) {
    this.parts = parts;
    this.ref = ref;
    this.type = hubOf(ref.type);
    const kind = parts.kindOf(ref.type);
    this.converting = kind?.converts ? kind : undefined;
    this.conversions = Conversions.of(this.converting);
    this.options = options;
    const rest = restEveryTurn(parts.runtime);
    this.rest = () => {
      const pause = rest();
      if (pause) this.hasRested = true;
      return pause;
    };
    this.live = live;
    this.document = document;
  }
}

/** A write that takes an object away. */
export class Deletion extends Write {
  declare readonly options: DeleteOptions;
  declare readonly live: LiveObject;
  /** Nothing keeps the object: neither finalizers nor grace. */
  goesAtOnce = false;

  constructor(parts: WriteParts, ref: ObjectRef, options: DeleteOptions, live: LiveObject) {
    super(parts, ref, options, live);
  }
}

/** Asks about something of which nothing is known yet but what is said here. */
export const admissionRequest = <Written = Draft<ApiObject> | undefined>(
  asked: Omit<
    AdmissionRequest<Written>,
    'user' | 'dryRun' | 'deadline' | 'warn' | 'annotate' | 'waited' | 'called' | 'steps'
  >,
  {
    user,
    dryRun = false,
    said,
    deadline,
    warn = silent,
    annotate = silent,
    waited = silent,
    called,
    steps,
  }: WriteOptions,
): MutatingRequest<Written> => {
  // Field by field, because spreading costs more than all the rest of a chain that has nothing to say.
  const { operation, type, requestedAs, posted, subresource, namespace, name, object, oldObject, conversions } = asked;
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
    conversions,
    deadline,
    warn,
    annotate,
    waited,
    called,
    steps,
    over: asked.over,
  };
};
